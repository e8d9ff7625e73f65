"""Puts a board in order. Ranks compare values rounded to 12 decimals; equal ones share a rank."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from campaigns.work import ColumnSpec, RankedRow, RankInput, RowInput
from evaluation.notation import RANK_DECIMALS


def rank_key(column: ColumnSpec, value: float | None) -> float | None:
    """What a value is ranked by: smaller is better; None is unranked."""
    if value is None or column.goal == "none":
        return None
    if column.goal == "high":
        return -round(value, RANK_DECIMALS)
    if column.goal == "low":
        return round(value, RANK_DECIMALS)
    return round(abs(value - (column.target or 0.0)), RANK_DECIMALS)


def shared_ranks(keys: Mapping[str, float | None]) -> dict[str, int | None]:
    """Ranks by identity, 1 first; equal keys share one, the next rank counts the rows before."""
    ranked = sorted((key, identity) for identity, key in keys.items() if key is not None)
    ranks: dict[str, int | None] = dict.fromkeys(keys)
    previous: float | None = None
    current = 0
    for place, (key, identity) in enumerate(ranked, start=1):
        if key != previous:
            current, previous = place, key
        ranks[identity] = current
    return ranks


def _column_ranks(column: ColumnSpec, rows: Iterable[RowInput]) -> dict[str, int | None]:
    keys = {}
    for row in rows:
        cell = row.cells.get(column.key)
        value = None if cell is None or row.excluded else cell.value
        keys[row.identity] = rank_key(column, value)
    return shared_ranks(keys)


def rank(work: RankInput) -> list[RankedRow]:
    """All rows in their order: by rank, equal ranks by tie break, unranked rows last."""
    ranks = {column.key: _column_ranks(column, work.rows) for column in work.columns}
    decisive = ranks[work.primary]
    shared = _twice([value for value in decisive.values() if value is not None])

    def order(row: RowInput) -> tuple[bool, int, bool, tuple[object, ...]]:
        own = decisive[row.identity]
        return (own is None, own or 0, bool(row.excluded), row.tie_break)

    teams: set[int] = set()
    ranked = []
    for position, row in enumerate(sorted(work.rows, key=order)):
        own = decisive[row.identity]
        is_best = row.team is not None and own is not None and row.team not in teams
        if is_best and row.team is not None:
            teams.add(row.team)
        cell = row.cells.get(work.primary)
        ranked.append(
            RankedRow(
                row.identity,
                position,
                own,
                own in shared,
                row.excluded or ("" if own is not None else (cell.reason if cell else "")),
                is_best,
                {key: by_row[row.identity] for key, by_row in ranks.items()},
            )
        )
    return ranked


def _twice(values: list[int]) -> set[int]:
    seen: set[int] = set()
    twice: set[int] = set()
    for value in values:
        (twice if value in seen else seen).add(value)
    return twice
