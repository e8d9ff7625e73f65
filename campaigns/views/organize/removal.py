"""Tasks and campaigns are deleted after a question, and brought back by a button."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from campaigns import policies
from campaigns.forms.organize.campaigns import DeletionForm
from campaigns.models import Campaign, Origin, Role, Run, Task
from campaigns.policies import Viewer
from campaigns.services.organizing.removal import (
    delete_campaign,
    delete_task,
    restore_campaign,
    restore_task,
)
from campaigns.services.refusals import RefusalError
from campaigns.views.organize.base import Place, organizers_only, posted, shown


def _asked(
    request: HttpRequest, place: Place, form: DeletionForm, tab: str, **context: Any
) -> HttpResponse:
    status = 422 if form.is_bound else 200
    return shown(request, place, "delete", {"form": form, **context}, tab=tab, status=status)


def _is_done(form: DeletionForm, delete: Callable[[str], None]) -> bool:
    """Whether the question was answered and the thing deleted; a refusal stands in the form."""
    if not (form.is_bound and form.is_valid()):
        return False
    try:
        delete(form.cleaned_data["confirmation"])
    except RefusalError as refusal:
        form.add_refusal(refusal)
        return False
    return True


def _runs(**where: Any) -> int:
    return Run.objects.filter(origin=Origin.SUBMITTED, deleted_at__isnull=True, **where).count()


@organizers_only(changes=True)
def delete_a_task(request: HttpRequest, place: Place, task: str) -> HttpResponse:
    """Ask, then delete the task."""
    row = place.task(task)
    form = DeletionForm(posted(request), word=row.slug)
    if _is_done(form, partial(delete_task, place.viewer, row)):
        messages.success(request, f"{row.title} is deleted. It can be brought back below.")
        return redirect("organize:tasks", place.campaign.slug)
    back = reverse("organize:task", args=[place.campaign.slug, row.slug])
    return _asked(
        request, place, form, "tasks", what="task", row=row, runs=_runs(task=row), back=back
    )


@require_POST
@organizers_only(changes=True)
def bring_task_back(request: HttpRequest, place: Place, task: str) -> HttpResponse:
    """Undo the deletion of a task."""
    row = Task.objects.filter(campaign=place.campaign, slug=task).select_related("campaign").first()
    if row is None:
        raise Http404
    restore_task(place.viewer, row)
    messages.success(request, f"{row.title} is back as it was.")
    return redirect("organize:tasks", place.campaign.slug)


@organizers_only(changes=True)
def delete_a_campaign(request: HttpRequest, place: Place) -> HttpResponse:
    """Ask, then delete the campaign; for its owners."""
    row = place.campaign
    if not policies.may_change_role(place.viewer, row.pk, Role.OWNER):
        raise PermissionDenied
    form = DeletionForm(posted(request), word=row.slug)
    if _is_done(form, partial(delete_campaign, place.viewer, row)):
        messages.success(request, f"{row.title} is deleted. It can be brought back below.")
        return redirect("organize:campaigns")
    return _asked(
        request, place, form, "settings", what="campaign", row=row,
        runs=_runs(task__campaign=row), back=reverse("organize:settings", args=[row.slug]),
    )  # fmt: skip


@require_POST
@login_required
def bring_campaign_back(request: HttpRequest, campaign: str) -> HttpResponse:
    """Undo the deletion of a campaign; strangers are told that there is none."""
    viewer = Viewer.of(request.user)
    row = Campaign.objects.filter(slug=campaign).first()
    if row is None or not policies.oversees(viewer, row.pk):
        raise Http404
    try:
        restore_campaign(viewer, row)
    except RefusalError as refusal:
        raise PermissionDenied from refusal
    messages.success(request, f"{row.title} is back as it was.")
    return redirect("organize:desk", row.slug)
