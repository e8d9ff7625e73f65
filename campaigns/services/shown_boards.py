"""What a viewer is told of a board; ask ``policies.may_see_board`` first."""

from __future__ import annotations

from typing import Any

from django.db.models import F, Q

from campaigns import kinds
from campaigns.models import Board, BoardColumn, BoardRow, BoardState, Task
from campaigns.policies import Viewer
from campaigns.services.listed_rows import listed_rows, with_cell
from campaigns.services.passports import passport_of, qrels_label
from campaigns.services.shown_runs import shown_team

ROW = ("version", "position", "rank", "is_shared", "is_best_of_team", "reason", "cells")
SHOWN_OF_RUN = ("run__tag", "run__title")
SHOWN_OF_PAIR = (
    "pair__title",
    "pair__baseline__tag",
    "pair__baseline__title",
    "pair__advanced__tag",
    "pair__advanced__title",
)
READABLE = (BoardState.CURRENT, BoardState.PAST)


def find_board(
    task: Task, *, subject: str = "", original: str = "", qrels: int | None = None
) -> Board | None:
    """The current board of a task, or that of an older version of the qrels.

    A set that was put aside while it filled never shows; the first has no ``switched_at``.
    """
    boards = Board.objects.filter(
        task=task, subject=subject or kinds.of(task).subjects()[0]
    ).select_related(
        "original",
        "qrels__collection",
        "qrels__file",
        "original_qrels__collection",
        "original_qrels__file",
    )
    if original:
        boards = boards.filter(original__slug=original)
    if qrels is None:
        boards = boards.filter(state=BoardState.CURRENT)
    else:
        was_current = Q(switched_at__isnull=False) | Q(number=1)
        boards = boards.filter(was_current, qrels__number=qrels, state__in=READABLE)
    return boards.order_by(
        F("original__position").asc(nulls_first=True), "original__slug", "-number"
    ).first()


def board_facts(board: Board) -> dict[str, Any]:
    """Which numbers the board holds, and whether newer ones are on their way."""
    is_filling = Board.objects.filter(
        campaign=board.campaign_id, task=board.task_id, slug=board.slug, state=BoardState.FILLING
    ).exists()
    return {
        "subject": board.subject,
        "number": board.number,
        "original": board.original.slug if board.original else None,
        "qrels": qrels_label(board.qrels),
        "original_qrels": qrels_label(board.original_qrels),
        "is_current": board.state == BoardState.CURRENT,
        "is_being_rescored": is_filling and board.state == BoardState.CURRENT,
        "ranked_at": board.ranked_at,
    }


def columns_of(board: Board, keys: list[str] | None = None) -> list[BoardColumn]:
    """Columns in their order, or the named ones."""
    columns = list(board.columns.select_related("recipe"))
    if keys is None:
        return columns
    by_key = {column.key: column for column in columns}
    return [by_key[key] for key in keys]


def column_facts(board: Board, task: Task, column: BoardColumn) -> dict[str, Any]:
    """A column and its passport."""
    passport = None
    if column.recipe is not None:
        passport = passport_of(
            task,
            column.recipe,
            board.qrels,
            original_qrels=board.original_qrels,
            at=board.ranked_at,
        )
    return {
        "key": column.key,
        "label": column.label,
        "goal": column.goal,
        "target": column.target,
        "is_primary": column.is_primary,
        "passport": passport,
    }


def rows_of(board: Board, sort: BoardColumn | None = None, *, is_reversed: bool = False) -> Any:
    """Rows of the shown version; by a column's rank, or its value where it has none.

    Unranked rows stand last in both directions. What was withdrawn is left out at once, also
    from past boards, which are not ranked again.
    """
    rows = (
        listed_rows(board)
        .select_related("run", "pair__baseline", "pair__advanced", "team", "system")
        .only(*ROW, *SHOWN_OF_RUN, *SHOWN_OF_PAIR, "team__slug", "team__name", "system__name")
    )
    if sort is None:
        by_rank = (F("rank").desc(nulls_last=True), "position")
        return rows.order_by(*by_rank if is_reversed else ("position",))
    name = "cell__value" if sort.goal == "none" else "cell__rank"
    by = F(name).desc(nulls_last=True) if is_reversed else F(name).asc(nulls_last=True)
    return with_cell(rows, board, sort).order_by(by, "position")


def _tag(row: BoardRow) -> str | None:
    thing = row.run or row.pair or row.system
    if row.run is not None:
        return row.run.tag or row.run.title or None
    return str(thing) if thing is not None else None


def row_facts(
    viewer: Viewer, task: Task, row: BoardRow, columns: list[BoardColumn]
) -> dict[str, Any]:
    """A row: ranks and values by column, and why a value is missing."""
    cells = {column.key: row.cells.get(column.key) or {} for column in columns}
    return {
        "rank": row.rank,
        "is_shared": row.is_shared,
        **shown_team(viewer, task, row.team),
        "run_tag": _tag(row),
        "run": str(row.run_id) if row.run_id else None,
        "pair": str(row.pair_id) if row.pair_id else None,
        "is_own": row.team_id is not None and row.team_id in viewer.teams,
        "is_best_of_team": row.is_best_of_team,
        "reason": row.reason or None,
        "values": {key: cell.get("value") for key, cell in cells.items()},
        "ranks": {key: cell.get("rank") for key, cell in cells.items()},
        "intervals": {
            key: [cell["low"], cell["high"]]
            for key, cell in cells.items()
            if cell.get("low") is not None and cell.get("high") is not None
        },
        "reasons": {
            key: cell.get("reason") or "not computed"
            for key, cell in cells.items()
            if cell.get("value") is None
        },
    }
