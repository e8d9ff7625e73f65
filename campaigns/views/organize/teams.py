"""Teams of a campaign and their members."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from campaigns.forms.organize.campaigns import MemberForm, NewTeamForm, TeamForm
from campaigns.models import Membership, Team
from campaigns.querysets import live_runs
from campaigns.services.organizing.edits import stamp
from campaigns.services.organizing.teams import (
    SETTINGS,
    add_member,
    change_team,
    create_own_team,
    create_team,
    remove_member,
)
from campaigns.services.refusals import RefusalError
from campaigns.views.organize.base import Place, organizers_only, posted, shown


@organizers_only()
def teams(request: HttpRequest, place: Place) -> HttpResponse:
    """All teams, and a form for a new one."""
    form = NewTeamForm(posted(request))
    if request.method == "POST" and form.is_valid():
        try:
            made = create_team(
                place.viewer, place.campaign, form.cleaned_data["slug"], form.values(SETTINGS)
            )
        except RefusalError as refusal:
            form.add_refusal(refusal)
        else:
            messages.success(request, "The team is there. Next: its members.")
            return redirect("organize:team", place.campaign.slug, made.slug)
    rows = (
        Team.objects.filter(campaign=place.campaign, deleted_at=None)
        .annotate(
            members=Count(
                "memberships", filter=Q(memberships__left_at__isnull=True), distinct=True
            ),
            run_count=Count("runs", filter=Q(runs__in=live_runs()), distinct=True),
        )
        .order_by("name")
    )
    context = {
        "teams": rows,
        "form": form,
        "has_own": any(row.is_organizers for row in rows),
    }
    status = 422 if form.is_bound else 200
    return shown(request, place, "teams", context, tab="teams", status=status)


@require_POST
@organizers_only()
def own_team(request: HttpRequest, place: Place) -> HttpResponse:
    """Make the organizers' own team, or join it."""
    try:
        team = create_own_team(place.viewer, place.campaign)
    except RefusalError as refusal:
        messages.error(request, refusal.text)
        return redirect("organize:teams", place.campaign.slug)
    messages.success(request, "You are in the organizers' team: its runs stand as baselines.")
    return redirect("organize:team", place.campaign.slug, team.slug)


@organizers_only()
def team(request: HttpRequest, place: Place, team: str) -> HttpResponse:
    """A team: its name, its members, and a form that adds one."""
    row = place.team(team)
    is_member = request.method == "POST" and "email" in request.POST
    initial = {"name": row.name, "affiliation": row.affiliation, "seen": stamp(row, SETTINGS)}
    form = TeamForm(request.POST if request.method == "POST" and not is_member else None,
                    initial=initial)  # fmt: skip
    joining = MemberForm(request.POST if is_member else None, auto_id="member_%s")
    asked = joining if is_member else form
    if request.method == "POST" and asked.is_valid():
        data = asked.cleaned_data
        try:
            if is_member:
                joined = add_member(place.viewer, row, data["email"])
                messages.success(request, f"{joined.user} is in the team.")
            else:
                change_team(place.viewer, row, form.values(SETTINGS), data["seen"])
                messages.success(request, "The team is saved.")
        except RefusalError as refusal:
            asked.add_refusal(refusal)
        else:
            return redirect("organize:team", place.campaign.slug, row.slug)
    members = Membership.objects.filter(team=row, left_at=None).select_related("user")
    context = {"team": row, "form": form, "joining": joining, "members": members}
    status = 422 if asked.is_bound else 200
    return shown(request, place, "team", context, tab="teams", status=status)


@require_POST
@organizers_only()
def remove_from_team(request: HttpRequest, place: Place, team: str, person: UUID) -> HttpResponse:
    """A member leaves."""
    row = place.team(team)
    membership = (
        Membership.objects.filter(team=row, user__public_id=person, left_at=None)
        .select_related("team__campaign", "user")
        .first()
    )
    if membership is None:
        raise Http404
    try:
        remove_member(place.viewer, membership)
    except RefusalError as refusal:
        messages.error(request, refusal.text)
    else:
        messages.success(request, f"{membership.user} has left the team.")
    return redirect("organize:team", place.campaign.slug, row.slug)
