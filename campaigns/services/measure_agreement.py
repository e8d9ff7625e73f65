"""How far measures of reproduction order the pairs of a board alike (SIGIR 2020, tables 4 and 5).

Standard library only: numbers come from the board, as it was ranked.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from campaigns.models import Board, BoardRow, Pair, RunRole, Task
from campaigns.services.listed_rows import listed_rows
from campaigns.services.published_series import series_of_pair
from evaluation.agreement import agreement_matrix
from evaluation.pair_measures import PAIR_MEASURES

LEAST_PAIRS = 3
ROLES = (RunRole.BASELINE.value, RunRole.ADVANCED.value)
RANKINGS = {"tau": "kendall_tau_union", "rbo": "rank_biased_overlap"}
PUBLISHED = {"tau_published": "kendall_tau_union_sorted", "rbo_published": "rank_biased_overlap"}

Series = dict[str, list[float]]


@dataclass(frozen=True, slots=True)
class Agreement:
    """``values[i][j]`` above the diagonal is of the baseline runs, below it of the advanced ones.

    NaN where a measure does not vary, or too few pairs have both.
    """

    labels: list[str]
    values: list[list[float]]
    pairs: int


def agreement_of(task: Task, board: Board) -> Agreement | None:
    """The matrix of a board of pairs; None for fewer than three pairs."""
    rows = list(listed_rows(board).select_related("pair").order_by("position"))
    if len(rows) < LEAST_PAIRS:
        return None
    upper, lower = (series_of(rows, task.measures, role) for role in ROLES)
    names = [name for name in upper if any(map(_is_known, (*upper[name], *lower[name])))]
    if len(names) < 2:
        return None
    values = joined(*({name: one[name] for name in names} for one in (upper, lower)))
    return Agreement([_label(name) for name in names], values, len(rows))


def joined(upper: Series, lower: Series) -> list[list[float]]:
    """Two symmetric matrices as one: the first above the diagonal, the second below it.

    p-values are compared by 12 significant digits, the others by 12 decimals, so that the last
    bits of a mean order nothing.
    """
    above, below = (agreement_matrix(one, by_digits="p_value") for one in (upper, lower))
    size = len(above)
    return [
        [above[i][j] if i < j else (below[i][j] if i > j else 1.0) for j in range(size)]
        for i in range(size)
    ]


def series_of(rows: Sequence[BoardRow], measures: Iterable[str], role: str) -> Series:
    """A value for each pair, by the names that ``evaluation.agreement`` takes."""
    measures = list(measures)
    found: Series = {}

    def add(name: str) -> None:
        for measure in measures:
            found[f"{name}_{measure}"] = _cells(rows, f"{role}:{name}({measure})")

    # In the order of the paper's tables, so that a board can be laid beside them.
    add("delta_arp")
    for name, key in RANKINGS.items():
        found[name] = _cells(rows, f"{role}:{key}")
    for name, key in PUBLISHED.items():
        found[name] = [_published(row.pair, key, role) for row in rows]
    add("rmse")
    add("p_value")
    for measure in measures:
        found[f"er_{measure}"] = _cells(rows, f"effect_ratio({measure})")
    return found


def _cells(rows: Sequence[BoardRow], key: str) -> list[float]:
    return [_number((row.cells.get(key) or {}).get("value")) for row in rows]


def _published(pair: Pair | None, key: str, role: str) -> float:
    """The mean of the published series with the largest cut-off."""
    own = [one for one in series_of_pair(pair) if one.key == key] if pair is not None else []
    return _number(own[-1].means.get(role)) if own else math.nan


def _number(value: Any) -> float:
    return math.nan if value is None else float(value)


def _is_known(value: float) -> bool:
    return not math.isnan(value)


def _label(name: str) -> str:
    words = {"delta_arp": "ΔARP", "rmse": "RMSE", "p_value": "p", "er": "ER"}
    for key, word in words.items():
        if name.startswith(f"{key}_"):
            return f"{word} {name.removeprefix(f'{key}_')}"
    if name in PUBLISHED:
        return f"{PAIR_MEASURES[PUBLISHED[name]].label}, published"
    return PAIR_MEASURES[RANKINGS[name]].label
