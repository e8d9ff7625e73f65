"""A campaign: what it asks, by when, of whom."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from campaigns import policies
from campaigns.models import Campaign, Origin, Task, Team
from campaigns.policies import Viewer
from campaigns.querysets import LISTED_STATES
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


def _lines(viewer: Viewer, campaign: Campaign) -> list[TaskLine]:
    counted = Count(
        "runs",
        filter=Q(
            runs__origin=Origin.SUBMITTED,
            runs__state__in=LISTED_STATES,
            runs__withdrawn_at__isnull=True,
            runs__deleted_at__isnull=True,
        ),
    )
    tasks = (
        Task.objects.filter(campaign=campaign, deleted_at__isnull=True)
        .select_related("campaign", "collection")
        .annotate(run_count=counted)
    )
    return [
        TaskLine(
            task,
            phase_of(task, viewer.now),
            kind_label(task),
            task.run_count,
            policies.may_see_board(viewer, task),
        )
        for task in tasks
    ]


def _shown_teams(viewer: Viewer, campaign: Campaign, lines: list[TaskLine]) -> list[Team]:
    """Names are a task's to withhold: a team is listed once every task shows names."""
    teams = Team.objects.filter(campaign=campaign, deleted_at__isnull=True, is_organizers=False)
    return [
        team
        for team in teams
        if all(policies.may_see_team_name(viewer, line.task, team.pk) for line in lines)
    ]


def campaign(request: HttpRequest, campaign: str) -> HttpResponse:
    """The page of a campaign."""
    viewer = viewer_of(request)
    found = campaign_or_404(viewer, campaign)
    lines = _lines(viewer, found)
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
            "teams": _shown_teams(viewer, found, lines),
            "has_team": policies.takes_part(viewer, found.pk),
            "oversees": policies.oversees(viewer, found.pk),
        },
    )
