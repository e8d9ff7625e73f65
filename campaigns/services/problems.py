"""Problem documents (RFC 9457): one shape for every error of the REST interface."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any

CONTENT_TYPE = "application/problem+json"


def problem(
    status: int,
    detail: str,
    *,
    kind: str = "",
    errors: Mapping[str, str] | None = None,
    messages: Iterable[Mapping[str, Any]] = (),
    **more: Any,
) -> dict[str, Any]:
    """The document: ``errors`` lists faults by field, ``messages`` those of files."""
    document: dict[str, Any] = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
    }
    if kind:
        document["kind"] = kind
    if errors:
        document["errors"] = [{"field": name, "text": text} for name, text in errors.items()]
    if listed := [dict(message) for message in messages]:
        document["messages"] = listed
    return {**document, **more}
