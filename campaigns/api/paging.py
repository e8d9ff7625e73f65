"""Lists in pages, with ``count``, ``next`` and ``results``."""

from __future__ import annotations

from typing import Any

from rest_framework.pagination import PageNumberPagination
from rest_framework.response import Response


class Pages(PageNumberPagination):
    """``?page=`` and ``?page_size=``, 100 at a time and at most 1,000."""

    page_size = 100
    max_page_size = 1000
    page_size_query_param = "page_size"

    def get_paginated_response(self, data: Any) -> Response:
        """The page; ``next`` is null on the last."""
        return Response(
            {
                "count": self.page.paginator.count,
                "next": self.get_next_link(),
                "previous": self.get_previous_link(),
                "results": data,
            }
        )


class RowPages(Pages):
    """Rows of a board: a thousand at a time and at most 10,000."""

    page_size = 1000
    max_page_size = 10_000
