"""Which rows of a board are still listed, and their order by one column: for pages and exports."""

from __future__ import annotations

from django.db.models import FilteredRelation, Q, QuerySet

from campaigns.models import Board, BoardColumn, BoardRow, BoardSubject, Run
from campaigns.models.run import GONE


def gone_runs(board: Board) -> QuerySet[Run]:
    """Runs of the task that were withdrawn or deleted: a few, found by an index of their own."""
    return Run.objects.filter(GONE, task=board.task_id)


def listed_rows(board: Board) -> QuerySet[BoardRow]:
    """Rows of the version that is shown, in no order.

    What was withdrawn since the ranking is left out at once, also from past boards, which are not
    ranked again. Only what the rows are is joined.
    """
    rows = BoardRow.objects.filter(board=board, version=board.version).order_by()
    if board.subject != BoardSubject.PAIRS:
        return rows.exclude(run__in=gone_runs(board))
    # A missing partner is joined as nulls, and so is not withdrawn.
    return rows.filter(
        pair__deleted_at__isnull=True,
        pair__baseline__withdrawn_at__isnull=True,
        pair__advanced__withdrawn_at__isnull=True,
    )


def with_cell(rows: QuerySet[BoardRow], board: Board, column: BoardColumn) -> QuerySet[BoardRow]:
    """The rows with ``cell__value`` and ``cell__rank`` of a column, to be ordered by.

    Every row has a cell in every column; said so, the index of the cells gives the order.
    """
    cell = Q(sortable__column=column, sortable__version=board.version)
    return rows.alias(cell=FilteredRelation("sortable", condition=cell)).filter(cell__isnull=False)
