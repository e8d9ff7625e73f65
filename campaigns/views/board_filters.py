"""What a board can be narrowed to: run type, team, fields that everybody may see.

Only values that the form offers are taken, so that no address asks for what is withheld: a team
whose name the viewer may not see cannot be filtered by.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.db.models import Q
from django.db.models.fields.json import KeyTransform
from django.http import QueryDict

from campaigns import policies
from campaigns.forms.submissions import label_of
from campaigns.models import Board, BoardSubject, RunType, Task
from campaigns.policies import Viewer
from campaigns.views.board_query import Rows

MOST_TEAMS = 500
MOST_TOLD = 2
MOST_IN_SIGHT = 4
_YES_NO = {"true": True, "false": False}


class TeamName(NamedTuple):
    """What a board says of a team."""

    pk: int
    slug: str
    name: str
    is_organizers: bool


@dataclass(frozen=True, slots=True)
class Option:
    """One choice of a filter."""

    value: str
    label: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class Filter:
    """A select of the form; its first option leaves everything in."""

    name: str
    label: str
    every: str
    options: list[Option]


@dataclass(frozen=True, slots=True)
class Filters:
    """The form's filters, and the rows they leave."""

    listed: list[Filter] = field(default_factory=list)
    is_one_per_team: bool = False
    condition: Q = field(default_factory=Q)
    fields: dict[str, tuple[str, Any]] = field(default_factory=dict)
    chosen: dict[str, str] = field(default_factory=dict)

    @property
    def in_sight(self) -> list[Filter]:
        """The first few; the others are folded away."""
        return self.listed[:MOST_IN_SIGHT]

    @property
    def folded(self) -> list[Filter]:
        """The others."""
        return self.listed[MOST_IN_SIGHT:]

    @property
    def is_folded_on(self) -> bool:
        """Whether one of the others is chosen."""
        return any(one.name in self.chosen for one in self.folded)

    @property
    def are_on(self) -> bool:
        """Whether anything is left out."""
        return bool(self.chosen)

    def of(self, rows: Rows) -> Rows:
        """The rows that are left; ranks stay those of the whole board."""
        # The names of fields are people's: as a lookup ``contains`` would be a condition.
        keys = {f"key_{name}": KeyTransform(name, path) for name, (path, _) in self.fields.items()}
        values = {f"key_{name}": value for name, (_, value) in self.fields.items()}
        return rows.filter(self.condition).alias(**keys).filter(**values)


def shown_fields(task: Task) -> list[dict[str, Any]]:
    """Public fields with few values: those stand on boards and can be filtered by."""
    return [
        one for one in task.fields if one.get("public") and one.get("type") in ("choice", "flag")
    ]


def told_fields(task: Task) -> list[dict[str, Any]]:
    """Those that stand beside a run: flags, and choices only where a few words say enough."""
    fields = shown_fields(task)
    choices = [one for one in fields if one["type"] == "choice"]
    return [one for one in fields if one["type"] == "flag" or len(choices) <= MOST_TOLD]


def _select(
    name: str, label: str, every: str, values: Iterable[tuple[str, str]], query: QueryDict
) -> Filter:
    asked = query.get(name, "")
    return Filter(
        name, label, every, [Option(value, text, value == asked) for value, text in values]
    )


def _field_filter(definition: dict[str, Any], query: QueryDict) -> Filter:
    if definition["type"] == "flag":
        values = [("true", "Yes"), ("false", "No")]
    else:
        values = [(choice, choice) for choice in definition["choices"]]
    return _select(f"f.{definition['name']}", label_of(definition), "Any", values, query)


def filters_of(
    viewer: Viewer, task: Task, board: Board, teams: Sequence[TeamName], query: QueryDict
) -> Filters:
    """What the address asks for among what the viewer may ask for."""
    is_pairs = board.subject == BoardSubject.PAIRS
    path = "pair__metadata" if is_pairs else "run__metadata"
    listed: list[Filter] = []
    if not is_pairs:
        types = [(value, str(label).capitalize()) for value, label in RunType.choices]
        listed.append(_select("type", "Run type", "Any", types, query))
    named = [team for team in teams if policies.may_see_team_name(viewer, task, team.pk)]
    if len(named) > 1:
        options = [(team.slug, team.name) for team in named[:MOST_TEAMS]]
        listed.append(_select("team", "Team", "All teams", options, query))
    own_fields = {f"f.{one['name']}": one for one in shown_fields(task)}
    listed += [_field_filter(one, query) for one in own_fields.values()]

    condition, fields, chosen = Q(), {}, {}
    for one in listed:
        value = next((option.value for option in one.options if option.is_chosen), None)
        if value is None:
            continue
        chosen[one.name] = value
        if one.name == "type":
            condition &= Q(run__run_type=value)
        elif one.name == "team":
            condition &= Q(team__in=[team.pk for team in named if team.slug == value])
        else:
            definition = own_fields[one.name]
            stored = _YES_NO[value] if definition["type"] == "flag" else value
            fields[definition["name"]] = (path, stored)
    is_one = query.get("best") == "1"
    if is_one:
        chosen["best"] = "1"
        # Baselines and originals stand for no team.
        condition &= Q(is_best_of_team=True) | Q(team__is_organizers=True) | Q(team__isnull=True)
    return Filters(listed, is_one, condition, fields, chosen)
