"""Ranking of a board: its numbers gathered, and its rows written under a new version."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from campaigns.models import (
    Board,
    BoardCell,
    BoardColumn,
    BoardRow,
    BoardState,
    BoardSubject,
    Origin,
    Pair,
    Run,
    RunRole,
    RunState,
)
from campaigns.services import jobs
from campaigns.services.board_numbers import INCOMPLETE, Numbers
from campaigns.work import CellValue, ColumnSpec, RankedRow, RankInput, RowInput

LISTED = (RunState.ACCEPTED, RunState.SCORED)
LAST = math.inf


Thing = Run | Pair


@dataclass(slots=True)
class Gathered:
    """A board before it is ranked; ``is_complete`` when nothing more is to come."""

    work: RankInput
    things: dict[str, Thing]
    columns: list[BoardColumn]
    is_complete: bool


def _disqualified(runs: Iterable[Run | None]) -> str:
    for run in runs:
        if run is not None and run.disqualified_at is not None:
            return f"Disqualified: {run.disqualified_reason}"[:200]
    return ""


def _listed(run: Run | None) -> bool:
    return run is None or (
        run.state in LISTED and run.withdrawn_at is None and run.deleted_at is None
    )


def _run_rows(
    board: Board, columns: list[BoardColumn], numbers: Numbers
) -> tuple[list[RowInput], dict[str, Thing]]:
    runs = Run.objects.filter(
        task=board.task,
        origin=Origin.SUBMITTED,
        state__in=LISTED,
        withdrawn_at__isnull=True,
        deleted_at__isnull=True,
    )
    if board.original_id is not None:
        runs = runs.filter(original=board.original_id)
    in_pairs: defaultdict[Any, list[Any]] = defaultdict(list)
    for pair in Pair.objects.filter(task=board.task).values("pk", "baseline", "advanced"):
        in_pairs[pair["baseline"]].append(pair["pk"])
        in_pairs[pair["advanced"]].append(pair["pk"])
    rows: list[RowInput] = []
    things: dict[str, Thing] = {}
    for run in runs:
        cells = {
            column.key: numbers.evaluation(run, column)
            if column.source == "evaluation"
            else numbers.comparison(run, column, column.source.split(":")[-1], in_pairs[run.pk])
            for column in columns
        }
        tie = (run.received_at.timestamp(), str(run.pk))
        rows.append(RowInput(str(run.pk), run.team_id, cells, tie, _disqualified([run])))
        things[str(run.pk)] = run
    return rows, things


def order_cell(
    order: str, primary: str, cells: Mapping[str, CellValue], pair_reason: str
) -> CellValue:
    """What decides the order of pairs (``measures.md`` 3d), from the other cells of the row."""

    def of(key: str) -> CellValue:
        return cells.get(key) or CellValue(None, pair_reason or "undefined")

    ratio, difference = of(f"effect_ratio({primary})"), of(f"delta_ri({primary})")
    if order in ("rmse", "arp", "rbo"):
        name = {
            "rmse": f"rmse({primary})",
            "arp": f"delta_arp({primary})",
            "rbo": "rank_biased_overlap",
        }[order]
        both = [of(f"{role.value}:{name}") for role in (RunRole.BASELINE, RunRole.ADVANCED)]
        values = [cell.value for cell in both if cell.value is not None]
        if len(values) < 2:
            return CellValue(None, next(c.reason for c in both if c.value is None) or pair_reason)
        return CellValue(round(sum(values) / 2, 12))
    parts = {"effect_ratio": [ratio], "delta_ri": [difference]}.get(order, [ratio, difference])
    missing = next((cell.reason for cell in parts if cell.value is None), None)
    if missing is not None:
        return CellValue(None, missing)
    gaps = {
        "effect_ratio": abs(1 - (ratio.value or 0.0)),
        "delta_ri": abs(difference.value or 0.0),
    }
    if order in gaps:
        return CellValue(round(gaps[order], 12))
    return CellValue(round(math.hypot(*gaps.values()), 12))


def _pair_rows(
    board: Board, columns: list[BoardColumn], numbers: Numbers
) -> tuple[list[RowInput], dict[str, Thing]]:
    task = board.task
    primary = task.primary if task else ""
    pairs = Pair.objects.filter(original=board.original_id, deleted_at__isnull=True).select_related(
        "baseline", "advanced"
    )
    rows: list[RowInput] = []
    things: dict[str, Thing] = {}
    for pair in pairs:
        members = [pair.baseline, pair.advanced]
        if not all(map(_listed, members)):
            continue
        reason = next((INCOMPLETE[r] for r in INCOMPLETE if getattr(pair, r) is None), "")
        cells: dict[str, CellValue] = {}
        order_column = None
        for column in columns:
            source, *rest = column.source.split(":")
            if source == "order":
                order_column = (column.key, rest[0])
            elif source == "effect":
                cells[column.key] = numbers.effect(pair, column, rest[0])
            else:
                run: Run | None = getattr(pair, rest[0])
                cells[column.key] = (
                    numbers.comparison(run, column, rest[1], [pair.pk])
                    if run is not None
                    else CellValue(None, INCOMPLETE[rest[0]])
                )
        if order_column is not None:
            cells[order_column[0]] = order_cell(order_column[1], primary, cells, reason)
        receipt = max(run.received_at.timestamp() for run in members if run is not None)
        tie = (*closeness(cells, primary), receipt, str(pair.pk))
        rows.append(RowInput(str(pair.pk), pair.team_id, cells, tie, _disqualified(members)))
        things[str(pair.pk)] = pair
    return rows, things


def closeness(cells: Mapping[str, CellValue], primary: str) -> tuple[float, float]:
    """What orders pairs of the same rank: |1 - ER|, then |ΔRI|, nulls last."""
    ratio = cells.get(f"effect_ratio({primary})", CellValue(None)).value
    difference = cells.get(f"delta_ri({primary})", CellValue(None)).value
    return (
        LAST if ratio is None else abs(1 - ratio),
        LAST if difference is None else abs(difference),
    )


def gather(board: Board) -> Gathered:
    """The numbers of a board as they are stored now."""
    columns = list(board.columns.order_by("position"))
    numbers = Numbers(board)
    make = _pair_rows if board.subject == BoardSubject.PAIRS else _run_rows
    rows, things = make(board, columns, numbers)
    specs = tuple(ColumnSpec(column.key, column.goal, column.target) for column in columns)
    primary = next((column.key for column in columns if column.is_primary), columns[0].key)
    return Gathered(RankInput(specs, primary, tuple(rows)), things, columns, numbers.is_complete)


def _cell(cell: CellValue, rank: int | None) -> dict[str, Any]:
    """A cell as stored on the row; keys without a value are left out, but for ``value``."""
    stored: dict[str, Any] = {"value": cell.value}
    extra = {"rank": rank, "low": cell.low, "high": cell.high, "reason": cell.reason or None}
    return stored | {name: value for name, value in extra.items() if value is not None}


def _rows_of(board: Board, version: int, gathered: Gathered, ranked: list[RankedRow]) -> None:
    inputs = {row.identity: row for row in gathered.work.rows}
    rows = []
    for one in ranked:
        thing, given = gathered.things[one.identity], inputs[one.identity]
        cells = (
            {}
            if given.excluded
            else {key: _cell(cell, one.ranks.get(key)) for key, cell in given.cells.items()}
        )
        rows.append(
            BoardRow(
                board=board,
                version=version,
                position=one.position,
                rank=one.rank,
                is_shared=one.is_shared,
                reason=one.reason,
                run=thing if isinstance(thing, Run) else None,
                pair=thing if isinstance(thing, Pair) else None,
                team_id=thing.team_id,
                is_best_of_team=one.is_best_of_team,
                cells=cells,
            )
        )
    created = BoardRow.objects.bulk_create(rows, batch_size=500)
    BoardCell.objects.bulk_create(
        [
            BoardCell(
                row=row,
                column=column,
                version=version,
                value=row.cells.get(column.key, {}).get("value"),
                rank=row.cells.get(column.key, {}).get("rank"),
            )
            for row in created
            for column in gathered.columns
        ],
        batch_size=1000,
    )


def record_ranks(
    held: jobs.Claim, board: Board, gathered: Gathered, ranked: list[RankedRow]
) -> None:
    """Write the rows under a new version and show them; a filled board takes over at once."""
    with transaction.atomic():
        jobs.finish(held)
        board = Board.objects.select_for_update(no_key=True).get(pk=board.pk)
        version = board.version + 1
        _rows_of(board, version, gathered, ranked)
        board.version = version
        board.ranked_at = timezone.now()
        if board.state == BoardState.FILLING and gathered.is_complete:
            Board.objects.filter(
                campaign=board.campaign_id,
                task=board.task_id,
                slug=board.slug,
                state=BoardState.CURRENT,
            ).update(state=BoardState.PAST)
            board.state = BoardState.CURRENT
            board.switched_at = board.ranked_at
        board.save(update_fields=["version", "ranked_at", "state", "switched_at"])
        BoardCell.objects.filter(row__board=board, version__lt=version - 1).delete()
        BoardRow.objects.filter(board=board, version__lt=version - 1).delete()
