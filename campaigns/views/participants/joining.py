"""Joining a team by its secret link.

The secret stands in the address once. The link puts its digest into the session and leads on, so
that neither the log-in nor the pages after it carry it in theirs, and nothing stores it.
"""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from campaigns.models import Membership
from campaigns.services.refusals import RefusalError
from campaigns.services.teams import digest_of, invited_to, join_team
from campaigns.views.lookups import viewer_of

_DIGEST = "join_digest"


@require_safe
@never_cache
def join_link(request: HttpRequest, secret: str) -> HttpResponse:
    """What was sent around; known and unknown links answer alike."""
    request.session[_DIGEST] = digest_of(secret)
    return redirect("participants:join")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest) -> HttpResponse:
    """Who invites, and to what; then join."""
    viewer = viewer_of(request)
    digest = request.session.get(_DIGEST, "")
    team = invited_to(digest)
    if team is None:
        return render(request, "teams/no_link.html", {"section": "teams"}, status=404)
    if request.method == "POST" and viewer.user is not None:
        try:
            join_team(viewer, digest)
        except RefusalError as refusal:
            messages.error(request, refusal.text)
        else:
            del request.session[_DIGEST]
            messages.success(request, "You are in the team. You may submit runs for it now.")
            return redirect("participants:team", team.campaign.slug, team.slug)
    context = {
        "section": "teams",
        "campaign": team.campaign,
        "team": team,
        "members": Membership.objects.filter(team=team, left_at__isnull=True).count(),
        "is_member": team.pk in viewer.teams,
    }
    return render(request, "teams/join.html", context)
