"""The submit page. Files go into the store while the form is read, so CSRF is checked inside.

Django parses the form to find the CSRF token; the upload handler must be installed before. The
outer view is therefore exempt and installs it, the inner one is protected, as Django documents.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods

from campaigns import kinds, policies
from campaigns.forms.submissions import PairedRunForm, PairForm, RunForm, SubmissionForm
from campaigns.models import Original, Pair, Task, Team
from campaigns.policies import Viewer
from campaigns.services.quotas import quota_of
from campaigns.services.refusals import RefusalError
from campaigns.services.submissions import Details, submit_pair, submit_run
from campaigns.services.upload_handler import (
    StoreUploadHandler,
    receive_into_store,
    taking_files,
)
from campaigns.services.uploads import UploadError
from campaigns.views.arrivals import arrived
from campaigns.views.lookups import task_or_404, viewer_of
from campaigns.views.phases import phase_of
from campaigns.views.wording import kind_label, kind_sentence, tag_words


@dataclass(frozen=True, slots=True)
class _Page:
    """What a submit page is about."""

    viewer: Viewer
    task: Task
    teams: list[Team]
    is_pair: bool
    is_single: bool

    @property
    def form_class(self) -> type[SubmissionForm]:
        if not self.is_pair:
            return RunForm
        return PairedRunForm if self.is_single else PairForm

    @property
    def closed_reason(self) -> str:
        return policies.closed_reason(self.task, self.viewer.now)

    def form(self, *data: Any, **more: Any) -> SubmissionForm:
        if self.is_pair:
            more["originals"] = list(Original.objects.filter(task=self.task))
            more["partners"] = self._partners() if self.is_single else []
        return self.form_class(*data, task=self.task, teams=self.teams, **more)

    def _partners(self) -> list[Pair]:
        lacking = Pair.objects.filter(
            task=self.task, team__in=self.teams, deleted_at__isnull=True
        ).select_related("baseline", "advanced")
        return [pair for pair in lacking if pair.baseline_id is None or pair.advanced_id is None]


def _page(request: HttpRequest, campaign: str, task: str) -> _Page:
    viewer = viewer_of(request)
    found = task_or_404(viewer, campaign, task)
    teams = Team.objects.filter(pk__in=list(viewer.teams), campaign=found.campaign_id)
    is_pair = kinds.of(found).is_pair
    return _Page(viewer, found, list(teams), is_pair, request.GET.get("upload") == "run")


def _shown(
    request: HttpRequest, page: _Page, form: SubmissionForm, status: int = 200, twin: str = ""
) -> HttpResponse:
    task = page.task
    kind = kinds.of(task)
    now = page.viewer.now
    return render(
        request,
        "pages/submit.html",
        {
            "section": "campaigns",
            "campaign": task.campaign,
            "task": task,
            "kind": kind,
            "kind_label": kind_label(task),
            "kind_sentence": kind_sentence(task) if kind.is_pair else "",
            "phase": phase_of(task, now),
            "closed_reason": page.closed_reason,
            "teams": page.teams,
            "quotas": [(team, quota_of(task, team, now)) for team in page.teams],
            "is_single": page.is_single,
            "tag_words": tag_words(task.tag_pattern),
            "form": form,
            "own_fields": form.own_fields,
            "file_fields": [form[name] for name in form.upload_names],
            "twin": twin,
            "upload_limit": min(settings.MAX_UPLOAD_BYTES, task.file_bytes),
        },
        status=status,
    )


@taking_files
@csrf_exempt
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def submit(request: HttpRequest, campaign: str, task: str) -> HttpResponse:
    """The form, or what becomes of it."""
    page = _page(request, campaign, task)
    if request.method == "POST" and (not page.teams or page.closed_reason):
        # Said before a byte of the file is read; the service decides again at the last byte.
        return _shown(request, page, page.form(), 403)
    handler = receive_into_store(
        request, fields=page.form_class.upload_names, limit=page.task.file_bytes
    )
    try:
        return _submit(request, page, handler)
    finally:
        handler.discard()


@csrf_protect
def _submit(request: HttpRequest, page: _Page, handler: StoreUploadHandler) -> HttpResponse:
    if request.method != "POST":
        return _shown(request, page, page.form(initial=_initial(request)))
    form = page.form(request.POST, request.FILES)
    form.full_clean()
    try:
        handler.check_complete()
    except UploadError as fault:
        form.errors.clear()
        form.add_error(None, f"{fault.text} {fault.remedy}")
        return _shown(request, page, form, fault.status)
    _take_file_faults(form, handler)
    if not form.is_valid():
        return _shown(request, page, form, 422)
    try:
        address, text = _carry_out(page, form, handler)
    except RefusalError as refusal:
        form.add_errors(refusal.errors, refusal.text)
        return _shown(request, page, form, refusal.status, refusal.errors.get("run", ""))
    handler.keep()
    messages.success(request, text)
    return arrived(request, *address)


def _initial(request: HttpRequest) -> dict[str, str]:
    """What a link may fill in: the original and the partner of a run."""
    return {
        name: request.GET[name] for name in ("original", "partner", "role") if name in request.GET
    }


def _take_file_faults(form: SubmissionForm, handler: StoreUploadHandler) -> None:
    """Faults of the files stand beside their controls."""
    for name in form.upload_names:
        fault = handler.faults.get(name)
        if fault is not None:
            form.add_error(name, f"{fault.text} {fault.remedy}")
        elif name not in handler.received:
            form.add_error(name, "Choose the file that holds your run.")


def _partner(given: str) -> UUID | None:
    try:
        return UUID(given) if given else None
    except ValueError as error:
        raise BadRequest("The partner is no identifier.") from error


def _carry_out(
    page: _Page, form: SubmissionForm, handler: StoreUploadHandler
) -> tuple[tuple[Any, ...], str]:
    """Hand the files to the service; where to go next, and what to say there."""
    data = form.cleaned_data
    team = form.teams[data["team"]]
    details = Details(
        run_type=data["run_type"],
        title=data.get("title", ""),
        description=data["description"],
        system=data["system"],
        metadata=form.metadata(),
    )
    if isinstance(form, PairForm):
        pair = submit_pair(
            page.viewer,
            page.task,
            team,
            handler.received["baseline"],
            handler.received["advanced"],
            details,
            original=form.originals.get(data["original"]),
            family=data["family"],
        )
        return ("pages:pair", pair.pk), "Both runs are stored."
    more: dict[str, Any] = {}
    if isinstance(form, PairedRunForm):
        more = {
            "original": form.originals.get(data["original"]),
            "role": data["role"],
            "partner": _partner(data["partner"]),
        }
    run = submit_run(page.viewer, page.task, team, handler.received["file"], details, **more)
    return ("pages:run", run.pk), "The run is stored."
