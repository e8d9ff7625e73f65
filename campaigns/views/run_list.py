"""Lists of a viewer's own runs with their states, in two queries."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from campaigns.models import Run, Task
from campaigns.policies import Viewer
from campaigns.states import Status, latest_jobs, status_of
from campaigns.views.lookups import viewer_of
from campaigns.views.run_steps import word_of

PAGE_RUNS = 100


@dataclass(frozen=True, slots=True)
class RunLine:
    """A run in a list."""

    run: Run
    status: Status
    word: str
    tone: str


def _rows(viewer: Viewer, task: Task | None) -> QuerySet[Run]:
    rows = Run.objects.filter(team__in=list(viewer.teams), deleted_at__isnull=True)
    if task is not None:
        rows = rows.filter(task=task)
    return rows.select_related("task__campaign", "team", "file", "original").order_by(
        "-received_at", "id"
    )


def lines_of(runs: Iterable[Run]) -> list[RunLine]:
    """Runs with what their jobs are doing."""
    listed = list(runs)
    jobs = latest_jobs(listed)
    found = []
    for run in listed:
        status = status_of(run, jobs.get(run.pk, []))
        found.append(RunLine(run, status, *word_of(status)))
    return found


def own_runs(viewer: Viewer, *, task: Task, limit: int = 20) -> list[RunLine]:
    """The newest runs of the viewer's teams in a task."""
    return lines_of(_rows(viewer, task)[:limit])


@login_required
def my_runs(request: HttpRequest) -> HttpResponse:
    """Runs of all the viewer's teams, newest first."""
    viewer = viewer_of(request)
    page = Paginator(_rows(viewer, None), PAGE_RUNS).get_page(request.GET.get("page"))
    return render(
        request,
        "pages/my_runs.html",
        {
            "section": "runs",
            "lines": lines_of(page.object_list),
            "page": page,
            "pages": [
                {"number": number, "href": f"?page={number}"}
                for number in page.paginator.page_range
            ],
            "has_team": bool(viewer.teams),
        },
    )
