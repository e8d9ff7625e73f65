"""Files of the organizers: they stream into the store, and their check is shown live.

As on the submit page, the outer view is exempt from CSRF and installs the upload handler before
anything parses the form; the inner one is protected.
"""

from __future__ import annotations

import hashlib
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_POST, require_safe

from campaigns.models import Collection, FilePurpose, JobState, Task, Upload, UploadState
from campaigns.services.organizing.uploads import check_again, take_upload
from campaigns.services.refusals import RefusalError
from campaigns.services.upload_handler import StoreUploadHandler, receive_into_store, taking_files
from campaigns.services.uploads import UploadError
from campaigns.views.arrivals import arrived
from campaigns.views.findings import findings, kinds_of_error
from campaigns.views.organize.attention_items import qrels_href
from campaigns.views.organize.base import Place, organizers_only, shown

PURPOSES = {
    "qrels": FilePurpose.QRELS,
    "topics": FilePurpose.TOPICS,
    "document-ids": FilePurpose.DOCUMENT_IDS,
    "pool": FilePurpose.POOL,
    "initial-run": FilePurpose.INITIAL_RUN,
}
FIELD = "file"


def _purpose(name: str, *, is_task: bool) -> FilePurpose:
    purpose = PURPOSES.get(name)
    of_task = (FilePurpose.POOL, FilePurpose.INITIAL_RUN)
    if purpose is None or (purpose in of_task) != is_task:
        raise Http404
    return purpose


def _carry_out(
    request: HttpRequest,
    place: Place,
    handler: StoreUploadHandler,
    collection: Collection,
    purpose: FilePurpose,
    task: Task | None,
) -> HttpResponse:
    @csrf_protect
    def protected(request: HttpRequest) -> HttpResponse:
        back = (
            redirect("organize:task-files", place.campaign.slug, task.slug)
            if task
            else redirect("organize:collection", place.campaign.slug, collection.slug)
        )
        data = request.POST
        try:
            handler.check_complete()
            fault = handler.faults.get(FIELD)
            if fault is not None:
                raise fault
            if FIELD not in handler.received:
                messages.error(request, "Choose a file first.")
                return back
            upload = take_upload(
                place.viewer,
                collection,
                purpose,
                handler.received[FIELD],
                task=task,
                form=data.get("form", "").strip()[:40],
                language=data.get("language", "").strip()[:12],
                translation=_translation(data.get("translation", "")),
                changelog=data.get("changelog", "").strip(),
            )
        except UploadError as error:
            messages.error(request, f"{error.text} {error.remedy}")
            return back
        except RefusalError as refusal:
            messages.error(request, refusal.text)
            return back
        handler.keep()
        return arrived(request, "organize:upload", place.campaign.slug, upload.pk)

    return protected(request)


def _translation(word: str) -> str:
    return word if word in ("human", "machine") else "none"


def _receive(
    request: HttpRequest,
    place: Place,
    collection: Collection,
    purpose: FilePurpose,
    task: Task | None,
) -> HttpResponse:
    handler = receive_into_store(request, fields=(FIELD,), limit=settings.MAX_UPLOAD_BYTES)
    try:
        return _carry_out(request, place, handler, collection, purpose, task)
    finally:
        handler.discard()


@taking_files
@csrf_exempt
@require_POST
@organizers_only()
def upload_to_collection(
    request: HttpRequest, place: Place, collection: str, purpose: str
) -> HttpResponse:
    """Qrels, topics or document ids of a collection."""
    kind = _purpose(purpose, is_task=False)
    return _receive(request, place, place.collection(collection), kind, None)


@taking_files
@csrf_exempt
@require_POST
@organizers_only()
def upload_to_task(request: HttpRequest, place: Place, task: str, purpose: str) -> HttpResponse:
    """The pool or the initial run of a task."""
    found = place.task(task)
    kind = _purpose(purpose, is_task=True)
    return _receive(request, place, found.collection, kind, found)


def _upload(place: Place, pk: UUID) -> Upload:
    upload = (
        Upload.objects.filter(campaign=place.campaign, pk=pk)
        .select_related(
            "campaign", "collection", "task", "file", "qrels__task", "qrels__collection"
        )
        .first()
    )
    if upload is None:
        raise Http404
    return upload


def _context(place: Place, upload: Upload) -> dict[str, Any]:
    job = upload.jobs.order_by("-created_at").first()
    has_failed = (
        upload.state == UploadState.CHECKING
        and job is not None
        and job.state in (JobState.FAILED, JobState.CANCELLED)
    )
    report = findings(upload.messages)
    return {
        "campaign": place.campaign,
        "may_change": place.may_change,
        "upload": upload,
        "job": job,
        "has_failed": has_failed,
        "is_moving": upload.state == UploadState.CHECKING and not has_failed,
        "findings": report,
        "error_kinds": kinds_of_error(report),
        "qrels_href": qrels_href(place.campaign, upload.qrels) if upload.qrels else "",
    }


def _live(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    html = render_to_string("organize/parts/upload_report.html", context, request)
    # The token of a form differs each time, so it does not count as a change.
    job = context["job"]
    facts = f"{context['upload'].state} {context['has_failed']} {job.state if job else ''}"
    return {**context, "live": html, "told": hashlib.sha256(facts.encode()).hexdigest()[:12]}


@require_safe
@organizers_only()
def upload(request: HttpRequest, place: Place, pk: UUID) -> HttpResponse:
    """The report of a file."""
    context = _live(request, _context(place, _upload(place, pk)))
    return shown(request, place, "upload", context, tab="collections")


@require_safe
@organizers_only()
def upload_live(request: HttpRequest, place: Place, pk: UUID) -> HttpResponse:
    """The part of the report that changes; 204 while nothing does."""
    context = _live(request, _context(place, _upload(place, pk)))
    if context["is_moving"] and request.GET.get("told") == context["told"]:
        return HttpResponse(status=204)
    return render(request, "organize/parts/upload_frame.html", {**context, "is_swap": True})


@require_POST
@organizers_only()
def upload_again(request: HttpRequest, place: Place, pk: UUID) -> HttpResponse:
    """Start a check again that failed without a verdict."""
    found = _upload(place, pk)
    try:
        check_again(place.viewer, found)
    except RefusalError as refusal:
        messages.error(request, refusal.text)
    return redirect("organize:upload", place.campaign.slug, found.pk)
