"""The page of a run, its live part, and what can be taken away from it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.core.files.storage import storages
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from campaigns import policies
from campaigns.forms.submissions import label_of
from campaigns.models import Pair, Run, RunState
from campaigns.policies import Viewer
from campaigns.services.receipts import receipt_of
from campaigns.services.retries import failed_jobs
from campaigns.services.shown_runs import shown_file_name, shown_status
from campaigns.states import latest_jobs
from campaigns.views.findings import findings, kinds_of_error
from campaigns.views.live import live_answer, with_live_part
from campaigns.views.lookups import run_or_404, viewer_of
from campaigns.views.passports import passport_of
from campaigns.views.run_numbers import numbers_of
from campaigns.views.run_steps import poll_seconds, steps_of, word_of
from campaigns.views.topic_bars import topic_bars
from campaigns.views.wording import kind_label

LIVE = "pages/run_live.html"


def _pairs(viewer: Viewer, run: Run) -> list[Pair]:
    pairs = Pair.objects.none()
    if run.role:
        own = {f"{run.role}": run}
        pairs = Pair.objects.filter(deleted_at__isnull=True, **own).select_related(
            "task__campaign", "baseline", "advanced"
        )
    return [pair for pair in pairs if policies.may_see_pair(viewer, pair)]


def _live_context(viewer: Viewer, run: Run, query: QueryDict) -> dict[str, Any]:
    """Everything on the page that changes by itself."""
    jobs = latest_jobs([run]).get(run.pk, [])
    status = shown_status(viewer, run, jobs)
    word, tone = word_of(status)
    may_see_report = policies.may_see_messages(viewer, run)
    may_see_scores = policies.may_see_scores(viewer, run)
    is_helper = policies.may_see_organizer_messages(viewer, run)
    report = findings(run.messages) if may_see_report else []
    numbers = numbers_of(viewer, run) if may_see_scores and status.state == "scored" else None
    return {
        "run": run,
        "heading": run.shown_name,
        "task": run.task,
        "campaign": run.task.campaign,
        "status": status,
        "word": word,
        "tone": tone,
        "steps": steps_of(run, status, jobs, is_withheld=not may_see_scores),
        "poll_seconds": poll_seconds(status),
        "live_url": reverse("pages:run-live", args=[run.pk]),
        "may_see_report": may_see_report,
        "findings": report,
        "error_kinds": kinds_of_error(report),
        "organizer_findings": findings(run.organizer_messages) if is_helper else [],
        "may_see_scores": may_see_scores,
        "numbers": numbers,
        "bars": topic_bars(viewer, run, query) if numbers else None,
        "passport": passport_of(run.task, numbers.qrels) if numbers else None,
        "may_retry": policies.may_retry(viewer, run) and bool(failed_jobs(run)),
    }


@require_safe
def run(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The page of a run."""
    viewer = viewer_of(request)
    found = run_or_404(viewer, pk)
    context = with_live_part(request, LIVE, _live_context(viewer, found, request.GET))
    is_own = policies.is_own_run(viewer, found)
    oversees = policies.oversees(viewer, found.task.campaign_id)
    context |= {
        "section": "runs" if is_own else "campaigns",
        "kind_label": kind_label(found.task),
        "pairs": _pairs(viewer, found),
        "is_inside": is_own or oversees,
        "oversees": oversees,
        "may_see_team": found.team_id is None
        or policies.may_see_team_name(viewer, found.task, found.team_id),
        "may_see_file": policies.may_see_file(viewer, found),
        "may_withdraw": found.withdrawn_at is None
        and found.state != RunState.REJECTED
        and policies.may_withdraw(viewer, found),
        "receipt": receipt_of(found) if is_own or oversees else None,
        "metadata": _metadata(found, everything=is_own or oversees),
    }
    return render(request, "pages/run.html", context)


def _metadata(run: Run, *, everything: bool) -> list[tuple[str, Any]]:
    """The task's own fields with their labels; others see those that are public."""
    return [
        (label_of(field), run.metadata[field["name"]])
        for field in run.task.fields
        if field["name"] in run.metadata and (everything or field.get("public"))
    ]


@require_safe
def run_live(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The part of the page that changes by itself."""
    viewer = viewer_of(request)
    context = _live_context(viewer, run_or_404(viewer, pk), request.GET)
    return live_answer(request, LIVE, context)


@require_safe
def run_file(request: HttpRequest, pk: UUID) -> FileResponse:
    """The run file as it was uploaded; it has a switch of its own."""
    viewer = viewer_of(request)
    found = Run.objects.select_related("task__campaign", "file").filter(pk=pk).first()
    if found is None or found.file is None or not policies.may_see_file(viewer, found):
        raise Http404
    kind = "application/gzip" if found.file.is_gzip else "text/plain; charset=utf-8"
    try:
        stored = storages["runs"].open(found.file.key)
    except FileNotFoundError as error:
        raise Http404 from error
    return FileResponse(
        stored,
        as_attachment=True,
        filename=shown_file_name(viewer, found),
        content_type=kind,
    )


@require_safe
def run_receipt(request: HttpRequest, pk: UUID) -> JsonResponse:
    """The signed receipt: its team's and the organizers'."""
    viewer = viewer_of(request)
    found = run_or_404(viewer, pk)
    receipt = receipt_of(found) if policies.may_see_messages(viewer, found) else None
    if receipt is None:
        raise Http404
    response = JsonResponse(receipt, json_dumps_params={"indent": 2})
    response["Content-Disposition"] = f'attachment; filename="receipt-{found.pk}.json"'
    return response
