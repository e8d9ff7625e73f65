"""Samples and rows as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bench.samples import Report, Row

HEAD = "| work | ratio | by CPU seconds | must, aim | |\n|---|---|---|---|---|"


def samples_lines(report: Report) -> Iterator[str]:
    """Each side with its medians and all its samples, in the order they were taken."""
    for side in report.sides:
        raw = " ".join(f"{one.wall:.4f}/{one.cpu:.4f}" for one in side.found)
        memory = f", {side.memory / 1e6:.0f} MB" if side.memory else ""
        medians = f"{side.wall:.4f} s, {side.cpu:.4f} s CPU{memory}"
        yield f"{side.side:<32} {medians}; samples {raw}"


def markdown(reports: Iterable[Report]) -> str:
    """The table of all rows."""
    return "\n".join([HEAD, *(_line(row) for report in reports for row in report.rows)])


def _line(row: Row) -> str:
    by_cpu = "" if row.cpu_ratio is None else f"{_ratio(row.cpu_ratio)}x"
    return f"| {row.work} | {_ratio(row.ratio)}x | {by_cpu} | {row.promise} | {row.verdict} |"


def _ratio(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"
