"""A campaign: what it asks, by when, of whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from campaigns import policies
from campaigns.models import Campaign, Task, Team
from campaigns.policies import Viewer
from campaigns.querysets import counted_runs, naming_tasks
from campaigns.views.lookups import campaign_or_404, viewer_of
from campaigns.views.phases import Phase, phase_of, phase_of_all
from campaigns.views.timeline import best_of, timeline
from campaigns.views.wording import kind_label


@dataclass(frozen=True, slots=True)
class TaskLine:
    """A task in the campaign's table."""

    task: Task
    phase: Phase
    kind: str
    runs: int
    is_board_open: bool


def _naming_tasks(campaign: Campaign) -> list[Any]:
    """Tasks of the campaign with their runs counted, and the deleted ones that withhold names."""
    counted = Count("runs", filter=counted_runs("runs__"))
    return list(
        naming_tasks()
        .filter(campaign=campaign)
        .select_related("campaign", "collection")
        .annotate(run_count=counted)
    )


def _lines(viewer: Viewer, tasks: Sequence[Any]) -> list[TaskLine]:
    return [
        TaskLine(
            task,
            phase_of(task, viewer.now),
            kind_label(task),
            task.run_count,
            policies.may_see_board(viewer, task),
        )
        for task in tasks
        if task.deleted_at is None
    ]


def _shown_teams(viewer: Viewer, campaign: Campaign, tasks: Sequence[Task]) -> list[Team]:
    """Names are a task's to withhold: a team is listed once every task shows names."""
    teams = Team.objects.filter(campaign=campaign, deleted_at__isnull=True, is_organizers=False)
    return [
        team
        for team in teams
        if all(policies.may_see_team_name(viewer, task, team.pk) for task in tasks)
    ]


def campaign(request: HttpRequest, campaign: str) -> HttpResponse:
    """The page of a campaign."""
    viewer = viewer_of(request)
    found = campaign_or_404(viewer, campaign)
    naming = _naming_tasks(found)
    lines = _lines(viewer, naming)
    tasks = [line.task for line in lines]
    best = best_of(viewer, tasks)
    return render(
        request,
        "pages/campaign.html",
        {
            "section": "campaigns",
            "campaign": found,
            "lines": lines,
            "phase": phase_of_all(tasks, viewer.now),
            "steps": timeline(tasks, viewer.now),
            "best": best,
            "withheld": [line.task for line in lines if not line.is_board_open] if best else [],
            "runs": sum(line.runs for line in lines),
            "primaries": list(dict.fromkeys(task.primary for task in tasks))[:3],
            "teams": _shown_teams(viewer, found, naming),
            "has_team": policies.takes_part(viewer, found.pk),
            "oversees": policies.oversees(viewer, found.pk),
        },
    )
