"""Which board, in which order, which page: everything a board's address may ask for."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Page, Paginator
from django.db.models import F, QuerySet, TextField
from django.db.models.functions import Cast
from django.http import QueryDict

from campaigns.models import Board, BoardColumn, BoardRow, BoardState, BoardSubject, Task
from campaigns.services.listed_rows import listed_rows, with_cell

PAGE_ROWS = 200
KEPT = frozenset({"board", "set", "columns", "show", "sort", "dir", "type", "team", "best"})

Rows = QuerySet[BoardRow]

_COMMON = (
    "rank",
    "is_shared",
    "reason",
    "team_id",
    "team__name",
    "team__is_organizers",
)
FIELDS = {
    BoardSubject.RUNS.value: (*_COMMON, "run_id", "run__tag", "run__title", "run__run_type",
                              "run__origin"),
    BoardSubject.PAIRS.value: (*_COMMON, "pair_id", "pair__title", "pair__family",
                               "pair__baseline__tag", "pair__advanced__tag"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Order:
    """By which column the rows stand; no column is the order of the ranks."""

    column: BoardColumn | None
    is_reversed: bool


BY_RANK = Order(None, is_reversed=False)
BRIEF = ("task", "slug", "subject", "number", "state", "version", "switched_at")


def all_boards(task: Task, *, is_brief: bool = False) -> list[Board]:
    """Boards of a task in whatever state, with what their heads say or what tells them apart."""
    rows = Board.objects.filter(task=task).order_by("pk")
    if is_brief:
        return list(rows.only(*BRIEF))
    return list(rows.select_related("qrels__file", "original_qrels", "original"))


def is_shown(board: Board) -> bool:
    """Whether it is or was current; one that was put aside while it filled never shows.

    The first set is current from the start and so has no ``switched_at``.
    """
    was_current = board.switched_at is not None or board.number == 1
    return board.state == BoardState.CURRENT or (board.state == BoardState.PAST and was_current)


def chosen_board(boards: Sequence[Board], query: QueryDict) -> Board | None:
    """The board that the address names, else the first current one."""
    current = [board for board in boards if board.state == BoardState.CURRENT]
    slug = query.get("board", "")
    named = [board for board in boards if board.slug == slug]
    number = query.get("set", "")
    if number:
        slug = slug or (current[0].slug if current else "")
        exact = [b for b in boards if b.slug == slug and str(b.number) == number]
        return exact[0] if exact else None
    if slug:
        named_now = [board for board in named if board.state == BoardState.CURRENT]
        return named_now[0] if named_now else None
    return current[0] if current else None


def chosen_order(columns: Sequence[BoardColumn], query: QueryDict) -> Order:
    """The order that the address asks for; an unknown column is the order of the ranks."""
    by_key = {column.key: column for column in columns}
    return Order(by_key.get(query.get("sort", "")), query.get("dir") == "reverse")


def fields_of(board: Board, *, with_metadata: bool = False) -> tuple[str, ...]:
    """What a table reads of a row."""
    metadata = "pair__metadata" if board.subject == BoardSubject.PAIRS else "run__metadata"
    return FIELDS[board.subject] + ((metadata,) if with_metadata else ())


def ordered_rows(board: Board, order: Order) -> QuerySet[BoardRow]:
    """Rows of the board; undefined ones stand last, whichever way it is sorted."""
    listed = listed_rows(board)
    column = order.column
    if column is None or (column.is_primary and not order.is_reversed):
        return listed.order_by("position")
    by = {"target": "cell__rank", "none": "cell__value"}.get(column.goal, "cell__value")
    # The better end comes first; a column without a better end begins with its least value.
    is_descending = (column.goal == "high") != order.is_reversed
    expression = F(by).desc(nulls_last=True) if is_descending else F(by).asc(nulls_last=True)
    return with_cell(listed, board, column).order_by(expression, "position")


def page_of(
    rows: QuerySet[BoardRow], count: Callable[[], int], query: QueryDict, fields: Sequence[str]
) -> tuple[Page[BoardRow], list[dict[str, Any]]]:
    """The page that the address asks for, or the nearest there is, and these fields of its rows.

    ``count`` tells how many rows there are, which only boards of more than a page need.
    """
    paginator = Paginator(rows, PAGE_ROWS)
    if query.get("page", "1") == "1":
        first = _read(rows, fields, slice(PAGE_ROWS + 1))
        paginator.count = len(first) if len(first) <= PAGE_ROWS else count()
        return paginator.page(1), first[:PAGE_ROWS]
    paginator.count = count()
    page = paginator.get_page(query.get("page"))
    # Far down, all rows before would be read whole, only to be passed over.
    bottom = (page.number - 1) * PAGE_ROWS
    keys = list(rows.values_list("pk", flat=True)[bottom : bottom + PAGE_ROWS])
    listed = BoardRow.objects.filter(pk__in=keys).order_by()
    found = {row["pk"]: row for row in _read(listed, ("pk", *fields), slice(None))}
    return page, [found[key] for key in keys if key in found]


def _read(rows: Rows, fields: Sequence[str], part: slice) -> list[dict[str, Any]]:
    """These fields of the rows, and their ``cells``: all decoded at once, which is quicker."""
    found = list(rows.values(*fields, text=Cast("cells", TextField()))[part])
    decoded = json.loads(f"[{','.join(row.pop('text') for row in found)}]")
    for row, cells in zip(found, decoded, strict=True):
        row["cells"] = cells
    return found


def _is_kept(name: str) -> bool:
    return name in KEPT or name.startswith("f.")


def address(query: QueryDict, **changes: str | None) -> str:
    """The same address with some parameters changed; None takes one away."""
    merged: dict[str, Any] = {
        name: values
        for name, values in query.lists()
        if _is_kept(name) and name not in changes and any(values)
    }
    merged |= {name: value for name, value in changes.items() if value is not None}
    return f"?{urlencode(merged, doseq=True)}" if merged else "?"
