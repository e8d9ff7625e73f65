"""Refuses oversized bodies before anything parses them."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse


class ContentLengthMiddleware:
    """Runs before the CSRF view, which would parse the form."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Refuse a body that says it is larger than any upload may be."""
        try:
            length = int(request.META.get("CONTENT_LENGTH") or 0)
        except ValueError:
            return HttpResponse("Content-Length is not a number.", status=400)
        if length > settings.MAX_UPLOAD_BYTES:
            return HttpResponse("The body is larger than an upload may be.", status=413)
        return self.get_response(request)
