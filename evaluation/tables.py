"""The data of the commands as readable tables, or as lines in trec_eval's format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import IO, Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from evaluation.notation import parse
from evaluation.pair_measures import PAIR_MEASURES

Json = Mapping[str, Any]

WIDE = 160
"""Columns of a table that is written to a file or a pipe."""


def console(file: IO[str]) -> Console:
    """A console that cuts nothing when it writes to a file."""
    found = Console(file=file, highlight=False, markup=False, emoji=False)
    return (
        found
        if found.is_terminal
        else Console(file=file, highlight=False, markup=False, emoji=False, width=WIDE)
    )


def number(value: float | None, decimals: int = 4) -> str:
    """A value with its decimals, a dash where it is undefined."""
    return "–" if value is None else f"{value:.{decimals}f}"


def p_value(value: float | None) -> str:
    """A p-value; small ones as a bound."""
    return "–" if value is None else ("< .001" if value < 0.001 else f"{value:.3f}")


def table(title: str, columns: Iterable[str], rows: Iterable[Iterable[str]]) -> Table:
    """A table whose first column is text and whose others are numbers."""
    made = Table(
        title=title, title_justify="left", box=SIMPLE_HEAD, show_header=any(columns := [*columns])
    )
    for place, column in enumerate(columns):
        made.add_column(column, justify="right" if place else "left", overflow="fold")
    for row in rows:
        made.add_row(*(Text(cell) for cell in row))
    return made


def check_tables(data: Json) -> Iterator[Table]:
    """The outcome of a check and what the run holds."""
    run = data["run"]
    rows = [
        ("outcome", data["outcome"].replace("_", " ")),
        ("tag", run["tag"] or "–"),
        ("topics", str(run["topics"])),
        ("documents", str(run["documents"])),
        ("sha256", run["sha256"] or "–"),
    ]
    yield table("Check", ("", ""), rows)


def score_tables(data: Json, per_topic: bool) -> Iterator[Table]:
    """Means with their intervals, and topic scores if wanted."""
    averaged = data["topics_averaged"]
    title = f"{data['run']['tag']}: {averaged['count']} topics ({averaged['rule']})"
    rows = []
    for name, one in data["measures"].items():
        low, high = one["interval"] or (None, None)
        rows.append((name, number(one["mean"]), f"{number(low)} to {number(high)}"))
    yield table(title, ("measure", "mean", "95 % interval"), rows)
    if per_topic:
        series = {name: one["topics"] for name, one in data["measures"].items()}
        yield _topics(series)


def _topics(series: Mapping[str, Json]) -> Table:
    topics = dict.fromkeys(topic for values in series.values() for topic in values)
    rows = [(topic, *(number(values.get(topic)) for values in series.values())) for topic in topics]
    return table("Topics", ("topic", *series), rows)


def compare_tables(data: Json, per_topic: bool) -> Iterator[Table]:
    """Rankings and scores of two runs."""
    names = [name for name in PAIR_MEASURES if isinstance(data.get(name), Mapping)]
    rows = [
        (PAIR_MEASURES[name].label, number(data[name]["mean"]), str(data[name]["count"]))
        for name in names
    ]
    yield table(f"Rankings: {data['topics']} topics", ("measure", "mean", "topics"), rows)
    if data["measures"]:
        keys = ("arp_original", "arp_submitted", "delta_arp", "rmse", "nrmse")
        yield table(
            "Scores",
            ("measure", "ARP original", "ARP submitted", "ΔARP", "RMSE", "nRMSE", "t", "p"),
            (
                (
                    name,
                    *(number(one[key]) for key in keys),
                    number(one["t"], 3),
                    p_value(one["p_value"]),
                )
                for name, one in data["measures"].items()
            ),
        )
    if per_topic:
        yield _topics({PAIR_MEASURES[name].label: data[name]["topics"] for name in names})


def effects_tables(data: Json) -> Iterator[Table]:
    """Effects of a pair, measure by measure."""
    rows = [
        (
            name,
            number(one["original_effect"]["mean"]),
            p_value(one["original_effect"]["p_value"]),
            number(one["effect_ratio"], 3),
            number(one["relative_improvement_original"], 3),
            number(one["relative_improvement_submitted"], 3),
            number(one["delta_ri"], 3),
            "–" if one["region"] is None else str(one["region"]),
            number(one["rmse"]["baseline"]),
            number(one["rmse"]["advanced"]),
            p_value(one["p_value"]["baseline"]),
            p_value(one["p_value"]["advanced"]),
        )
        for name, one in data["measures"].items()
    ]
    title = f"Effects, {data['collection']} collection: {data['topics_averaged']['count']} topics"
    columns = ("measure", "effect", "its p", "ER", "RI", "RI'", "ΔRI", "region")
    yield table(title, (*columns, "RMSE b", "RMSE a", "p b", "p a"), rows)


def notes(data: Json) -> Iterator[str]:
    """Reasons of undefined values and warnings, as sentences; the same one once."""
    said: dict[str, None] = {}
    for place, one in data.get("measures", {}).items():
        for name, why in one.get("reasons", {}).items():
            said[f"{place}, {name.replace('_', ' ')}: {why}."] = None
        if "reason" in one:
            said[f"{place}: {one['reason']}."] = None
        if "max_grade" in one:
            said[f"{place}: the highest grade is {one['max_grade']:g}."] = None
        if "residual" in one:
            said[f"{place}: residual {number(one['residual'])} (unjudged or not reached)."] = None
    for name in PAIR_MEASURES:
        one = data.get(name)
        if isinstance(one, Mapping) and "reason" in one:
            said[f"{PAIR_MEASURES[name].label}: {one['reason']}."] = None
    for place, one in [*data.get("measures", {}).items(), ("", data)]:
        for why in one.get("warnings", {}).values():
            said[f"{place}: {why}" if place else why] = None
    return iter(said)


def trec_lines(data: Json, per_topic: bool) -> Iterator[str]:
    """Scores as trec_eval prints them: measure, topic, value."""
    names = {name: parse(name).trec_eval_name or name for name in data["measures"]}
    if per_topic:
        measured = list(data["measures"].values())
        for topic in measured[0]["topics"] if measured else ():
            for name, shown in names.items():
                yield _line(shown, topic, number(data["measures"][name]["topics"][topic]))
    yield _line("runid", "all", data["run"]["tag"])
    yield _line("num_q", "all", str(data["topics_averaged"]["count"]))
    for name, shown in names.items():
        value = data["measures"][name]["mean"]
        yield _line(shown, "all", "nan" if value is None else number(value))


def _line(name: str, topic: str, value: str) -> str:
    return f"{name:<22}\t{topic}\t{value}"
