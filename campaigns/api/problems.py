"""Errors as ``application/problem+json`` (RFC 9457)."""

from __future__ import annotations

from typing import Any

from rest_framework.response import Response
from rest_framework.views import exception_handler


def problem_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """The framework's answer, told as a problem document."""
    response = exception_handler(error, context)
    if response is None:
        return None
    detail = response.data.get("detail", "") if isinstance(response.data, dict) else ""
    response.data = {"title": str(detail) or response.status_text, "status": response.status_code}
    response.content_type = "application/problem+json"
    return response
