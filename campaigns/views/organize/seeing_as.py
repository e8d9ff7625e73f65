"""Looking at the pages as a participant or as a visitor does."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from campaigns.models import Campaign, Team
from campaigns.policies import Viewer, oversees
from campaigns.views.lookups import SEEN_AS
from campaigns.views.organize.base import place_of

ROLES = ("participant", "visitor")


@require_POST
@login_required
def see_as(request: HttpRequest, campaign: str) -> HttpResponse:
    """Begin; the pages say so on top until it ends. Assessors may, for it changes nothing."""
    place = place_of(request, campaign, changes=False)
    role = request.POST.get("role", "")
    if role not in ROLES:
        messages.error(request, "Choose as whom.")
        return redirect("organize:desk", campaign)
    chosen = {"campaign": place.campaign.pk, "slug": campaign, "role": role}
    team = Team.objects.filter(
        campaign=place.campaign, slug=request.POST.get("team", ""), deleted_at=None
    ).first()
    if role == "participant" and team is not None:
        chosen |= {"team": team.pk, "team_name": team.name}
    request.session[SEEN_AS] = chosen
    return redirect("pages:campaign", campaign)


@require_POST
@login_required
def see_as_oneself(request: HttpRequest) -> HttpResponse:
    """End; back to the desk."""
    chosen = request.session.pop(SEEN_AS, None)
    slug = chosen.get("slug") if isinstance(chosen, dict) else None
    campaign = Campaign.objects.filter(slug=slug).first()
    if campaign is not None and oversees(Viewer.of(request.user), campaign.pk):
        return redirect("organize:desk", campaign.slug)
    return redirect("pages:home")
