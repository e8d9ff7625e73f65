"""All runs of a campaign: found by filters, and changed one by one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from campaigns.forms.organize.campaigns import ReasonForm
from campaigns.models import Origin, Run, RunState, Task, Team
from campaigns.policies import Viewer
from campaigns.querysets import live_runs
from campaigns.services.organizing.desk import STATES, with_shown_state
from campaigns.services.organizing.runs import (
    mark_pooled,
    rescore_run,
    restore_run,
    retry_failed_runs,
)
from campaigns.services.refusals import RefusalError
from campaigns.services.retries import failed_jobs, retry_run
from campaigns.services.withdrawals import disqualify_run, reinstate_run, withdraw_run
from campaigns.states import latest_jobs, status_of
from campaigns.views.findings import findings
from campaigns.views.organize.base import Place, organizers_only, shown
from campaigns.views.paging import page_links
from campaigns.views.run_steps import WORDS

PAGE_RUNS = 100
TONES = {
    "rejected": "bad", "failed": "bad", "scored": "ok", "withdrawn": "warn", "disqualified": "bad",
}  # fmt: skip
FILTERS = ("task", "team", "state", "hint", "checksum", "q")


def _runs(place: Place, query: Any) -> QuerySet[Any]:
    rows = live_runs().filter(task__campaign=place.campaign)
    rows = rows.filter(origin=Origin.ORIGINAL if query.get("origin") else Origin.SUBMITTED)
    if query.get("task"):
        rows = rows.filter(task__slug=query["task"])
    if query.get("team"):
        rows = rows.filter(team__slug=query["team"])
    if query.get("checksum"):
        rows = rows.filter(text_sha256=query["checksum"])
    if query.get("q"):
        word = query["q"][:200]
        rows = rows.filter(Q(tag__icontains=word) | Q(title__icontains=word))
    if query.get("hint"):
        hinted = rows.exclude(organizer_messages=[]).only("pk", "organizer_messages")
        rows = rows.filter(
            pk__in=[
                run.pk
                for run in hinted
                if any(one.get("kind") == query["hint"] for one in run.organizer_messages)
            ]
        )
    rows = with_shown_state(rows)
    if query.get("state") in STATES:
        rows = rows.filter(shown=query["state"])
    return rows.select_related("task", "team", "file", "original").order_by("-received_at", "id")


@require_safe
@organizers_only()
def runs(request: HttpRequest, place: Place) -> HttpResponse:
    """The table, newest first."""
    query = request.GET
    page = Paginator(_runs(place, query), PAGE_RUNS).get_page(query.get("page"))
    kept = {name: query[name] for name in (*FILTERS, "origin") if query.get(name)}
    context = {
        "page": page,
        "pages": page_links(page, lambda number: f"?{urlencode({**kept, 'page': number})}"),
        "lines": [(run, STATES[run.shown], TONES.get(run.shown, "")) for run in page],
        "tasks": Task.objects.filter(campaign=place.campaign, deleted_at=None),
        "teams": Team.objects.filter(campaign=place.campaign, deleted_at=None).order_by("name"),
        "states": STATES.items(),
        "query": query,
        "is_filtered": bool(kept),
        "has_failed": query.get("state") == "failed" and page.paginator.count,
    }
    return shown(request, place, "runs", context, tab="runs")


def _run(place: Place, pk: UUID) -> Run:
    run = (
        live_runs()
        .filter(task__campaign=place.campaign, pk=pk)
        .select_related("task__campaign", "task__collection", "team", "file", "original")
        .first()
    )
    if run is None:
        raise Http404
    return run


@require_safe
@organizers_only()
def run(request: HttpRequest, place: Place, pk: UUID) -> HttpResponse:
    """One run with everything that an organizer may do to it."""
    found = _run(place, pk)
    status = status_of(found, latest_jobs([found]).get(found.pk, []))
    word, tone = WORDS.get(status.state, (status.state, ""))
    twins = live_runs().filter(
        task__campaign=place.campaign, text_sha256=found.text_sha256
    ).exclude(pk=found.pk).select_related("team", "task")  # fmt: skip
    context = {
        "run": found,
        "task": found.task,
        "status": status,
        "word": word,
        "tone": tone,
        "failed": failed_jobs(found),
        "is_accepted": found.state in (RunState.ACCEPTED, RunState.SCORED),
        "is_submitted": found.origin == Origin.SUBMITTED,
        "may_rescore": found.task.boards.exists(),
        "twins": twins if found.text_sha256 else [],
        "events": found.events.all(),
        "hints": findings(found.organizer_messages),
        "form": ReasonForm(),
    }
    return shown(request, place, "run", context, tab="runs")


def _withdraw(viewer: Viewer, run: Run, reason: str) -> None:
    withdraw_run(viewer, run)


ACTIONS: dict[str, tuple[Callable[[Viewer, Run, str], Any], str]] = {
    "retry": (lambda viewer, run, _: retry_run(viewer, run), "The work has been started again."),
    "rescore": (lambda viewer, run, _: rescore_run(viewer, run), "The run is being scored again."),
    "disqualify": (disqualify_run, "The run is disqualified. Boards show the reason."),
    "reinstate": (reinstate_run, "The run counts again."),
    "withdraw": (_withdraw, "The run is withdrawn. It no longer stands on boards."),
    "restore": (restore_run, "The run is back."),
    "pooled": (
        lambda viewer, run, _: mark_pooled(viewer, run, is_pooled=True),
        "The run is marked as pooled.",
    ),
    "not-pooled": (
        lambda viewer, run, _: mark_pooled(viewer, run, is_pooled=False),
        "The run is no longer marked as pooled.",
    ),
}


@require_POST
@organizers_only()
def act_on_run(request: HttpRequest, place: Place, pk: UUID, action: str) -> HttpResponse:
    """Do one thing to a run, for a reason where it needs one."""
    found = _run(place, pk)
    if action not in ACTIONS:
        raise Http404
    do, text = ACTIONS[action]
    try:
        do(place.viewer, found, request.POST.get("reason", "")[:1000])
    except RefusalError as refusal:
        messages.error(request, " ".join([refusal.text, *refusal.errors.values()]))
    else:
        messages.success(request, text)
    return redirect("organize:run", place.campaign.slug, found.pk)


@require_POST
@organizers_only()
def retry_failed(request: HttpRequest, place: Place) -> HttpResponse:
    """Start everything again that failed."""
    try:
        count = retry_failed_runs(place.viewer, place.campaign)
    except RefusalError as refusal:
        messages.error(request, refusal.text)
    else:
        word = "run" if count == 1 else "runs"
        messages.success(request, f"The failed work of {count} {word} has been started again.")
    return redirect("organize:runs", place.campaign.slug)
