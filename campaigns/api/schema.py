"""Pieces of the OpenAPI schema: problems with real examples, pages, parameters."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    OpenApiResponse,
    inline_serializer,
)
from rest_framework import serializers

from campaigns.api.shapes import Problem
from campaigns.services.problems import CONTENT_TYPE, problem

PAGING = [
    OpenApiParameter("page", OpenApiTypes.INT, description="Page, from 1."),
    OpenApiParameter("page_size", OpenApiTypes.INT, description="Length of a page."),
]

_EXAMPLES: dict[int, dict[str, Any]] = {
    400: problem(400, "Some values cannot be used.", errors={"sort": "No column has this key."}),
    401: problem(401, "Authentication credentials were not provided."),
    403: problem(403, "This task closed at 2026-06-01 11:59:59 UTC.", kind="task_closed"),
    404: problem(404, "Not found."),
    408: problem(408, "The request came too slowly. Send it again."),
    409: problem(
        409,
        "Your team has already submitted this very run, as bm25 on 2026-05-30 09:12:44 UTC.",
        kind="duplicate_submission",
        run="0d5b1b0e-5d3a-4e43-9d36-4d40c7a3f3c1",
    ),
    411: problem(
        411, "Send the length of the body (Content-Length); bodies in chunks are not taken."
    ),
    413: problem(
        413,
        "The file holds more than 104,857,600 bytes of text.",
        kind="file_too_large",
        messages=[
            {
                "level": "error",
                "line": None,
                "kind": "file_too_large",
                "topic": None,
                "text": "The file holds more than 104,857,600 bytes of text.",
                "remedy": "Keep fewer documents per topic.",
            }
        ],
    ),
    415: problem(415, "Send the run as multipart/form-data."),
    422: problem(
        422,
        "The request has faults; nothing was stored.",
        kind="bad_request",
        errors={"run_type": "Choose one of automatic, manual."},
        messages=[
            {
                "level": "error",
                "line": None,
                "kind": "archive_damaged",
                "topic": None,
                "text": "The gzip file is damaged or cut off.",
                "remedy": "Compress the run again and check it with “gzip -t”.",
            }
        ],
    ),
    429: problem(429, "Your team may hand in 10 runs in 24 hours.", kind="per_day"),
}


def problems(*statuses: int) -> dict[Any, Any]:
    """The errors an address may answer with, each with an example."""
    return {
        (status, CONTENT_TYPE): OpenApiResponse(
            Problem,
            description=_EXAMPLES[status]["title"],
            examples=[OpenApiExample(str(status), value=_EXAMPLES[status])],
        )
        for status in statuses
    }


def page_of(item: type[serializers.Serializer[Any]]) -> serializers.Serializer[Any]:
    """A page of a list."""
    return inline_serializer(
        f"PageOf{item.__name__}",
        {
            "count": serializers.IntegerField(),
            "next": serializers.URLField(allow_null=True),
            "previous": serializers.URLField(allow_null=True),
            "results": item(many=True),
        },
    )
