"""Reads the published per-topic scores of the SIGIR 2020 paper from their folder."""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evaluation.errors import EvaluationError

BASELINE, ADVANCED = "wcrobust04", "wcrobust0405"
RUNS = (BASELINE, ADVANCED)
ORIGINALS = {BASELINE: "WCrobust04", ADVANCED: "WCrobust0405"}

MEASURES = ("p10", "ap", "ndcg1000")
"""Files of P@10, AP and nDCG at 1000."""

CUTOFFS = (5, 10, 20, 50, 100, 1000)
CONSTELLATIONS = range(1, 51)

_FAMILIES = {"tf": range(45, 50), "df": range(14, 19), "tol": range(39, 34, -1)} | {
    "C": range(44, 39, -1)
}
NAMED = {
    f"{family}_{place}": number
    for family, numbers in _FAMILIES.items()
    for place, number in enumerate(numbers, 1)
}
"""The 20 constellations that the paper names, in its order."""

NAME_OF = {number: name for name, number in NAMED.items()}


class BadSeries(EvaluationError):
    """A file of the published scores that cannot be read."""


@dataclass(frozen=True, slots=True)
class Series:
    """A published file: a column of values for each run, a row for each topic."""

    path: Path
    topics: tuple[str, ...]
    columns: dict[str, NDArray[np.float64]]

    def of(self, name: str) -> NDArray[np.float64]:
        """The column of a run by its name."""
        if name not in self.columns:
            raise BadSeries(f"{self.path}: there is no column {name!r}.")
        return self.columns[name]


@dataclass(frozen=True, slots=True)
class Folder:
    """The folder of the published scores, laid out as its readme says."""

    root: Path

    def replicated(self, run: str, name: str) -> Series:
        """Scores or similarities of the same collection."""
        return self._read("replicability", run, f"{name}.csv")

    def original(self, run: str, measure: str) -> Series:
        """Scores of the original run, on the original collection."""
        path = self.root / "reproducibility" / run / f"original_{measure}.csv"
        return aligned(read_series(path), self._read("replicability", BASELINE, "p10.csv"))

    def reproduced(self, run: str, measure: str) -> Series:
        """Scores of the reproduced runs, on the new collection."""
        return self._read("reproducibility", run, f"reproduced_{measure}.csv")

    def _read(self, kind: str, run: str, file: str) -> Series:
        first = "p10.csv" if kind == "replicability" else "reproduced_p10.csv"
        reference = read_series(self.root / kind / BASELINE / first)
        return aligned(read_series(self.root / kind / run / file), reference)


def aligned(series: Series, reference: Series) -> Series:
    """The series, whose topics must stand as in the reference: rows are compared with rows."""
    if series.topics != reference.topics:
        raise BadSeries(f"{series.path}: its topics are not those of {reference.path}, in order.")
    return series


def column(kind: str, run: str, constellation: int) -> str:
    """Name of the column of a constellation; ``kind`` is ``rpl`` or ``rpd``.

    >>> column("rpl", "wcrobust04", NAMED["tf_1"])
    'rpl_wcrobust04_45'
    """
    return f"{kind}_{run}_{constellation}"


def read_series(path: Path) -> Series:
    """Read one file; BadSeries names the line that cannot be read."""
    try:
        rows = [*csv.reader(path.read_text(encoding="utf-8").splitlines())]
    except (UnicodeDecodeError, csv.Error) as error:
        raise BadSeries(f"{path}: this is no CSV file of scores ({error}).") from None
    if len(rows) < 2 or len(rows[0]) < 2:
        raise BadSeries(f"{path}: a line of names and a line for each topic are needed.")
    values = [_values(path, line, row, len(rows[0])) for line, row in enumerate(rows[1:], 2)]
    topics = tuple(row[0] for row in rows[1:])
    if len(set(topics)) != len(topics):
        raise BadSeries(f"{path}: a topic stands twice in the first column.")
    table = np.array(values, dtype=np.float64)
    columns = {name: table[:, place] for place, name in enumerate(rows[0][1:])}
    return Series(path, topics, columns)


def _values(path: Path, line: int, row: Sequence[str], width: int) -> list[float]:
    if len(row) != width:
        raise BadSeries(f"{path}, line {line}: {len(row)} columns where {width} are named.")
    try:
        values = [float(cell) for cell in row[1:]]
    except ValueError as error:
        raise BadSeries(f"{path}, line {line}: a score is no number ({error}).") from None
    if not all(map(math.isfinite, values)):
        raise BadSeries(f"{path}, line {line}: a score is not finite.")
    return values
