"""The submission form: one run or a pair, with the fields that the task adds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms

from campaigns.forms.marks import VisibleTextMixin
from campaigns.models import Original, Pair, RunRole, RunType, Task, Team

OWN = "own-"


def label_of(definition: Mapping[str, Any]) -> str:
    """What people call a field of the task."""
    return str(definition.get("label") or definition["name"].replace("_", " ").capitalize())


def _own_field(definition: Mapping[str, Any]) -> forms.Field:
    """A control for one field that the organizers added; the service checks the value."""
    common: dict[str, Any] = {
        "label": label_of(definition),
        "help_text": definition.get("help", ""),
        "required": bool(definition.get("required")) and definition["type"] != "flag",
    }
    kind = definition["type"]
    if kind == "choice":
        choices = [("", "Choose"), *((one, one) for one in definition["choices"])]
        return forms.ChoiceField(choices=choices, **common)
    if kind == "number":
        return forms.FloatField(**common)
    if kind == "flag":
        return forms.BooleanField(**common)
    if kind == "url":
        return forms.URLField(assume_scheme="https", **common)
    return forms.CharField(max_length=2000, **common)


class SubmissionForm(VisibleTextMixin, forms.Form):
    """What both forms have in common; files are taken by the upload handler."""

    upload_names: tuple[str, ...] = ()

    team = forms.ChoiceField(label="Team")
    run_type = forms.ChoiceField(
        label="Run type",
        choices=[
            (RunType.AUTOMATIC, "Automatic"),
            (RunType.MANUAL, "Manual: changed by hand after seeing the topics"),
        ],
        initial=RunType.AUTOMATIC,
        widget=forms.RadioSelect,
    )
    system = forms.CharField(
        label="System",
        max_length=120,
        required=False,
        help_text="The name of the model or pipeline. It ties together runs over several tasks.",
    )
    description = forms.CharField(
        label="Description",
        required=False,
        max_length=10_000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="Toolkit, settings, what differs from other runs.",
    )

    def __init__(self, *args: Any, task: Task, teams: Sequence[Team], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.task = task
        self.teams = {str(team.pk): team for team in teams}
        _offer(self.fields["team"], [(key, one.name) for key, one in self.teams.items()])
        self.own = [OWN + definition["name"] for definition in task.fields]
        for definition in task.fields:
            self.fields[OWN + definition["name"]] = _own_field(definition)

    def metadata(self) -> dict[str, Any]:
        """Values of the task's own fields, by their names."""
        return {name.removeprefix(OWN): self.cleaned_data.get(name) for name in self.own}

    def add_errors(self, errors: Mapping[str, str], text: str) -> None:
        """Faults found by the service: beside their field where there is one, else on top."""
        placed = False
        for name, fault in errors.items():
            field = name if name in self.fields else OWN + name
            if field in self.fields:
                self.add_error(field, fault)
                placed = True
        if not placed:
            self.add_error(None, text)

    @property
    def own_fields(self) -> list[forms.BoundField]:
        """The controls that the task adds."""
        return [self[name] for name in self.own]


class RunForm(SubmissionForm):
    """One run."""

    upload_names = ("file",)

    file = forms.FileField(label="Run file", required=False)


class PairedRunForm(RunForm):
    """One run of a pair; its partner may follow or be there already."""

    original = forms.ChoiceField(label="Original")
    role = forms.ChoiceField(
        label="Which part of the pair is it?",
        choices=[
            (RunRole.BASELINE, "Baseline b′"),
            (RunRole.ADVANCED, "Advanced a′"),
        ],
        widget=forms.RadioSelect,
    )
    partner = forms.ChoiceField(
        label="Partner",
        required=False,
        help_text="A pair of your team that still lacks this run.",
    )

    def __init__(
        self, *args: Any, originals: Sequence[Original], partners: Sequence[Pair], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.originals = {one.slug: one for one in originals}
        _offer(self.fields["original"], [(one.slug, one.title) for one in originals])
        choices = [("", "None yet: its partner follows")]
        for pair in partners:
            has = "baseline" if pair.baseline_id else "advanced run"
            choices.append((str(pair.pk), f"{pair} ({has} is there)"))
        _offer(self.fields["partner"], choices)


class PairForm(SubmissionForm):
    """Both runs of a pair at once."""

    upload_names = ("baseline", "advanced")

    baseline = forms.FileField(label="Baseline b′", required=False)
    advanced = forms.FileField(label="Advanced a′", required=False)
    original = forms.ChoiceField(label="Original")
    title = forms.CharField(
        label="Name of the pair", required=False, max_length=200, help_text="As the board shows it."
    )
    family = forms.CharField(
        label="Family",
        required=False,
        max_length=60,
        help_text="Pairs of one family are joined by a line in the chart.",
    )

    def __init__(
        self, *args: Any, originals: Sequence[Original], partners: Sequence[Pair], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.originals = {one.slug: one for one in originals}
        _offer(self.fields["original"], [(one.slug, one.title) for one in originals])


def _offer(field: forms.Field, choices: list[tuple[str, str]]) -> None:
    if isinstance(field, forms.ChoiceField):
        field.choices = choices
