"""The form of a task: its fields are those that its kind has."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms

from campaigns.forms.organize.base import EditForm, long_text, slug_input
from campaigns.kinds import KINDS, Kind
from campaigns.models import Averaging, Collection, DepthRule, Precision, Task
from evaluation.kinds import KINDS as MESSAGE_KINDS

RULE = "rule-"
MEASURES_HELP = (
    "One a line, in the order of the columns. Written like nDCG@10, AP, AP(rel=2), P@10, R@1000, "
    "RR, RBP(p=0.8), Judged@10."
)
NO_LIMIT = "Empty: no limit."


def settable_kinds() -> list[str]:
    """Kinds of message whose level a task may choose."""
    return sorted(name for name, kind in MESSAGE_KINDS.items() if kind.levels)


class TaskForm(EditForm):
    """All settings of a task but dates and switches."""

    title = forms.CharField(label="Title", max_length=200)
    summary = forms.CharField(
        label="Summary", max_length=500, required=False, help_text="One sentence for lists."
    )
    description = long_text("Description", "Markdown: what a run must do.", rows=8)
    kind = forms.ChoiceField(label="Kind of task")
    collection = forms.ChoiceField(label="Collection")
    measures = forms.CharField(
        label="Measures", help_text=MEASURES_HELP, widget=forms.Textarea(attrs={"rows": 5})
    )
    primary = forms.CharField(
        label="Primary measure",
        required=False,
        max_length=80,
        help_text="The board is ranked by it. Empty: the first measure that can rank.",
    )
    topics_averaged = forms.ChoiceField(label="Means are over", choices=Averaging.choices)
    depth = forms.IntegerField(
        label="Depth", min_value=1, initial=1000, help_text="Documents a topic may have in a run."
    )
    depth_rule = forms.ChoiceField(label="Beyond the depth", choices=DepthRule.choices)
    precision = forms.ChoiceField(
        label="Scores are compared in",
        choices=Precision.choices,
        help_text="Single reproduces the order of trec_eval 9.0.7, where close scores tie.",
    )
    tag_pattern = forms.CharField(
        label="Pattern of run tags",
        max_length=200,
        help_text="A regular expression that the whole tag must match.",
    )
    try_tag = forms.CharField(
        label="Try a tag", max_length=255, required=False, help_text="Is not saved."
    )
    runs_per_team = forms.IntegerField(
        label="Runs a team may hand in", min_value=0, required=False, help_text=NO_LIMIT
    )
    per_day = forms.IntegerField(
        label="Runs of a team in 24 hours", min_value=0, required=False, help_text=NO_LIMIT
    )
    refused_per_day = forms.IntegerField(
        label="Refused files of a team in 24 hours",
        min_value=0,
        required=False,
        help_text=f"They cost no run, so they have a cap of their own. {NO_LIMIT}",
    )
    attempts = forms.IntegerField(
        label="Files a team may upload in all",
        min_value=0,
        required=False,
        help_text=f"Refused ones count too. {NO_LIMIT}",
    )
    file_bytes = forms.IntegerField(
        label="Bytes of a run file",
        min_value=1,
        max_value=1 << 40,
        help_text="After decompression. 104857600 bytes are 100 MiB.",
    )
    confirm = forms.BooleanField(
        label="I know that runs are scored again",
        required=False,
        help_text="Their present scores and boards stay on record.",
    )

    def __init__(
        self, *args: Any, kind: Kind, collections: Iterable[Collection], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.kind = kind
        offered = [(one.slug, f"{one.title} ({one.slug})") for one in collections]
        _offer(self, "kind", [(name, one.label) for name, one in KINDS.items()])
        _offer(self, "collection", offered)
        if kind.needs_original_collection:
            self.fields["original_collection"] = forms.ChoiceField(
                label="Collection of the originals",
                choices=[("", "Choose"), *offered],
                help_text="The original runs are scored on its qrels.",
            )
        if kind.needs_pool:
            self.fields["clip"] = forms.BooleanField(
                label="Negative utilities count 0", required=False
            )
        if kind.is_pair:
            self._add_pair_fields(kind)
        self._add_rules()

    def _add_pair_fields(self, kind: Kind) -> None:
        default = kind.order_by.label if kind.order_by else ""
        orders = [(order.value, order.label) for order in kind.orders]
        self.fields["order_by"] = forms.ChoiceField(
            label="Pairs are ordered by",
            choices=[("", f"Default: {default}"), *orders],
            required=False,
        )
        self.fields["rbo_p"] = forms.FloatField(
            label="p of RBO", required=False, help_text="Between 0 and 1. Empty: 0.8."
        )
        self.fields["comparison_depth"] = forms.IntegerField(
            label="Depth of comparisons",
            min_value=1,
            required=False,
            help_text="Empty: the depth of the task.",
        )
        self.fields["cutoffs"] = forms.CharField(
            label="Cut-offs of curves", required=False, help_text="With commas: 5, 10, 20, 100."
        )
        self.fields["tost_bound"] = forms.FloatField(
            label="Bound of the equivalence test", required=False, help_text="Above 0, like 0.05."
        )

    def _add_rules(self) -> None:
        for name in settable_kinds():
            kind = MESSAGE_KINDS[name]
            levels = [(level, level) for level in kind.levels]
            self.fields[RULE + name] = forms.ChoiceField(
                label=name,
                required=False,
                choices=[("", f"default: {kind.level}"), *levels],
            )

    def _section(self, names: str) -> list[forms.BoundField]:
        return [self[name] for name in names.split() if name in self.fields]

    @property
    def about_fields(self) -> list[forms.BoundField]:
        """What the task is; fields that a kind lacks are left out here and below."""
        return self._section("title slug summary description kind collection original_collection")

    @property
    def scoring_fields(self) -> list[forms.BoundField]:
        """How runs are scored."""
        return self._section(
            "measures primary topics_averaged precision clip "
            "order_by rbo_p comparison_depth cutoffs tost_bound"
        )

    @property
    def check_fields(self) -> list[forms.BoundField]:
        """How runs are checked."""
        return self._section("depth depth_rule tag_pattern try_tag")

    @property
    def limit_fields(self) -> list[forms.BoundField]:
        """What a team may hand in."""
        return self._section("runs_per_team per_day refused_per_day attempts file_bytes")

    @property
    def rule_fields(self) -> list[forms.BoundField]:
        """One control for each kind of message."""
        return [self[name] for name in self.fields if name.startswith(RULE)]

    def measure_lines(self) -> list[str]:
        """The measures as typed, in their order."""
        text = str(self["measures"].value() or "")
        return [line.strip() for line in text.splitlines() if line.strip()]

    def settings(self, fields: list[dict[str, Any]]) -> dict[str, Any]:
        """The values under the names of ``campaign.yaml``; ``fields`` come from their own forms.

        What has a fault already is left out, so that the rest can be looked at all the same.
        """
        data = self.cleaned_data
        values: dict[str, Any] = {
            name: data[name]
            for name in (
                "title", "summary", "description", "kind", "collection", "topics_averaged",
                "depth", "depth_rule", "precision", "tag_pattern",
            )
            if name in data
        }  # fmt: skip
        values |= {
            "slug": data.get("slug", "unchanged"),
            "measures": self.measure_lines(),
            "primary": data.get("primary"),
            "rules": {
                name.removeprefix(RULE): level
                for name, level in data.items()
                if name.startswith(RULE) and level
            },
            "limits": {
                name: data[name]
                for name in (
                    "runs_per_team",
                    "per_day",
                    "refused_per_day",
                    "attempts",
                    "file_bytes",
                )
                if name in data
            },
            "fields": fields,
        }
        if "original_collection" in data:
            values["original_collection"] = data["original_collection"]
        if "clip" in data:
            values["gains"] = {"clip": 0} if data["clip"] else self.initial.get("unclipped", {})
        if self.kind.is_pair:
            values |= self._pair_settings()
        return values

    def _pair_settings(self) -> dict[str, Any]:
        data = self.cleaned_data
        comparison = {
            "rbo_p": data.get("rbo_p"),
            "depth": data.get("comparison_depth"),
            "cutoffs": _numbers(data.get("cutoffs", "")),
            "tost_bound": data.get("tost_bound"),
        }
        return {
            "comparison": {name: one for name, one in comparison.items() if one is not None},
            **({"order_by": data["order_by"]} if data.get("order_by") else {}),
        }


class NewTaskForm(TaskForm):
    """A task to be."""

    slug = slug_input(label="Short name")
    field_order = ["title", "slug"]


def task_initial(task: Task) -> dict[str, Any]:
    """The stored settings as the form shows them."""
    comparison = task.comparison or {}
    values = {
        name: getattr(task, name)
        for name in (
            "title", "summary", "description", "kind", "primary", "topics_averaged", "order_by",
            "depth", "depth_rule", "precision", "tag_pattern", "runs_per_team", "refused_per_day",
            "attempts", "file_bytes",
        )
    }  # fmt: skip
    original = task.original_collection
    return {
        **values,
        "per_day": task.runs_per_day,
        "collection": task.collection.slug,
        "original_collection": original.slug if original else "",
        "measures": "\n".join(task.measures),
        "clip": task.gains.get("clip") == 0,
        "unclipped": {} if task.gains.get("clip") == 0 else task.gains,
        "rbo_p": comparison.get("rbo_p"),
        "comparison_depth": comparison.get("depth"),
        "cutoffs": ", ".join(map(str, comparison.get("cutoffs", []))),
        "tost_bound": comparison.get("tost_bound"),
        **{RULE + name: level for name, level in task.rules.items()},
    }


def _offer(form: forms.Form, name: str, choices: list[tuple[str, str]]) -> None:
    field = form.fields[name]
    if isinstance(field, forms.ChoiceField):
        field.choices = choices


def _numbers(text: str) -> list[Any] | None:
    """Whole numbers where they are some; whatever else stays text and is refused later."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    return [int(part) if part.isascii() and part.isdigit() else part for part in parts] or None
