"""Around every request: bodies that cannot be right, API errors as problems, private answers.

The checks of bodies run before the CSRF view, which would parse a form.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.template.loader import render_to_string
from django.urls import Resolver404, resolve
from django.utils.cache import patch_cache_control

from campaigns.services.problems import CONTENT_TYPE, problem

API = "/api/"
WITH_BODY = ("POST", "PUT", "PATCH")
NO_LENGTH = "Send the length of the body (Content-Length); bodies in chunks are not taken."


def takes_files(path: str) -> bool:
    """Whether the view at this address takes run files: its class says ``takes_files = True``."""
    try:
        view: Any = resolve(path).func
    except Resolver404:
        return False
    owner = getattr(view, "cls", None) or getattr(view, "view_class", None) or view
    return bool(getattr(owner, "takes_files", False))


def body_fault(request: HttpRequest) -> tuple[int, str] | None:
    """Status and text when the announced body cannot be taken."""
    meta = request.META
    length_text = str(meta.get("CONTENT_LENGTH") or "").strip()
    if meta.get("HTTP_TRANSFER_ENCODING"):
        return HTTPStatus.LENGTH_REQUIRED, NO_LENGTH
    if not length_text:
        has_body = request.method in WITH_BODY and (
            meta.get("CONTENT_TYPE") or takes_files(request.path_info)
        )
        return (HTTPStatus.LENGTH_REQUIRED, NO_LENGTH) if has_body else None
    if not (length_text.isascii() and length_text.isdigit()):
        return HTTPStatus.BAD_REQUEST, "Content-Length is not a whole number."
    length = int(length_text)
    limit = settings.MAX_BODY_BYTES
    if length > limit and takes_files(request.path_info):
        limit = settings.MAX_UPLOAD_BYTES
    if length > limit:
        return (
            HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
            f"The body has {length:,} bytes; at most {limit:,} are taken here.",
        )
    return None


def problem_response(status: int, text: str, **more: Any) -> HttpResponse:
    """A problem document outside the REST framework."""
    body = json.dumps(problem(status, text, **more))
    return HttpResponse(body, status=status, content_type=CONTENT_TYPE)


class ContentLengthMiddleware:
    """Checks address and announced body; tells errors under ``/api/`` as problems."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Refuse what cannot be taken, else pass it on."""
        is_api = request.path_info.startswith(API)
        if "\0" in request.path_info and not is_api:
            raise Http404  # no address has one, and PostgreSQL cannot look for it
        fault = body_fault(request)
        if fault is not None:
            status, text = fault
            if is_api:
                return problem_response(status, text)
            return HttpResponse(
                render_to_string("refused.html", {"status": int(status), "text": text}),
                status=status,
            )
        if is_api and request.method not in ("GET", "HEAD") and self._lacks_slash(request):
            return problem_response(404, "Addresses end with a slash: add it and send again.")
        response = self.get_response(request)
        if is_api and response.status_code >= 400 and self._is_page(response):
            return self._as_problem(request, response)
        if response.status_code == HTTPStatus.METHOD_NOT_ALLOWED and not response.content:
            response.content = render_to_string("405.html", request=request)
            response["Content-Length"] = str(len(response.content))
        return response

    @staticmethod
    def _lacks_slash(request: HttpRequest) -> bool:
        """A redirect would turn the POST into a GET."""
        if request.path_info.endswith("/"):
            return False
        try:
            resolve(f"{request.path_info}/")
        except Resolver404:
            return False
        return True

    @staticmethod
    def _is_page(response: HttpResponse) -> bool:
        return response.get("Content-Type", "").startswith(("text/html", "text/plain"))

    @staticmethod
    def _as_problem(request: HttpRequest, response: HttpResponse) -> HttpResponse:
        status = response.status_code
        if status >= 500 and settings.DEBUG:
            return response
        texts = {
            404: f"There is nothing at {request.path}.",
            500: "Something went wrong on our side. It has been noted; try again later.",
        }
        told = problem_response(status, texts.get(status, response.reason_phrase))
        if "Allow" in response:
            told["Allow"] = response["Allow"]
        return told


class PrivateAnswersMiddleware:
    """What somebody who is logged in gets is not for shared caches, unless a view says so."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The cookie decides, so that no query is made for it."""
        response = self.get_response(request)
        is_somebody = settings.SESSION_COOKIE_NAME in request.COOKIES
        if is_somebody and not response.has_header("Cache-Control"):
            patch_cache_control(response, private=True, no_cache=True)
        return response
