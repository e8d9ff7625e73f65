"""Tasks: a list, a form for each kind, dates and switches, and the files of a task."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from campaigns import kinds
from campaigns.forms.organize.own_fields import OwnFields, own_fields_initial
from campaigns.forms.organize.plan import PlanForm, plan_initial
from campaigns.forms.organize.tasks import (
    NewTaskForm,
    TaskForm,
    task_initial,
)
from campaigns.kinds import KINDS, Kind
from campaigns.models import Collection, Task, Upload
from campaigns.services.organizing.edits import stamp
from campaigns.services.organizing.task_settings import PLAN, Settings, read_settings
from campaigns.services.organizing.tasks import (
    SETTINGS,
    change_plan,
    change_task,
    create_task,
    has_runs,
    runs_scored_again,
)
from campaigns.services.refusals import RefusalError
from campaigns.views.organize.base import Place, organizers_only, shown
from campaigns.views.organize.collections import LISTED_UPLOADS, versions_of
from campaigns.views.organize.previews import measure_lines, tag_verdict, times_of
from campaigns.views.phases import phase_of
from campaigns.views.wording import kind_label


@dataclass(slots=True)
class _Asked:
    """What was sent: the form, the forms of its own fields, and whether only to preview."""

    form: TaskForm
    own: Any
    is_preview: bool

    def is_valid(self) -> bool:
        """Both, so that all faults are shown at once."""
        return all([self.form.is_valid(), self.own.is_valid()])

    def definitions(self) -> list[dict[str, Any]]:
        """Own fields that have a name."""
        found = [one.definition() for one in self.own if hasattr(one, "cleaned_data")]
        return [one for one in found if one is not None]


@require_safe
@organizers_only()
def tasks(request: HttpRequest, place: Place) -> HttpResponse:
    """All tasks of the campaign, and the kinds that a new one may be of."""
    rows = Task.objects.filter(campaign=place.campaign, deleted_at=None).select_related(
        "campaign", "collection"
    )
    context = {
        "lines": [(row, kind_label(row), phase_of(row, place.viewer.now)) for row in rows],
        "kinds": KINDS.values(),
        "deleted": Task.objects.filter(campaign=place.campaign, deleted_at__isnull=False),
        "has_collection": Collection.objects.filter(campaign=place.campaign).exists(),
    }
    return shown(request, place, "tasks", context, tab="tasks")


def _asked(
    request: HttpRequest, place: Place, kind: Kind, initial: dict[str, Any], own: list[Any]
) -> _Asked:
    data = request.POST if request.method == "POST" else None
    form_class = NewTaskForm if "seen" not in initial else TaskForm
    collections = list(Collection.objects.filter(campaign=place.campaign, deleted_at=None))
    form = form_class(data, initial=initial, kind=kind, collections=collections)
    own_forms = OwnFields(data, initial=own, prefix="own")
    return _Asked(form, own_forms, data is not None and "preview" in data)


def _kind_asked(request: HttpRequest, default: str) -> Kind:
    name = request.POST.get("kind") or request.GET.get("kind") or default
    return KINDS.get(name, KINDS[default])


def _task_page(
    request: HttpRequest, place: Place, asked: _Asked, task: Task | None, status: int = 200
) -> HttpResponse:
    form = asked.form
    context = {
        "task": task,
        "kind": form.kind,
        "form": form,
        "own": asked.own,
        "sub": "settings",
        "has_runs": task is not None and has_runs(task),
        "scored_again": runs_scored_again(task) if task else 0,
        "measures": measure_lines(form.measure_lines(), str(form["primary"].value() or "")),
        "verdict": tag_verdict(
            str(form["tag_pattern"].value() or ""), str(form["try_tag"].value() or "")
        ),
        "is_preview": asked.is_preview,
    }
    return shown(request, place, "task_form", context, tab="tasks", status=status)


@organizers_only(changes=True)
def new_task(request: HttpRequest, place: Place) -> HttpResponse:
    """A form of one kind, and then the dates of the new task."""
    kind = _kind_asked(request, "ranking")
    blank = Task(measures=list(kind.default_measures), kind=kind.name, collection=Collection())
    initial = task_initial(blank) | {"topics_averaged": kind.averaging, "primary": ""}
    asked = _asked(request, place, kind, initial, [])
    if request.method != "POST" or asked.is_preview:
        return _task_page(request, place, asked, None)
    read = _read(place, asked)
    if read is not None:
        try:
            made = create_task(place.viewer, place.campaign, asked.form.cleaned_data["slug"], read)
        except RefusalError as refusal:
            _tell(asked, refusal)
        else:
            messages.success(
                request, "The task is there, paused. Set its dates and what is visible when."
            )
            return redirect("organize:plan", place.campaign.slug, made.slug)
    return _task_page(request, place, asked, None, 422)


def _collections_of(place: Place) -> list[Collection]:
    return list(Collection.objects.filter(campaign=place.campaign, deleted_at=None))


def _tell(asked: _Asked, refusal: RefusalError) -> None:
    """Faults stand at their field, those of own fields above; none is said twice."""
    form = asked.form
    known = set(form.errors)
    errors = {name: text for name, text in refusal.errors.items() if name not in known}
    of_own_fields = errors.pop("fields", "")
    if errors or not refusal.errors:
        form.add_refusal(RefusalError(refusal.kind, refusal.text, refusal.status, errors))
    if of_own_fields:
        form.add_error(None, of_own_fields)


def _read(place: Place, asked: _Asked) -> Settings | None:
    """What the forms hold; None with every fault at its place, of whichever form and rule."""
    is_valid = asked.is_valid()
    try:
        read = read_settings(asked.form.settings(asked.definitions()), _collections_of(place))
    except RefusalError as refusal:
        _tell(asked, refusal)
        return None
    return read if is_valid else None


@organizers_only(changes=True)
def task(request: HttpRequest, place: Place, task: str) -> HttpResponse:
    """Settings of a task."""
    row = place.task(task)
    initial = task_initial(row) | {"seen": stamp(row, SETTINGS)}
    kind = kinds.of(row) if has_runs(row) else _kind_asked(request, row.kind)
    initial["kind"] = kind.name.value
    asked = _asked(request, place, kind, initial, own_fields_initial(row.fields))
    if has_runs(row):
        for name in ("kind", "collection", "original_collection"):
            if name in asked.form.fields:
                asked.form.fields[name].disabled = True
    if request.method != "POST" or asked.is_preview:
        return _task_page(request, place, asked, row)
    read = _read(place, asked)
    if read is not None:
        data = asked.form.cleaned_data
        try:
            change_task(place.viewer, row, read, data["seen"], is_confirmed=data["confirm"])
        except RefusalError as refusal:
            _tell(asked, refusal)
        else:
            messages.success(request, "The settings are saved.")
            return redirect("organize:task", place.campaign.slug, row.slug)
    return _task_page(request, place, asked, row, 422)


@require_safe
@organizers_only(changes=True)
def task_preview(request: HttpRequest, place: Place) -> HttpResponse:
    """How measures and tag pattern are understood, while they are typed."""
    typed = [line.strip() for line in request.GET.get("measures", "").splitlines()]
    context = {
        "measures": measure_lines([line for line in typed if line], request.GET.get("primary", "")),
        "verdict": tag_verdict(request.GET.get("tag_pattern", ""), request.GET.get("try_tag", "")),
    }
    return render(request, "organize/parts/task_preview.html", context)


@organizers_only(changes=True)
def plan(request: HttpRequest, place: Place, task: str) -> HttpResponse:
    """Dates and switches of a task."""
    row = place.task(task)
    data = request.POST if request.method == "POST" else None
    form = PlanForm(data, initial=plan_initial(row) | {"seen": stamp(row, PLAN)})
    is_preview = data is not None and "preview" in data
    is_valid = data is not None and form.is_valid()
    if is_valid and not is_preview:
        sent = form.cleaned_data
        try:
            change_plan(place.viewer, row, sent["columns"], sent["seen"], sent["reason"])
        except RefusalError as refusal:
            form.add_refusal(refusal)
        else:
            messages.success(request, "Dates and switches are saved.")
            return redirect("organize:plan", place.campaign.slug, row.slug)
    columns = form.cleaned_data["columns"] if is_valid else None
    context = {
        "task": row,
        "kind": kinds.of(row),
        "form": form,
        "sub": "plan",
        "is_preview": is_preview and is_valid,
        "times": times_of(row, columns),
    }
    status = 422 if data is not None and not (is_preview and is_valid) else 200
    return shown(request, place, "plan", context, tab="tasks", status=status)


@require_safe
@organizers_only(changes=True)
def plan_preview(request: HttpRequest, place: Place, task: str) -> HttpResponse:
    """The dates in AoE, UTC and the reader's time, while they are typed."""
    row = place.task(task)
    form = PlanForm(request.GET)
    is_valid = form.is_valid()
    columns = form.cleaned_data.get("columns") if is_valid else None
    context = {"times": times_of(row, columns), "form": form, "is_preview": is_valid}
    return render(request, "organize/parts/plan_preview.html", context)


@require_safe
@organizers_only()
def task_files(request: HttpRequest, place: Place, task: str) -> HttpResponse:
    """The pool or the initial run of a task, with the reports of their checks."""
    row = place.task(task)
    context = {
        "task": row,
        "kind": kinds.of(row),
        "sub": "files",
        "versions": versions_of(place, row.collection, row),
        "uploads": Upload.objects.filter(task=row).select_related("file", "uploaded_by", "qrels")[
            :LISTED_UPLOADS
        ],
        "has_runs": has_runs(row),
    }
    return shown(request, place, "task_files", context, tab="tasks")
