"""Errors as ``application/problem+json`` (RFC 9457), every fault listed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.core.exceptions import (
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousOperation,
    TooManyFieldsSent,
    TooManyFilesSent,
)
from django.http import Http404, UnreadablePostError
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler

from campaigns.services.problems import CONTENT_TYPE, problem
from campaigns.services.refusals import RefusalError
from campaigns.services.uploads import UploadError


class FaultyRequestError(Exception):
    """A request with faults in its fields and files, all of them listed (422)."""

    def __init__(self, errors: dict[str, str], messages: list[dict[str, Any]]) -> None:
        super().__init__("faulty request")
        self.errors, self.messages = errors, messages


class LaterError(Exception):
    """A refusal that ends by itself; ``seconds`` until then."""

    def __init__(self, refusal: RefusalError, seconds: int) -> None:
        super().__init__(refusal.text)
        self.refusal, self.seconds = refusal, seconds


class ScoresClosedError(exceptions.PermissionDenied):
    """The task is there, its scores are not."""

    default_detail = "The organizers have not opened the scores of this task."
    default_code = "scores_closed"


def _flat(detail: Any, field: str = "") -> Iterator[tuple[str, str]]:
    """Faults of a serializer, however deep, as field and text."""
    if isinstance(detail, dict):
        for name, inner in detail.items():
            yield from _flat(inner, f"{field}.{name}" if field else str(name))
    elif isinstance(detail, list):
        yield field, " ".join(str(one) for one in detail)
    else:
        yield field, str(detail)


def _told(status: int, detail: str, headers: dict[str, str] | None = None, **more: Any) -> Response:
    return Response(
        problem(status, detail, **more), status=status, headers=headers, content_type=CONTENT_TYPE
    )


def _refused(refusal: RefusalError, seconds: int | None = None) -> Response:
    errors = dict(refusal.errors)
    more: dict[str, Any] = {}
    if refusal.kind == "duplicate_submission" and "run" in errors:
        more["run"] = errors.pop("run")
    headers = {} if seconds is None else {"Retry-After": str(seconds)}
    return _told(
        refusal.status, refusal.text, headers, kind=refusal.kind, errors=errors or None, **more
    )


def _unread(error: UnreadablePostError) -> Response:
    """The client stopped sending: too slowly, or for good."""
    if isinstance(error.__cause__, TimeoutError) or "slow" in str(error):
        return _told(408, "The request came too slowly. Send it again.", {"Connection": "close"})
    return _told(400, "The request ended before all of it had arrived. Send it again.")


def _own(error: Exception) -> Response | None:
    """Answers to what the framework does not know."""
    if isinstance(error, RefusalError):
        return _refused(error)
    if isinstance(error, LaterError):
        return _refused(error.refusal, error.seconds)
    if isinstance(error, UploadError):
        return _told(error.status, str(error), kind=error.kind, messages=[error.as_message()])
    if isinstance(error, FaultyRequestError):
        return _told(
            422,
            "The request has faults; nothing was stored.",
            kind="bad_request",
            errors=error.errors,
            messages=error.messages,
        )
    if isinstance(error, UnreadablePostError):
        return _unread(error)
    if isinstance(error, (RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent)):
        return _told(413, "The form has more or longer fields than are taken.")
    if isinstance(error, SuspiciousOperation):
        return _told(400, "The request cannot be right.")
    return None


def problem_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """The answer to an error, told as a problem document; None leaves a 500 to the middleware."""
    if (own := _own(error)) is not None:
        return own
    if isinstance(error, (Http404, PermissionDenied)):
        error = exceptions.NotFound() if isinstance(error, Http404) else error
    response = exception_handler(error, context)
    if response is None:
        return None
    status = response.status_code
    headers = {
        name: response[name] for name in ("WWW-Authenticate", "Retry-After") if name in response
    }
    if isinstance(error, exceptions.ValidationError):
        errors = dict(_flat(error.detail))
        return _told(status, "Some values cannot be used.", headers, errors=errors)
    detail = response.data.get("detail", "") if isinstance(response.data, dict) else ""
    kind = "scores_closed" if isinstance(error, ScoresClosedError) else ""
    return _told(status, str(detail), headers, kind=kind)
