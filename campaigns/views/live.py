"""Pages that change by themselves: they ask for their live part, and get it when it is new."""

from __future__ import annotations

import hashlib
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string

FRAME = "parts/live_frame.html"


def with_live_part(request: HttpRequest, template: str, context: dict[str, Any]) -> dict[str, Any]:
    """The context with the live part rendered, and its digest by which it is known again."""
    live = render_to_string(template, context, request)
    return {**context, "live": live, "seen": hashlib.sha256(live.encode()).hexdigest()[:16]}


def live_answer(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    """The live part alone; 204 while nothing has changed, so that nothing moves on the page."""
    full = with_live_part(request, template, context)
    if request.GET.get("seen") == full["seen"] and full["poll_seconds"] is not None:
        return HttpResponse(status=204)
    return render(request, FRAME, {**full, "is_swap": True})
