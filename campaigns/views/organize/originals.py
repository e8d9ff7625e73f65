"""Original pairs of a task, with the checks of their runs."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_POST

from campaigns import kinds
from campaigns.forms.organize.originals import OriginalForm
from campaigns.models import Origin, Original, Run, RunRole, RunState, Task
from campaigns.policies import Viewer
from campaigns.services.organizing.originals import create_original, give_original_run
from campaigns.services.refusals import RefusalError
from campaigns.services.upload_handler import receive_into_store, taking_files
from campaigns.services.uploads import UploadError
from campaigns.views.arrivals import arrived
from campaigns.views.organize.base import Place, organizers_only, posted, shown
from campaigns.views.run_list import RunLine, lines_of

SIGNS = {RunRole.BASELINE.value: "b", RunRole.ADVANCED.value: "a"}


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two runs of an original."""

    role: str
    name: str
    line: RunLine | None

    @property
    def may_upload(self) -> bool:
        """A role without a sound run takes a file."""
        return self.line is None or self.line.run.state == RunState.REJECTED

    @property
    def is_moving(self) -> bool:
        """Its check is under way."""
        return self.line is not None and self.line.status.state in ("checking", "scoring")


def _originals(viewer: Viewer, task: Task) -> list[tuple[Original, list[Side]]]:
    runs = Run.objects.filter(
        task=task, origin=Origin.ORIGINAL, deleted_at__isnull=True
    ).select_related("file", "task__campaign")
    by_place = {(line.run.original_id, line.run.role): line for line in lines_of(viewer, runs)}
    return [
        (
            original,
            [
                Side(role, f"{role.capitalize()} {sign}", by_place.get((original.pk, role)))
                for role, sign in SIGNS.items()
            ],
        )
        for original in Original.objects.filter(task=task)
    ]


def _pair_task(place: Place, slug: str) -> Task:
    task = place.task(slug)
    if not kinds.of(task).is_pair:
        raise Http404
    return task


@organizers_only()
def originals(request: HttpRequest, place: Place, task: str) -> HttpResponse:
    """The pairs, a form for another one, and a file control where a run is missing."""
    row = _pair_task(place, task)
    form = OriginalForm(posted(request))
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        try:
            create_original(
                place.viewer, row, data["slug"], title=data["title"], paper=data["paper"]
            )
        except RefusalError as refusal:
            form.add_refusal(refusal)
        else:
            messages.success(request, "The original is there. Next: its two runs.")
            return redirect("organize:originals", place.campaign.slug, row.slug)
    found = _originals(place.viewer, row)
    is_moving = any(side.is_moving for _, sides in found for side in sides)
    context = {
        "task": row,
        "kind": kinds.of(row),
        "sub": "originals",
        "form": form,
        "originals": found,
        "is_moving": is_moving,
    }
    status = 422 if form.is_bound else 200
    return shown(request, place, "originals", context, tab="tasks", status=status)


@taking_files
@csrf_exempt
@require_POST
@organizers_only()
def original_run(
    request: HttpRequest, place: Place, task: str, original: str, role: str
) -> HttpResponse:
    """Take the file of one run; it streams into the store while the form is read."""
    row = _pair_task(place, task)
    found = Original.objects.filter(task=row, slug=original).select_related("task__campaign")
    one = found.first()
    if one is None or role not in SIGNS:
        raise Http404
    back = redirect("organize:originals", place.campaign.slug, row.slug)
    handler = receive_into_store(request, fields=("file",), limit=settings.MAX_UPLOAD_BYTES)

    @csrf_protect
    def protected(request: HttpRequest) -> HttpResponse:
        request.POST  # noqa: B018  (this reads the body, as the handler wants it)
        try:
            handler.check_complete()
            for fault in handler.faults.values():
                raise fault
            if "file" not in handler.received:
                messages.error(request, "Choose a file first.")
                return back
            give_original_run(place.viewer, one, role, handler.received["file"])
        except UploadError as error:
            messages.error(request, f"{error.text} {error.remedy}")
            return back
        except RefusalError as refusal:
            messages.error(request, refusal.text)
            return back
        handler.keep()
        messages.success(request, "The run is stored and is being checked.")
        return arrived(request, "organize:originals", place.campaign.slug, row.slug)

    try:
        return protected(request)
    finally:
        handler.discard()
