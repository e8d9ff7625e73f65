"""Finds what an address names, or answers 404: strangers do not learn what exists."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404, HttpRequest

from campaigns import policies
from campaigns.models import Campaign, Pair, Run, Task
from campaigns.policies import SeenAs, Viewer

SEEN_AS = "seen_as"
"""Key of the session: an organizer looks at pages as a participant or as a visitor."""


def viewer_of(request: HttpRequest) -> Viewer:
    """Who is looking, at this moment; organizers perhaps through the eyes of others.

    Only when pages are read: whatever is sent is judged by what its sender may really do.
    """
    viewer = Viewer.of(request.user)
    if request.method not in ("GET", "HEAD") or viewer.user is None:
        return viewer
    chosen = request.session.get(SEEN_AS)
    if not isinstance(chosen, dict) or not policies.oversees(viewer, chosen["campaign"]):
        return viewer
    return viewer.as_seen(
        SeenAs(chosen["campaign"], chosen["role"] == "participant", chosen.get("team"))
    )


def _found(rows: QuerySet[Any], **conditions: Any) -> Any:
    row = rows.filter(**conditions).first()
    if row is None:
        raise Http404
    return row


def campaign_or_404(viewer: Viewer, slug: str) -> Campaign:
    """The campaign, if the viewer may see it."""
    campaign: Campaign = _found(Campaign.objects.all(), slug=slug)
    if not policies.may_see_campaign(viewer, campaign):
        raise Http404
    return campaign


def task_or_404(viewer: Viewer, campaign: str, task: str, *, is_brief: bool = False) -> Task:
    """The task with its campaign and collections, if the viewer may see it.

    Where most readers have the page already, collections are fetched when they are named.
    """
    rows = Task.objects.select_related("campaign")
    if not is_brief:
        rows = rows.select_related("campaign", "collection", "original_collection")
    found: Task = _found(rows, campaign__slug=campaign, slug=task)
    if not policies.may_see_task(viewer, found):
        raise Http404
    return found


def run_or_404(viewer: Viewer, pk: UUID) -> Run:
    """The run with what its page needs, if the viewer may see it."""
    rows = Run.objects.select_related(
        "task__campaign",
        "task__collection",
        "task__original_collection",
        "team",
        "system",
        "file",
        "original",
        "submitted_by",
    )
    run: Run = _found(rows, pk=pk)
    if not policies.may_see_run(viewer, run):
        raise Http404
    return run


def pair_or_404(viewer: Viewer, pk: UUID) -> Pair:
    """The pair with its runs, if the viewer may see it."""
    rows = Pair.objects.select_related(
        "task__campaign",
        "task__collection",
        "task__original_collection",
        "team",
        "original",
        "baseline__file",
        "advanced__file",
    )
    pair: Pair = _found(rows, pk=pk)
    if not policies.may_see_pair(viewer, pair):
        raise Http404
    return pair
