"""GET leaderboard/ as JSON, CSV or LaTeX."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from campaigns import policies
from campaigns.api.base import ApiView
from campaigns.api.paging import RowPages
from campaigns.api.problems import ScoresClosedError
from campaigns.api.schema import PAGING, problems
from campaigns.api.shapes_boards import Leaderboard as LeaderboardShape
from campaigns.models import Board, BoardColumn, BoardSubject, Task
from campaigns.services.board_exports import as_csv, as_tex
from campaigns.services.shown_boards import (
    board_facts,
    column_facts,
    columns_of,
    find_board,
    row_facts,
    rows_of,
)

FORMATS = ("json", "csv", "tex")
MAX_NUMBER = 10**9

CHOICES = [
    OpenApiParameter("format", OpenApiTypes.STR, enum=list(FORMATS), description="json"),
    OpenApiParameter(
        "subject", OpenApiTypes.STR, enum=["runs", "pairs"], description="Board of runs or of pairs"
    ),
    OpenApiParameter("original", OpenApiTypes.STR, description="Original of a pair task (slug)"),
    OpenApiParameter("qrels", OpenApiTypes.INT, description="An older version of the qrels"),
]
SORTING = [
    OpenApiParameter(
        "sort", OpenApiTypes.STR, description="Key of a column, best first; with - worst first"
    ),
    OpenApiParameter("columns", OpenApiTypes.STR, description="Keys of columns, by commas"),
]


def number_asked(request: Request, name: str) -> int | None:
    """A whole number from the query; ``ValidationError`` for anything else."""
    text = request.query_params.get(name, "")
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and int(text[:12]) <= MAX_NUMBER):
        raise ValidationError({name: "Give a whole number."})
    return int(text)


def text_asked(request: Request, name: str) -> str:
    """A text from the query that a database can look for."""
    text = request.query_params.get(name, "")
    if "\0" in text or len(text) > 200:
        raise ValidationError({name: "Give a shorter, printable text."})
    return text


def choice_asked(request: Request, name: str, choices: tuple[str, ...]) -> str:
    """One of some words from the query, or nothing."""
    text = request.query_params.get(name, "")
    if text and text not in choices:
        raise ValidationError({name: f"Choose one of {', '.join(choices)}."})
    return text


def board_asked(request: Request, task: Task, subject: str = "") -> Board | None:
    """The board that the query names; None when the task has none yet, 404 for a wrong name."""
    chosen = subject or choice_asked(
        request, "subject", (BoardSubject.RUNS.value, BoardSubject.PAIRS.value)
    )
    original, qrels = text_asked(request, "original"), number_asked(request, "qrels")
    board = find_board(task, subject=chosen, original=original, qrels=qrels)
    if board is None and (original or qrels is not None):
        raise Http404
    return board


def _split(key: str) -> list[str]:
    """Keys between commas; a comma inside parentheses belongs to its key."""
    keys, depth, current = [], 0, ""
    for sign in key:
        depth += (sign == "(") - (sign == ")")
        if sign == "," and depth == 0:
            keys.append(current)
            current = ""
        else:
            current += sign
    return [one.strip() for one in (*keys, current) if one.strip()]


def _columns(request: Request, board: Board) -> tuple[list[BoardColumn], BoardColumn | None, bool]:
    """The columns shown, the one to sort by, and whether worst comes first."""
    every = columns_of(board)
    by_key = {column.key: column for column in every}
    wanted = _split(request.query_params.get("columns", ""))
    if unknown := [key for key in wanted if key not in by_key]:
        raise ValidationError({"columns": f"No column has the key {', '.join(unknown)}."})
    sort = request.query_params.get("sort", "")
    is_reversed = sort.startswith("-")
    if sort and sort.removeprefix("-") not in by_key:
        raise ValidationError({"sort": f"No column has this key; there are {', '.join(by_key)}."})
    shown = [by_key[key] for key in wanted] if wanted else every
    return shown, by_key.get(sort.removeprefix("-")), is_reversed


class Leaderboard(ApiView):
    """The board of a task."""

    @extend_schema(
        operation_id="leaderboard",
        tags=["boards"],
        parameters=[*CHOICES, *SORTING, *PAGING],
        responses={
            (200, "application/json"): LeaderboardShape,
            (200, "text/csv"): OpenApiTypes.STR,
            (200, "application/x-tex"): OpenApiTypes.STR,
            **problems(400, 401, 403, 404, 429),
        },
    )
    def get(self, request: Request, slug: str, task: str) -> HttpResponse:
        """Show the board of a task: ranks, values, reasons for what is undefined."""
        found = self.task(slug, task)
        if not policies.may_see_board(self.viewer, found):
            raise ScoresClosedError
        shape = choice_asked(request, "format", FORMATS) or "json"
        board = board_asked(request, found)
        if board is None:
            if shape != "json":
                raise Http404
            return Response({"board": None, "columns": [], "count": 0, "next": None, "rows": []})
        columns, sort, is_reversed = _columns(request, board)
        rows = rows_of(board, sort, is_reversed=is_reversed)
        if shape != "json":
            told = [row_facts(self.viewer, found, row, columns) for row in rows]
            return _export(shape, found, board, columns, told)
        pages = RowPages()
        page = pages.paginate_queryset(rows, request, view=self) or []
        return Response(
            {
                "board": board_facts(board),
                "columns": [column_facts(board, found, column) for column in columns],
                "count": pages.page.paginator.count,
                "next": pages.get_next_link(),
                "rows": [row_facts(self.viewer, found, row, columns) for row in page],
            }
        )


def _export(
    shape: str, task: Task, board: Board, columns: list[BoardColumn], rows: list[dict[str, Any]]
) -> HttpResponse:
    if shape == "csv":
        text, media = as_csv(rows, [column.key for column in columns]), "text/csv"
    else:
        note = f"{task.campaign.slug} {task.slug}, {board.qrels}, board {board.number}"
        pairs = [(column.key, column.label) for column in columns]
        text, media = as_tex(rows, pairs, note), "application/x-tex"
    name = f"{task.campaign.slug}-{task.slug}-{board.slug}.{shape}"
    response = HttpResponse(text, content_type=f"{media}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
