"""The first page: what this is, and which campaigns there are."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Prefetch, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from campaigns import policies
from campaigns.models import Campaign, Run, Task
from campaigns.policies import Viewer
from campaigns.querysets import counted_runs, visible_campaigns
from campaigns.views.effect_chart import home_chart
from campaigns.views.lookups import viewer_of
from campaigns.views.phases import CLOSED, OPEN, UPCOMING, Phase, phase_of_all
from campaigns.views.run_list import newest_runs


@dataclass(frozen=True, slots=True)
class Entry:
    """A campaign in the list.

    ``submit_to`` and ``board`` lead to the only task there is, or to all of the campaign;
    ``results_from`` is when the last board opens, None for never.
    """

    campaign: Campaign
    phase: Phase
    tasks: list[Task]
    runs: int
    submit_to: str
    board: str
    are_results_out: bool
    results_from: datetime | None


def _entry(viewer: Viewer, campaign: Campaign, runs: int) -> Entry:
    tasks = list(campaign.tasks.all())
    for task in tasks:
        task.campaign = campaign
    whole = reverse("pages:campaign", args=[campaign.slug]) + "#tasks"
    open_tasks = [task for task in tasks if policies.is_open(task, viewer.now)]
    boards = [task for task in tasks if policies.may_see_board(viewer, task)]
    board = whole if boards else ""
    if len(boards) == 1:
        board = reverse("pages:task", args=[campaign.slug, boards[0].slug]) + "#board"
    submit_to = whole if open_tasks else ""
    if len(open_tasks) == 1:
        submit_to = reverse("pages:submit", args=[campaign.slug, open_tasks[0].slug])
    switches = [task.scores_from for task in tasks]
    dated = [switch for switch in switches if switch is not None]
    return Entry(
        campaign,
        phase_of_all(tasks, viewer.now),
        tasks,
        runs,
        submit_to,
        board,
        bool(tasks) and all(policies.is_reached(switch, viewer.now) for switch in switches),
        max(dated) if dated and len(dated) == len(switches) else None,
    )


def _runs_by_campaign() -> dict[int, int]:
    """Runs that boards list, for each campaign."""
    counted = (
        Run.objects.filter(counted_runs(), task__deleted_at__isnull=True)
        .order_by()
        .values_list("task__campaign")
        .annotate(Count("pk"))
    )
    return dict(counted)


def home(request: HttpRequest) -> HttpResponse:
    """Campaigns the viewer may see: open, upcoming, closed."""
    viewer = viewer_of(request)
    tasks = Task.objects.filter(deleted_at__isnull=True)
    campaigns = (
        visible_campaigns(viewer)
        .prefetch_related(Prefetch("tasks", queryset=tasks))
        .annotate(
            team_count=Count(
                "teams", filter=Q(teams__deleted_at__isnull=True, teams__is_organizers=False)
            )
        )
    )
    runs = _runs_by_campaign()
    entries = [_entry(viewer, campaign, runs.get(campaign.pk, 0)) for campaign in campaigns]
    by_phase = {
        name: [entry for entry in entries if entry.phase.name == name]
        for name in (OPEN, UPCOMING, CLOSED)
    }
    context = {
        "section": "campaigns",
        "chart": home_chart(viewer),
        "may_start": policies.may_be_offered_to_organize(viewer),
        "own_runs": newest_runs(viewer) if viewer.teams else [],
        **by_phase,
    }
    return render(request, "pages/home.html", context)
