"""What all addresses share: who looks, scopes, rate limits, caching, and 404 for strangers."""

from __future__ import annotations

import uuid
from functools import cached_property
from typing import Any

from django.http import Http404
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.crypto import salted_hmac
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaigns import querysets
from campaigns.api.authentication import HeaderSessionAuthentication, TokenAuthentication
from campaigns.api.permissions import HasScope
from campaigns.api.throttles import SubmissionThrottle, UserThrottle, VisitorThrottle
from campaigns.models import Campaign, Pair, Run, Task
from campaigns.policies import Viewer


class OneRenderer(DefaultContentNegotiation):
    """Every address has one format, or takes ``?format=``; Accept is not asked."""

    def select_renderer(
        self, request: Request, renderers: Any, format_suffix: str | None = None
    ) -> tuple[Any, str]:
        """The first."""
        return renderers[0], renderers[0].media_type


def _stored_etag(response: Any, request: Any) -> Any:
    """ETag from the rendered bytes; 304 when the caller has them."""
    response["ETag"] = f'"{salted_hmac("etag", response.content).hexdigest()[:40]}"'
    return get_conditional_response(request, etag=response["ETag"], response=response)


class ApiView(APIView):
    """An address of the REST interface."""

    authentication_classes = [TokenAuthentication, HeaderSessionAuthentication]
    permission_classes = [HasScope]
    throttle_classes = [UserThrottle, VisitorThrottle, SubmissionThrottle]
    content_negotiation_class = OneRenderer
    # What belongs to a team may not be kept by a cache, not even a private one.
    is_own_data = False

    @cached_property
    def viewer(self) -> Viewer:
        """Who looks, at this moment."""
        return Viewer.of(self.request.user)

    def finalize_response(self, request: Any, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Say who may keep the answer, and add its ETag once it is rendered."""
        response = super().finalize_response(request, response, *args, **kwargs)
        patch_vary_headers(response, ("Authorization", "Cookie"))
        is_somebody = bool(getattr(request, "user", None) and request.user.is_authenticated)
        if self.is_own_data or request.method not in ("GET", "HEAD"):
            response["Cache-Control"] = "private, no-store"
        else:
            response["Cache-Control"] = "private, no-cache" if is_somebody else "no-cache"
        if isinstance(response, Response) and response.status_code == 200:
            plain = getattr(request, "_request", request)
            response.add_post_render_callback(lambda rendered: _stored_etag(rendered, plain))
        elif response.status_code == 200 and not response.streaming:
            return _stored_etag(response, request)
        return response

    def campaign(self, slug: str) -> Campaign:
        """A campaign the viewer may see, else 404."""
        found = querysets.visible_campaigns(self.viewer).filter(slug=slug).first()
        if found is None:
            raise Http404
        return found

    def task(self, slug: str, task: str) -> Task:
        """A task the viewer may see, else 404."""
        found = (
            querysets.visible_tasks(self.viewer)
            .select_related("campaign", "collection", "original_collection")
            .filter(campaign__slug=slug, slug=task)
            .first()
        )
        if found is None:
            raise Http404
        return found

    def run(self, pk: uuid.UUID) -> Run:
        """A run the viewer may see, else 404."""
        found = (
            querysets.visible_runs(self.viewer)
            .select_related("task__campaign", "team", "file", "original", "system")
            .filter(pk=pk)
            .first()
        )
        if found is None:
            raise Http404
        return found

    def pair(self, pk: uuid.UUID) -> Pair:
        """A pair the viewer may see, else 404."""
        found = (
            querysets.visible_pairs(self.viewer)
            .select_related(
                "task__campaign",
                "team",
                "original",
                *(f"{role}__{name}" for role in ("baseline", "advanced") for name in RUN_PARTS),
            )
            .filter(pk=pk)
            .first()
        )
        if found is None:
            raise Http404
        return found


RUN_PARTS = ("team", "file", "original", "system")
