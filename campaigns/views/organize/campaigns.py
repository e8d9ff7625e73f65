"""Campaigns that one organizes, a new one, its desk, its settings and its people."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from campaigns import policies
from campaigns.forms.organize.campaigns import CampaignForm, NewCampaignForm, PersonForm
from campaigns.models import AuditEntry, Campaign, CampaignRole, Role, Team
from campaigns.policies import Viewer
from campaigns.services.organizing.campaigns import (
    SETTINGS,
    change_campaign,
    create_campaign,
    give_role,
    take_role,
)
from campaigns.services.organizing.desk import STATES, answering_workers, runs_by_state, work_of
from campaigns.services.organizing.edits import stamp
from campaigns.services.refusals import RefusalError
from campaigns.views.organize.attention import items_of
from campaigns.views.organize.base import Place, organizers_only, posted, shown
from campaigns.views.organize.previews import coming_dates
from campaigns.views.phases import phase_of_all

LATEST = 6


@require_safe
@login_required
def campaigns(request: HttpRequest) -> HttpResponse:
    """The campaigns that the viewer organizes."""
    viewer = Viewer.of(request.user)
    every = Campaign.objects.all()
    if not viewer.is_site_administrator:
        every = every.filter(pk__in=list(viewer.roles))
    rows = [row for row in every if row.deleted_at is None]
    deleted = [
        row
        for row in every
        if row.deleted_at is not None and policies.may_change_role(viewer, row.pk, Role.OWNER)
    ]
    return render(
        request,
        "organize/campaigns.html",
        {
            "section": "organize",
            "lines": [(row, viewer.roles.get(row.pk, "administrator")) for row in rows],
            "deleted": deleted,
            "may_create": policies.may_create_campaign(viewer),
        },
    )


@login_required
def new_campaign(request: HttpRequest) -> HttpResponse:
    """A form, and then the desk of a new campaign."""
    viewer = Viewer.of(request.user)
    if not policies.may_create_campaign(viewer):
        raise PermissionDenied
    form = NewCampaignForm(posted(request))
    if request.method == "POST" and form.is_valid():
        try:
            made = create_campaign(viewer, form.cleaned_data["slug"], form.values(SETTINGS))
        except RefusalError as refusal:
            form.add_refusal(refusal)
        else:
            messages.success(request, "The campaign is there. Next: a collection, then a task.")
            return redirect("organize:desk", made.slug)
    context = {"section": "organize", "form": form}
    status = 422 if form.is_bound else 200
    return render(request, "organize/campaign_new.html", context, status=status)


@require_safe
@organizers_only()
def desk(request: HttpRequest, place: Place) -> HttpResponse:
    """What needs attention, how many runs are where, who is working, what comes next."""
    campaign, now = place.campaign, place.viewer.now
    counted = runs_by_state(campaign)
    tasks = [line.task for line in counted]
    work = work_of(campaign)
    lines = [
        (line.task, [(word, line.counts[word]) for word in STATES], line.total) for line in counted
    ]
    context: dict[str, Any] = {
        "items": items_of(campaign, tasks, work, now),
        "state_words": list(STATES.values()),
        "lines": lines,
        "scored": sum(line.counts["scored"] for line in counted),
        "total": sum(line.total for line in counted),
        "work": work,
        "phase": phase_of_all(tasks, now),
        "dates": coming_dates(tasks, now)[:LATEST],
        "entries": AuditEntry.objects.filter(campaign=campaign)[:LATEST],
        "teams": Team.objects.filter(campaign=campaign, deleted_at=None, is_organizers=False),
        "answered": answering_workers() if "ask" in request.GET else None,
        "was_asked": "ask" in request.GET,
    }
    return shown(request, place, "desk", context, tab="desk")


@require_safe
@organizers_only()
def workers(request: HttpRequest, place: Place) -> HttpResponse:
    """Which workers answer now; asked for by the desk once it is shown, since it takes a second."""
    context = {"answered": answering_workers(), "was_asked": True}
    return render(request, "organize/parts/workers.html", context)


@organizers_only(changes=True)
def settings(request: HttpRequest, place: Place) -> HttpResponse:
    """Settings of the campaign."""
    campaign = place.campaign
    initial = {name: getattr(campaign, name) for name in SETTINGS}
    initial["seen"] = stamp(campaign, SETTINGS)
    form = CampaignForm(posted(request), initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            change_campaign(
                place.viewer, campaign, form.values(SETTINGS), form.cleaned_data["seen"]
            )
        except RefusalError as refusal:
            form.add_refusal(refusal)
        else:
            messages.success(request, "The settings are saved.")
            return redirect("organize:settings", campaign.slug)
    status = 422 if form.is_bound else 200
    may_delete = policies.may_change_role(place.viewer, campaign.pk, Role.OWNER)
    context = {"form": form, "may_delete": may_delete}
    return shown(request, place, "settings", context, tab="settings", status=status)


def _people(
    request: HttpRequest, place: Place, form: PersonForm, status: int = 200
) -> HttpResponse:
    rows = CampaignRole.objects.filter(campaign=place.campaign).select_related("user")
    listed = list(rows.order_by("role", "user__email"))
    owners = sum(row.role == Role.OWNER for row in listed)
    lines = [
        (
            row,
            policies.may_change_role(place.viewer, place.campaign.pk, row.role)
            and not (row.role == Role.OWNER and owners == 1),
        )
        for row in listed
    ]
    return shown(
        request, place, "people", {"lines": lines, "form": form}, tab="people", status=status
    )


@organizers_only()
def people(request: HttpRequest, place: Place) -> HttpResponse:
    """Who organizes; a form that gives a role."""
    if request.method != "POST":
        return _people(request, place, PersonForm())
    form = PersonForm(request.POST)
    if form.is_valid():
        data = form.cleaned_data
        try:
            row = give_role(place.viewer, place.campaign, data["email"], data["role"])
        except RefusalError as refusal:
            form.add_refusal(refusal)
        else:
            messages.success(request, f"{row.user} is {row.role} now.")
            return redirect("organize:people", place.campaign.slug)
    return _people(request, place, form, 422)


@require_POST
@organizers_only()
def remove_person(request: HttpRequest, place: Place, person: UUID) -> HttpResponse:
    """Take a role."""
    row = (
        CampaignRole.objects.filter(campaign=place.campaign, user__public_id=person)
        .select_related("user", "campaign")
        .first()
    )
    if row is None:
        raise Http404
    try:
        take_role(place.viewer, row)
    except RefusalError as refusal:
        messages.error(request, refusal.text)
    else:
        messages.success(request, f"{row.user} no longer has a role here.")
    return redirect("organize:people", place.campaign.slug)
