"""The form of dates and switches of a task, in one time zone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django import forms

from campaigns.forms.organize.base import ZONE_HELP, EditForm, checked_zone
from campaigns.models import ALWAYS, Task
from campaigns.services.organizing.tasks import switch_word
from campaigns.services.zones import read_time, write_time

SWITCHES = {
    "own_scores": (
        "Own scores",
        "Each team sees the scores of its own runs, and of no other.",
    ),
    "scores": (
        "Scores and board",
        "Everybody who may see the campaign sees the board: scores of all runs, exports, charts.",
    ),
    "team_names": (
        "Team names",
        "Everybody sees which team a run is from; until then others read “Team name withheld”.",
    ),
    "topic_scores": (
        "Scores by topic",
        "Whoever may see the scores of a run sees them topic by topic too.",
    ),
    "submitted_runs": (
        "Submitted run files",
        "Everybody who may see a run downloads its file; its team always can.",
    ),
    "original_runs": (
        "Original run files",
        "Everybody who may see the campaign downloads the files of the original runs.",
    ),
    "qrels": (
        "Qrels",
        "Everybody who may see the campaign sees the judgments, and the utilities of a pool.",
    ),
}
WORDS = [("never", "Closed"), ("at", "Open from a time"), ("always", "Open now")]


def _moment_input(label: str, help_text: str = "") -> forms.CharField:
    return forms.CharField(
        label=label,
        required=False,
        help_text=help_text,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local", "step": "1"}),
    )


@dataclass(frozen=True, slots=True)
class SwitchLine:
    """One switch with its two controls."""

    word: forms.BoundField
    at: forms.BoundField
    title: str
    explanation: str


class PlanForm(EditForm):
    """When a task is open, and what is visible from when."""

    timezone = forms.CharField(
        label="Time zone of this page",
        max_length=64,
        help_text=ZONE_HELP,
        widget=forms.TextInput(attrs={"list": "zones", "autocomplete": "off"}),
    )
    opens = _moment_input("Opens", "Empty: from the start.")
    closes = _moment_input(
        "Closes", "Includes its whole last second: 23:59:59 is the end of the day. Empty: never."
    )
    is_paused = forms.BooleanField(
        label="Paused: no runs are taken now, whatever the dates say", required=False
    )
    reason = forms.CharField(
        label="Reason",
        required=False,
        max_length=1000,
        help_text="For the audit list. Needed when a deadline moves after runs have come or it "
        "has passed.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, (title, _) in SWITCHES.items():
            self.fields[name] = forms.ChoiceField(label=title, choices=WORDS)
            self.fields[f"{name}_at"] = _moment_input(f"{title}, from")

    @property
    def switch_lines(self) -> list[SwitchLine]:
        """The switches in their order."""
        return [
            SwitchLine(self[name], self[f"{name}_at"], title, explanation)
            for name, (title, explanation) in SWITCHES.items()
        ]

    def clean_timezone(self) -> str:
        """A zone that exists, in its one spelling."""
        return checked_zone(self.cleaned_data["timezone"])

    def _moment(self, name: str, zone: str) -> datetime | None:
        text = self.cleaned_data.get(name)
        if not text:
            return None
        try:
            return read_time(f"{text} {zone}")[0]
        except ValueError as error:
            self.add_error(name, f"This time {error}.")
            return None

    def clean(self) -> dict[str, Any]:
        """Times as moments, and the columns they make."""
        data = dict(super().clean() or {})
        zone = data.get("timezone")
        if zone is None:
            return data
        columns: dict[str, Any] = {"timezone": zone, "is_paused": data["is_paused"]}
        for name in ("opens", "closes"):
            columns[name] = self._moment(name, zone)
        if columns["opens"] and columns["closes"] and columns["opens"] > columns["closes"]:
            self.add_error("closes", "This lies before the task opens.")
        for name in SWITCHES:
            columns[f"{name}_from"] = self._switch(name, zone)
        data["columns"] = columns
        return data

    def _switch(self, name: str, zone: str) -> datetime | None:
        word = self.cleaned_data.get(name)
        if word != "at":
            return ALWAYS if word == "always" else None
        moment = self._moment(f"{name}_at", zone)
        if moment is None and f"{name}_at" not in self.errors:
            self.add_error(f"{name}_at", "Give the time from which it is open.")
        return moment


def plan_initial(task: Task) -> dict[str, Any]:
    """The stored times as the form shows them: in the task's zone, or in UTC where that zone
    cannot say them without an offset (the hour that happens twice)."""
    zone = task.timezone or "UTC"
    switches = {name: getattr(task, f"{name}_from") for name in SWITCHES}
    moments = [task.opens, task.closes, *switches.values()]
    dated = [one for one in moments if one is not None and one != ALWAYS]
    if zone != "UTC" and any(write_time(one, zone).endswith("Z") for one in dated):
        zone = "UTC"

    def local(moment: datetime | None) -> str:
        if moment is None or moment == ALWAYS:
            return ""
        return write_time(moment, zone)[:19]

    return {
        "timezone": zone,
        "opens": local(task.opens),
        "closes": local(task.closes),
        "is_paused": task.is_paused,
        **{name: switch_word(moment) for name, moment in switches.items()},
        **{f"{name}_at": local(moment) for name, moment in switches.items()},
    }
