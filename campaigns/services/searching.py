"""Finds campaigns, tasks, teams and runs by what stands in their names, as far as visible."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from campaigns.models import Campaign, Run, Task, Team
from campaigns.policies import Viewer
from campaigns.querysets import naming_tasks, visible_campaigns, visible_runs, visible_tasks

MOST = 20
LONGEST = 100
SHORTEST = 2


@dataclass(frozen=True, slots=True)
class Found:
    """What a search has found, at most ``MOST`` of each."""

    campaigns: list[Campaign]
    tasks: list[Task]
    teams: list[Team]
    runs: list[Run]

    @property
    def count(self) -> int:
        """How many are shown."""
        return len(self.campaigns) + len(self.tasks) + len(self.teams) + len(self.runs)


def cleaned(text: str) -> str:
    """What is really looked for: one line, not too long, without characters no database takes."""
    return " ".join(text.replace("\0", " ").split())[:LONGEST]


def _all_words(text: str, *columns: str) -> Q:
    """Every word stands somewhere in the columns."""
    condition = Q()
    for word in text.split(" ")[:8]:
        one = Q()
        for column in columns:
            one |= Q(**{f"{column}__icontains": word})
        condition &= one
    return condition


def visible_teams(viewer: Viewer) -> QuerySet[Team]:
    """Teams whose name every task of their campaign shows, and those of the viewer's."""
    withheld = (
        naming_tasks()
        .filter(campaign=OuterRef("campaign"))
        .filter(Q(team_names_from__isnull=True) | Q(team_names_from__gt=viewer.now))
    )
    rows = Team.objects.filter(
        campaign__in=visible_campaigns(viewer), deleted_at__isnull=True
    ).select_related("campaign")
    if viewer.is_site_administrator:
        return rows
    return rows.filter(
        Q(~Exists(withheld)) | Q(pk__in=list(viewer.teams)) | Q(campaign__in=list(viewer.roles))
    )


def search(viewer: Viewer, text: str) -> Found:
    """Everything that holds all words of the text; nothing for a text that is too short."""
    text = cleaned(text)
    if len(text) < SHORTEST:
        return Found([], [], [], [])

    def some(rows: QuerySet[Any], *columns: str) -> list[Any]:
        return list(rows.filter(_all_words(text, *columns))[:MOST])

    runs = visible_runs(viewer).filter(origin="submitted").order_by("-received_at", "id")
    return Found(
        some(visible_campaigns(viewer), "title", "summary", "slug"),
        some(visible_tasks(viewer).filter(campaign__deleted_at__isnull=True), "title", "summary"),
        some(visible_teams(viewer).order_by("name"), "name", "affiliation"),
        some(runs, "tag"),
    )
