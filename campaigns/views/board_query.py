"""Which board, in which order, which page: everything a board's address may ask for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Page, Paginator
from django.db.models import F, FilteredRelation, Q, QuerySet
from django.http import QueryDict

from campaigns.models import Board, BoardColumn, BoardRow, BoardState, BoardSubject, Task

PAGE_ROWS = 200

Rows = QuerySet[BoardRow, dict[str, Any]]

_COMMON = (
    "rank",
    "is_shared",
    "reason",
    "cells",
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


def shown_boards(task: Task) -> list[Board]:
    """Boards that are or were current; one that was put aside while it filled never shows.

    The first set is current from the start and so has no ``switched_at``.
    """
    was_current = Q(switched_at__isnull=False) | Q(number=1)
    return list(
        Board.objects.filter(Q(state=BoardState.CURRENT) | Q(state=BoardState.PAST) & was_current)
        .filter(task=task)
        .select_related("qrels__file", "original_qrels", "original")
        .order_by("pk")
    )


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


def _still_listed(subject: str) -> Q:
    """Rows whose runs have not been withdrawn since the ranking; joins only what the rows are."""
    if subject != BoardSubject.PAIRS:
        return Q(run__withdrawn_at__isnull=True, run__deleted_at__isnull=True)
    # A missing partner is joined as nulls, and so is not withdrawn.
    return Q(
        pair__deleted_at__isnull=True,
        pair__baseline__withdrawn_at__isnull=True,
        pair__advanced__withdrawn_at__isnull=True,
    )


def ordered_rows(board: Board, order: Order) -> Rows:
    """Rows of the board as values; undefined ones stand last, whichever way it is sorted."""
    listed = BoardRow.objects.filter(
        _still_listed(board.subject), board=board, version=board.version
    )
    column = order.column
    if column is None or (column.is_primary and not order.is_reversed):
        ranked: Rows = listed.order_by("position").values(*FIELDS[board.subject])
        return ranked
    by = {"target": "cell__rank", "none": "cell__value"}.get(column.goal, "cell__value")
    # The better end comes first; a column without a better end begins with its least value.
    is_descending = (column.goal == "high") != order.is_reversed
    expression = F(by).desc(nulls_last=True) if is_descending else F(by).asc(nulls_last=True)
    chosen: Rows = (
        listed.alias(cell=FilteredRelation("sortable", condition=Q(sortable__column=column)))
        .order_by(expression, "position")
        .values(*FIELDS[board.subject])
    )
    return chosen


def page_of(rows: Rows, query: QueryDict) -> Page[dict[str, Any]]:
    """The page that the address asks for, or the nearest there is."""
    return Paginator(rows, PAGE_ROWS).get_page(query.get("page"))


def address(query: QueryDict, **changes: str | None) -> str:
    """The same address with some parameters changed; None takes one away."""
    kept = {
        name: query[name] for name in ("board", "set", "columns", "sort", "dir") if name in query
    }
    merged = {**kept, **changes}
    parameters = {name: value for name, value in merged.items() if value is not None}
    return f"?{urlencode(parameters)}" if parameters else "?"
