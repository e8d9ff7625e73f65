"""The first page: what this is, and which campaigns there are."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.db.models import Count, Prefetch, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from campaigns import policies
from campaigns.models import Campaign, Task
from campaigns.querysets import visible_campaigns
from campaigns.views.effect_chart import home_chart
from campaigns.views.lookups import viewer_of
from campaigns.views.phases import CLOSED, OPEN, UPCOMING, Phase, phase_of_all


@dataclass(frozen=True, slots=True)
class Entry:
    """A campaign in the list."""

    campaign: Campaign
    phase: Phase
    tasks: list[Task]


def home(request: HttpRequest) -> HttpResponse:
    """Campaigns the viewer may see: open, upcoming, closed."""
    viewer = viewer_of(request)
    tasks = Task.objects.filter(deleted_at__isnull=True)
    campaigns = (
        visible_campaigns(viewer)
        .prefetch_related(Prefetch("tasks", queryset=tasks))
        .annotate(
            team_count=Count(
                "teams", filter=Q(teams__deleted_at__isnull=True, teams__is_organizers=False)
            )
        )
    )
    entries = []
    for campaign in campaigns:
        own = list(campaign.tasks.all())
        entries.append(Entry(campaign, phase_of_all(own, viewer.now), own))
    by_phase = {
        name: [entry for entry in entries if entry.phase.name == name]
        for name in (OPEN, UPCOMING, CLOSED)
    }
    context = {
        "section": "campaigns",
        "chart": home_chart(viewer),
        # A visitor is asked to log in first.
        "may_start": policies.may_create_campaign(viewer)
        or (viewer.user is None and settings.ANYBODY_MAY_ORGANIZE),
        **by_phase,
    }
    return render(request, "pages/home.html", context)
