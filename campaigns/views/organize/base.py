"""The door of the organizers' pages: who gets in, and what every page of theirs shares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render

from campaigns import policies
from campaigns.models import Campaign, Collection, Task, Team
from campaigns.policies import Viewer

View = Callable[..., HttpResponse]


@dataclass(frozen=True, slots=True)
class Place:
    """Whose campaign a page is about, and who asks. Never through other eyes."""

    viewer: Viewer
    campaign: Campaign

    @property
    def may_change(self) -> bool:
        """Assessors see everything and change nothing."""
        return policies.may_organize(self.viewer, self.campaign.pk)

    def collection(self, slug: str) -> Collection:
        """A collection of the campaign, or 404."""
        return _found(
            Collection.objects.filter(campaign=self.campaign, slug=slug, deleted_at=None)
            .select_related("campaign", "document_ids")
            .first()
        )

    def task(self, slug: str) -> Task:
        """A task of the campaign, or 404."""
        return _found(
            Task.objects.filter(campaign=self.campaign, slug=slug, deleted_at=None)
            .select_related("campaign", "collection", "original_collection", "initial_run")
            .first()
        )

    def team(self, slug: str) -> Team:
        """A team of the campaign, or 404."""
        return _found(
            Team.objects.filter(campaign=self.campaign, slug=slug, deleted_at=None)
            .select_related("campaign")
            .first()
        )


def _found(row: Any) -> Any:
    if row is None:
        raise Http404
    return row


def place_of(request: HttpRequest, slug: str, *, changes: bool) -> Place:
    """The campaign for its organizers; strangers get 404, assessors who would change it 403."""
    viewer = Viewer.of(request.user)
    campaign = Campaign.objects.filter(slug=slug, deleted_at__isnull=True).first()
    if campaign is None or not policies.oversees(viewer, campaign.pk):
        raise Http404
    place = Place(viewer, campaign)
    if changes and not place.may_change:
        raise PermissionDenied
    return place


def organizers_only(*, changes: bool = False) -> Callable[[View], View]:
    """Hand the view a ``Place``. ``changes``: a page that only makes sense to those who may."""

    def wrapped(view: View) -> View:
        @wraps(view)
        @login_required
        def inner(request: HttpRequest, campaign: str, **more: Any) -> HttpResponse:
            is_change = changes or request.method not in ("GET", "HEAD")
            return view(request, place_of(request, campaign, changes=is_change), **more)

        return inner

    return wrapped


def posted(request: HttpRequest) -> QueryDict | None:
    """What a form was sent with; None when none was sent."""
    return request.POST if request.method == "POST" else None


def shown(
    request: HttpRequest,
    place: Place,
    template: str,
    context: dict[str, Any],
    *,
    tab: str,
    status: int = 200,
) -> HttpResponse:
    """A page of theirs under its tab."""
    common = {
        "section": "organize",
        "campaign": place.campaign,
        "may_change": place.may_change,
        "tab": tab,
        "upload_limit": settings.MAX_UPLOAD_BYTES,
    }
    return render(request, f"organize/{template}.html", {**common, **context}, status=status)
