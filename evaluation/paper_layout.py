"""The tables of the SIGIR 2020 paper in its layout: titles, columns and printed cells."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, Decimal
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evaluation.published_tables import PaperTables

Json = Mapping[str, Any]

HEADINGS = {"p10": "P@10", "ap": "AP", "ndcg1000": "nDCG"}
RUN_HEADINGS = {"wcrobust04": "WCrobust04", "wcrobust0405": "WCrobust0405"}
SERIES_HEADINGS = {
    "delta_arp": "ΔARP",
    "tau": "τ",
    "rbo": "RBO",
    "rmse": "RMSE",
    "p_value": "p",
    "er": "ER",
}

UNDEFINED = "–"

_THOUSANDTH = Decimal("0.001")


@dataclass(frozen=True, slots=True)
class PrintedTable:
    """A table of the paper as text cells; the first column names the row."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def four(value: float) -> str:
    """A value rounded to four decimals, as the paper prints all but p-values; a dash for NaN."""
    return UNDEFINED if math.isnan(value) else f"{value:.4f}"


def p_cut(value: float) -> str:
    """A p-value as the paper prints it: cut, not rounded, to three decimals or one digit.

    >>> p_cut(0.0469), p_cut(0.00099), p_cut(5.86e-6), p_cut(1.0)
    ('0.046', '9E-04', '5E-06', '1.000')
    """
    return _p_value(value, ROUND_DOWN)


def p_rounded(value: float) -> str:
    """A p-value rounded to three decimals or one digit, as one half of the appendix prints it.

    >>> p_rounded(0.0469), p_rounded(0.00097), p_rounded(5.86e-6)
    ('0.047', '0.001', '6E-06')
    """
    return _p_value(value, ROUND_HALF_EVEN)


def _p_value(value: float, rounding: str) -> str:
    if math.isnan(value):
        return UNDEFINED
    exact = Decimal(value)
    if not exact:
        return "0"
    digit = exact.quantize(Decimal(1).scaleb(exact.adjusted()), rounding)
    if digit >= _THOUSANDTH:
        return str(exact.quantize(_THOUSANDTH, rounding))
    return f"{digit.scaleb(-digit.adjusted()):.0f}E-{-digit.adjusted():02d}"


def _measures(values: Json, cell: Callable[[float], str]) -> tuple[str, ...]:
    return tuple(cell(values[m]) for m in HEADINGS)


def _columns(*groups: str) -> tuple[str, ...]:
    return tuple(f"{group} {measure}" for group in groups for measure in HEADINGS.values())


def _similarity(name: str, title: str, run: str, found: Json) -> PrintedTable:
    """Tables 1 and appendix 1. The paper prints p = 1 for the original against itself."""
    itself = ("1.0000", "1.0000", *("0.0000",) * len(HEADINGS), *("1",) * len(HEADINGS))
    rows = [(run, *_measures(found["original"], four), *itself)]
    for label, one in found["runs"].items():
        rows.append(
            (
                label,
                *_measures(one["arp"], four),
                four(one["tau"]),
                four(one["rbo"]),
                *_measures(one["rmse"], four),
                *_measures(one["p"], p_cut),
            )
        )
    columns = (run, *_columns("ARP"), "τ", "RBO", *_columns("RMSE", "p"))
    return PrintedTable(name, title, columns, tuple(rows))


def _new_collection(name: str, title: str, run: str, found: Json) -> PrintedTable:
    rows = tuple(
        (label, *_measures(one["arp"], four), *_measures(one["p"], p_cut))
        for label, one in found.items()
    )
    return PrintedTable(name, title, (run, *_columns("ARP", "p")), rows)


def _effect_ratios(name: str, title: str, found: Json) -> PrintedTable:
    kinds = ("replicability", "reproducibility")
    rows = tuple(
        (label, *(cell for kind in kinds for cell in _measures(one[f"er_{kind}"], four)))
        for label, one in found.items()
    )
    return PrintedTable(name, title, ("run", *_columns(*kinds)), rows)


def _collections(name: str, title: str, found: Json) -> PrintedTable:
    """Appendix 3: the paper cuts the p-values of one run and rounds those of the other."""
    cells = {"wcrobust04": p_cut, "wcrobust0405": p_rounded}
    rows = tuple(
        (label, *(text for run, cell in cells.items() for text in _measures(one[run], cell)))
        for label, one in found.items()
    )
    return PrintedTable(name, title, ("run", *_columns(*RUN_HEADINGS.values())), rows)


def series_heading(key: str) -> str:
    """Heading of a measure of reproduction: ``rmse_ap`` is ``RMSE AP``."""
    for start, heading in SERIES_HEADINGS.items():
        if key == start:
            return heading
        if key.startswith(f"{start}_"):
            return f"{heading} {HEADINGS[key.removeprefix(f'{start}_')]}"
    return key


def _correlations(name: str, title: str, found: Json) -> PrintedTable:
    """Tables 4 and 5: the baseline above the diagonal, the advanced run below it."""
    headings = tuple(map(series_heading, found["order"]))
    above, below = (found[f"{run}_rounded12"] for run in RUN_HEADINGS)
    rows = []
    for row, heading in enumerate(headings):
        cells = (
            "1" if row == column else four((above if column > row else below)[row][column])
            for column in range(len(headings))
        )
        rows.append((heading, *cells))
    return PrintedTable(name, title, ("", *headings), tuple(rows))


_SAME, _NEW = "same collection, Common Core 2017", "new collection, Common Core 2018"
_BASELINE, _ADVANCED = RUN_HEADINGS.values()

LAYOUTS: Mapping[str, Callable[[PaperTables], PrintedTable]] = {
    "1": lambda found: _similarity(
        "1", f"Table 1. {_BASELINE}, {_SAME}", _BASELINE, found.tables["table1"]
    ),
    "2": lambda found: _effect_ratios("2", "Table 2. Effect ratios", found.tables["table2"]),
    "3": lambda found: _new_collection(
        "3", f"Table 3. {_BASELINE}, {_NEW}", _BASELINE, found.tables["table3"]
    ),
    "4": lambda found: _correlations(
        "4",
        f"Table 4. Kendall's tau between measures, {_SAME}: {_BASELINE} above, {_ADVANCED} below",
        found.table4_correlations,
    ),
    "5": lambda found: _correlations(
        "5",
        f"Table 5. Kendall's tau between measures, {_NEW}: {_BASELINE} above, {_ADVANCED} below",
        found.table5_correlations,
    ),
    "A1": lambda found: _similarity(
        "A1", f"Appendix, table 1. {_ADVANCED}, {_SAME}", _ADVANCED, found.tables["appendix_table1"]
    ),
    "A2": lambda found: _new_collection(
        "A2", f"Appendix, table 2. {_ADVANCED}, {_NEW}", _ADVANCED, found.tables["appendix_table2"]
    ),
    "A3": lambda found: _collections(
        "A3",
        "Appendix, table 3. p of the replicated against the reproduced run",
        found.tables["appendix_table3"],
    ),
}
"""The paper's tables and, with A, those of its online appendix."""

SOURCES: Mapping[str, str] = {
    "1": "table1",
    "2": "table2",
    "3": "table3",
    "4": "table4_correlations",
    "5": "table5_correlations",
    "A1": "appendix_table1",
    "A2": "appendix_table2",
    "A3": "appendix_table3",
}
"""Under which key the data of each table stands."""


def printed(found: PaperTables, names: Sequence[str]) -> Iterator[PrintedTable]:
    """The tables asked for, in the paper's layout."""
    return (LAYOUTS[name](found) for name in names)


def data(found: PaperTables, names: Sequence[str]) -> dict[str, Any]:
    """The values of the tables asked for, unrounded, under the names of their sources."""
    keys = [SOURCES[name] for name in names]
    return {
        key: _finite(getattr(found, key) if key.endswith("correlations") else found.tables[key])
        for key in keys
    }


def _finite(value: Any) -> Any:
    """The same values with None for NaN, which JSON has no word for."""
    if isinstance(value, dict):
        return {key: _finite(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_finite(one) for one in value]
    return None if isinstance(value, float) and math.isnan(value) else value
