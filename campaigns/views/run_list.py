"""Lists of a viewer's own runs with their states, in two queries."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from campaigns.models import Campaign, Run, RunState, Task
from campaigns.policies import Viewer
from campaigns.querysets import overseen
from campaigns.services.shown_runs import shown_status
from campaigns.states import Status, latest_jobs
from campaigns.views.lookups import viewer_of
from campaigns.views.paging import page_links
from campaigns.views.run_steps import word_of

PAGE_RUNS = 100
ACCEPTED = Q(state__in=[RunState.ACCEPTED, RunState.SCORED])


@dataclass(frozen=True, slots=True)
class RunLine:
    """A run in a list."""

    run: Run
    status: Status
    word: str
    tone: str


def _rows(viewer: Viewer, task: Task | None) -> QuerySet[Run]:
    rows = Run.objects.filter(
        team__in=list(viewer.teams),
        deleted_at__isnull=True,
        task__deleted_at__isnull=True,
        task__campaign__deleted_at__isnull=True,
    )
    if task is not None:
        rows = rows.filter(task=task)
    return rows.select_related("task__campaign", "team", "file", "original").order_by(
        "-received_at", "id"
    )


def lines_of(viewer: Viewer, runs: Iterable[Run]) -> list[RunLine]:
    """Runs with what their jobs are doing, as far as the viewer may know it."""
    listed = list(runs)
    jobs = latest_jobs(listed)
    found = []
    for run in listed:
        status = shown_status(viewer, run, jobs.get(run.pk, []))
        found.append(RunLine(run, status, *word_of(status)))
    return found


def own_runs(viewer: Viewer, *, task: Task, limit: int = 20) -> list[RunLine]:
    """The newest runs of the viewer's teams in a task."""
    return lines_of(viewer, _rows(viewer, task)[:limit])


def _scored(viewer: Viewer) -> Q:
    """Own runs shown as scored: while their scores are closed they are shown as accepted."""
    return Q(state=RunState.SCORED) & (
        Q(task__own_scores_from__lte=viewer.now)
        | Q(task__scores_from__lte=viewer.now)
        | overseen(viewer, "task__campaign")
    )


def newest_runs(viewer: Viewer, limit: int = 5) -> list[RunLine]:
    """The newest runs of the viewer's teams in all tasks."""
    return lines_of(viewer, _rows(viewer, None)[:limit])


STATES = {
    "checking": ("Being checked", Q(state__in=[RunState.RECEIVING, RunState.CHECKING])),
    "rejected": ("Not accepted", Q(state=RunState.REJECTED)),
    "accepted": ("Accepted, not scored", ACCEPTED),
    "scored": ("Scored", Q(state=RunState.SCORED)),
    "withdrawn": ("Withdrawn", Q(withdrawn_at__isnull=False)),
}


def _in_state(viewer: Viewer, state: str) -> Q:
    """Own runs in a state, as their lines show it."""
    if state == "scored":
        return _scored(viewer)
    if state == "accepted":
        return ACCEPTED & ~_scored(viewer)
    return STATES[state][1]


@login_required
def my_runs(request: HttpRequest) -> HttpResponse:
    """Runs of all the viewer's teams, newest first; of one campaign or state if asked."""
    viewer = viewer_of(request)
    campaign, state = request.GET.get("campaign", ""), request.GET.get("state", "")
    own = Campaign.objects.filter(pk__in=set(viewer.teams.values()), deleted_at__isnull=True)
    campaigns = list(own.order_by("title"))
    rows = _rows(viewer, None)
    chosen: dict[str, str] = {}
    if any(one.slug == campaign for one in campaigns):
        rows, chosen["campaign"] = rows.filter(task__campaign__slug=campaign), campaign
    if state in STATES:
        rows, chosen["state"] = rows.filter(_in_state(viewer, state)), state
    page = Paginator(rows, PAGE_RUNS).get_page(request.GET.get("page"))
    return render(
        request,
        "pages/my_runs.html",
        {
            "section": "runs",
            "lines": lines_of(viewer, page.object_list),
            "page": page,
            "pages": page_links(page, lambda number: f"?{urlencode({**chosen, 'page': number})}"),
            "has_team": bool(viewer.teams),
            "campaigns": campaigns,
            "states": [(key, label) for key, (label, _) in STATES.items()],
            "chosen": chosen,
        },
    )
