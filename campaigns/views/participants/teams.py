"""Teams as their members see them: start one, look at it, invite, leave, hand it on."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from campaigns import policies
from campaigns.forms.teams import NewTeamForm
from campaigns.models import Campaign, Membership, Team
from campaigns.policies import Viewer
from campaigns.querysets import live_runs, visible_tasks
from campaigns.services import teams as services
from campaigns.services.refusals import RefusalError
from campaigns.views import once
from campaigns.views.lookups import campaign_or_404, viewer_of

RUNS_SHOWN = 5


def team_or_404(viewer: Viewer, campaign: str, slug: str) -> Team:
    """The team for its members and organizers; for all others there is none."""
    team = (
        Team.objects.filter(campaign__slug=campaign, slug=slug, campaign__deleted_at__isnull=True)
        .select_related("campaign")
        .first()
    )
    if team is None or not policies.may_see_team(viewer, team):
        raise Http404
    return team


@login_required
def my_teams(request: HttpRequest) -> HttpResponse:
    """All teams of the viewer."""
    viewer = viewer_of(request)
    teams = (
        Team.objects.filter(pk__in=list(viewer.teams), campaign__deleted_at__isnull=True)
        .select_related("campaign")
        .annotate(
            members=Count(
                "memberships", filter=Q(memberships__left_at__isnull=True), distinct=True
            ),
            run_count=Count("runs", filter=Q(runs__in=live_runs()), distinct=True),
        )
        .order_by("-campaign__created_at", "name")
    )
    context = {"section": "teams", "teams": teams, "open_campaigns": _open_to(viewer)}
    return render(request, "teams/mine.html", context)


def _open_to(viewer: Viewer) -> list[Campaign]:
    """Campaigns that take runs now and in which the viewer has no team yet, by their titles."""
    not_over = Q(closes__isnull=True) | Q(closes__gte=viewer.now - timedelta(seconds=1))
    tasks = visible_tasks(viewer).filter(not_over).exclude(campaign__in=set(viewer.teams.values()))
    found = {task.campaign for task in tasks if policies.is_open(task, viewer.now)}
    return sorted(found, key=lambda one: (one.title, one.slug))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_team(request: HttpRequest, campaign: str) -> HttpResponse:
    """Start a team in a campaign."""
    viewer = viewer_of(request)
    found = campaign_or_404(viewer, campaign)
    form = NewTeamForm(request.POST or None)
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                team = services.start_team(viewer, found, **form.cleaned_data)
            except RefusalError as refusal:
                form.add_error("name" if "name" in refusal.errors else None, refusal.text)
                status = refusal.status
            else:
                messages.success(request, "The team is there, and you are its contact.")
                return redirect("participants:team", found.slug, team.slug)
    own = Team.objects.filter(
        pk__in=[pk for pk, of in viewer.teams.items() if of == found.pk]
    ).order_by("name")
    context = {
        "section": "teams", "campaign": found, "form": form, "own_teams": own,
        "is_over": services.is_over(found, viewer), "most": services.MAX_TEAMS,
    }  # fmt: skip
    return render(request, "teams/new.html", context, status=status)


def _shown(request: HttpRequest, viewer: Viewer, team: Team, **more: Any) -> HttpResponse:
    members = (
        Membership.objects.filter(team=team, left_at__isnull=True)
        .select_related("user")
        .order_by("-is_contact", "joined_at")
    )
    runs = live_runs().filter(team=team)
    context = {
        "section": "teams",
        "campaign": team.campaign,
        "team": team,
        "members": members,
        "contacts": sum(one.is_contact for one in members),
        "run_count": runs.count(),
        "runs": runs.select_related("task", "file").order_by("-received_at")[:RUNS_SHOWN],
        "may_manage": policies.may_manage_team(viewer, team),
        "is_member": team.pk in viewer.teams,
        "once": once.new_ticket(),
        **more,
    }
    return render(request, "teams/team.html", context)


@login_required
@never_cache
def team(request: HttpRequest, campaign: str, team: str) -> HttpResponse:
    """A team: members, join link, newest runs."""
    viewer = viewer_of(request)
    return _shown(request, viewer, team_or_404(viewer, campaign, team))


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, campaign: str, team: str) -> HttpResponse:
    """Make or renew the join link, and show it this once; or end it."""
    viewer = viewer_of(request)
    found = team_or_404(viewer, campaign, team)
    back = redirect("participants:team", campaign, team)
    if request.method != "POST" or once.is_used(request):
        return back
    try:
        if "end" in request.POST:
            services.end_invitation(viewer, found)
            messages.success(request, "The join link has ended. Members stay.")
            return back
        secret = services.invite(viewer, found)
    except RefusalError as refusal:
        messages.error(request, refusal.text)
        return back
    once.use(request)
    found.refresh_from_db(fields=["invitation_digest"])
    link = request.build_absolute_uri(reverse("participants:join-link", args=[secret]))
    return _shown(request, viewer, found, link=link)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def leave(request: HttpRequest, campaign: str, team: str) -> HttpResponse:
    """Ask, then leave."""
    viewer = viewer_of(request)
    found = team_or_404(viewer, campaign, team)
    if found.pk not in viewer.teams:
        raise Http404
    if request.method == "POST":
        services.leave_team(viewer, found)
        messages.success(request, f"You have left {found.name}.")
        return redirect("participants:teams")
    members = Membership.objects.filter(team=found, left_at__isnull=True).select_related("user")
    others = [one for one in members.order_by("joined_at", "pk") if one.user != viewer.user]
    context = {
        "section": "teams", "campaign": found.campaign, "team": found, "others": others,
        "heir": None if any(one.is_contact for one in others) or not others else others[0],
    }  # fmt: skip
    return render(request, "teams/leave.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def remove_member(request: HttpRequest, campaign: str, team: str, person: UUID) -> HttpResponse:
    """Ask, then take somebody out of the team."""
    viewer = viewer_of(request)
    found = team_or_404(viewer, campaign, team)
    if request.method == "POST":
        try:
            gone = services.remove_from_team(viewer, found, person)
        except RefusalError as refusal:
            messages.error(request, refusal.text)
        else:
            messages.success(request, f"{gone} is no longer in the team.")
        return redirect("participants:team", campaign, team)
    member = (
        Membership.objects.filter(team=found, user__public_id=person, left_at__isnull=True)
        .select_related("user")
        .first()
    )
    if member is None or not policies.may_manage_team(viewer, found):
        raise Http404
    context = {
        "section": "teams", "campaign": found.campaign, "team": found, "member": member,
    }  # fmt: skip
    return render(request, "teams/remove.html", context)


@login_required
@require_POST
def contact(request: HttpRequest, campaign: str, team: str, person: UUID) -> HttpResponse:
    """Make somebody a contact of the team, or an ordinary member."""
    viewer = viewer_of(request)
    found = team_or_404(viewer, campaign, team)
    is_contact = request.POST.get("contact") == "yes"
    try:
        user = services.set_contact(viewer, found, person, is_contact=is_contact)
    except RefusalError as refusal:
        messages.error(request, refusal.text)
    else:
        says = "is a contact of the team" if is_contact else "is no contact of the team any more"
        messages.success(request, f"{user} {says}.")
    return redirect("participants:team", campaign, team)
