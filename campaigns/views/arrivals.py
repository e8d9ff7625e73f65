"""What is answered once a file has been taken."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse

WATCHED = "watched"


def arrived(request: HttpRequest, name: str, *args: Any) -> HttpResponse:
    """Lead on to a page; a script that shows the progress is told where to go.

    It goes there itself: if it followed, it would use up the message that the page is to show.
    """
    if request.headers.get("X-Upload") == WATCHED:
        return JsonResponse({"url": reverse(name, args=args)}, status=201)
    return redirect(name, *args)
