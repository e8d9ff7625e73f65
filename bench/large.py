"""Runs of 7 million lines, whole processes: file to per-topic values of five measures."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from bench import inputs, peers
from bench.processes import command
from bench.samples import Promise, Report, Row, Samples, alternate, close, faster

OURS, PYTREC, FLOOR = "evaluation", "pytrec_eval", "cat"
LAST_DIGIT = 1.01e-4
"""Values are printed with four decimals, of which the last may be rounded either way."""

STOCK, OPTIMISED = Promise(3, 5), Promise(2.2, 3.5)
OTHER, MEMORY = Promise(4, 6), Promise(1.5, 1.0, is_ceiling=True)
DIGITS, ABOVE_FLOOR = Promise(1.5, 3), Promise(40, 20, is_ceiling=True)


def lines(repeats: int) -> Report:
    """6980 x 1000 lines, scores of six decimals, against every build and pytrec_eval."""
    given = inputs.files("msmarco")
    found = _side_by_side(given, repeats, with_pytrec=True)
    own = found[OURS]
    rows = [*_against_builds("7M lines", found, STOCK, OPTIMISED)]
    rows.append(faster("7M lines, pytrec_eval and its parser", own, found[PYTREC], OTHER))
    size = Path(given.run()).stat().st_size
    rows.append(Row("7M lines, peak memory over file size", own.memory / size, None, MEMORY))
    over = own.wall / found[FLOOR].wall
    rows.append(Row("7M lines, time over that of cat", over, None, ABOVE_FLOOR))
    return Report(tuple(found.values()), tuple(rows), (f"file: {size / 1e6:.0f} MB",))


def digits(repeats: int) -> Report:
    """The same with scores of 17 digits, against every build."""
    given = inputs.files("msmarco-17g")
    has_builds = bool(peers.trec_evals())
    found = _side_by_side(given, repeats, with_pytrec=not has_builds)
    rows = [*_against_builds("7M lines, 17 digits", found, DIGITS, DIGITS)]
    if not has_builds:
        rows.append(faster("7M lines, 17 digits, pytrec_eval", found[OURS], found[PYTREC], DIGITS))
    return Report(tuple(found.values()), tuple(rows))


def _against_builds(
    work: str, found: Mapping[str, Samples], stock: Promise, optimised: Promise
) -> Iterator[Row]:
    for build in peers.trec_evals():
        promise = optimised if build.is_optimised else stock
        yield faster(f"{work}, {build.label}", found[OURS], found[build.label], promise)


def _side_by_side(given: inputs.Files, repeats: int, with_pytrec: bool) -> dict[str, Samples]:
    commands = {OURS: peers.ours(given)}
    commands |= {build.label: build.command(given) for build in peers.trec_evals()}
    if with_pytrec:
        commands[PYTREC] = peers.pytrec_eval(given)
    for side, arguments in commands.items():
        print(f"{side}: {' '.join(arguments)}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        outputs = {side: Path(folder) / side for side in commands}
        sides = {side: command(asked, outputs[side]) for side, asked in commands.items()}
        # Also reads the file into memory, so that no side pays for the disk.
        sides[FLOOR] = command(["cat", given.run()], Path("/dev/null"))
        sides[FLOOR]()
        found = alternate(sides, repeats)
        own = topics_only(peers.printed(outputs[OURS]))
        for side in commands:
            if side != OURS:
                close(side, own, topics_only(peers.printed(outputs[side])), LAST_DIGIT)
    return found


def topics_only(values: peers.Values) -> peers.Values:
    named = {(_plain(name), topic): value for (name, topic), value in values.items()}  # type: ignore[misc]
    return {key: value for key, value in named.items() if key[1] != "all"}


def _plain(name: str) -> str:
    return name.replace(".", "_")
