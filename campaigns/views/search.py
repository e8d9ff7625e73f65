"""The search page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from campaigns import policies
from campaigns.services.searching import MOST, SHORTEST, cleaned, search
from campaigns.views.lookups import viewer_of


@require_safe
def search_page(request: HttpRequest) -> HttpResponse:
    """What is found for ``?q=``."""
    viewer = viewer_of(request)
    text = cleaned(request.GET.get("q", ""))
    found = search(viewer, text)
    context = {
        "section": "search",
        "text": text,
        "found": found,
        "is_short": bool(text) and len(text) < SHORTEST,
        "most": MOST,
        "teams": [(team, policies.may_see_team(viewer, team)) for team in found.teams],
    }
    return render(request, "search.html", context)
