"""Arithmetic of the bench, and that it compares no speeds of unequal numbers."""

from __future__ import annotations

import json
import math
import sys

import pytest

from bench.generate import Shape, write
from bench.processes import CommandFailedError, run
from bench.samples import (
    DifferentNumbersError,
    Promise,
    Report,
    Row,
    Sample,
    Samples,
    alternate,
    close,
    faster,
    longer,
)
from bench.table import markdown, samples_lines
from evaluation import read_qrels, read_run

SLOW = Samples("slow", (Sample(4.0, 3.0), Sample(9.0, 3.0), Sample(6.0, 6.0, 20)))
FAST = Samples("fast", (Sample(2.0, 1.0, 10), Sample(1.0, 1.5, 30), Sample(3.0, 2.0)))


def test_medians_and_the_largest_peak():
    assert (SLOW.wall, SLOW.cpu, SLOW.memory) == (6.0, 3.0, 20)
    assert (FAST.wall, FAST.cpu, FAST.memory) == (2.0, 1.5, 30)


def test_ratios_of_medians():
    row = faster("work", FAST, SLOW, Promise(2, 4))
    assert (row.ratio, row.cpu_ratio, row.verdict) == (3.0, 2.0, "must met")
    row = longer("work", SLOW, FAST, Promise(2, 1.3, is_ceiling=True))
    assert (row.ratio, row.cpu_ratio, row.verdict) == (3.0, 2.0, "missed")


@pytest.mark.parametrize(
    ("ratio", "floor", "ceiling"),
    [(4.0, "aim met", "missed"), (2.0, "must met", "must met"), (1.0, "missed", "aim met")],
)
def test_verdicts_hold_at_their_bounds(ratio, floor, ceiling):
    assert Promise(2, 4).verdict(ratio) == floor
    assert Promise(2, 1, is_ceiling=True).verdict(ratio) == ceiling


@pytest.mark.parametrize(
    ("names", "expected"), [("a", "aaa"), ("ab", "ababab"), ("abc", "abcbcacab")]
)
def test_each_side_comes_at_every_place_and_none_after_itself(names, expected):
    order = []

    def side(name):
        return lambda: (order.append(name), Sample(len(order), 0.0))[1]

    found = alternate({name: side(name) for name in names}, repeats=3)
    assert "".join(order) == expected
    places = [place for place, name in enumerate(expected, start=1) if name == names[-1]]
    assert [one.wall for one in found[names[-1]].found] == places


def test_memory_of_a_command_is_its_own_however_much_the_bench_has_used(tmp_path):
    used = bytearray(200 << 20)
    used[::4096] = b"x" * len(used[::4096])
    code = "import sys; sys.stdout.write('done')"
    one = run([sys.executable, "-c", code], tmp_path / "out")
    assert (tmp_path / "out").read_text() == "done"
    assert 1 << 20 < one.memory < 100 << 20
    assert 0 < one.cpu < 60
    del used


def test_command_that_fails_says_what_it_said(tmp_path):
    with pytest.raises(CommandFailedError, match="3: gone wrong"):
        run([sys.executable, "-c", "import sys; sys.stderr.write('gone wrong'); sys.exit(3)"],
            tmp_path / "out")  # fmt: skip


@pytest.mark.parametrize("other", [{"x": 1.2}, {"y": 1.0}, {}, {"x": math.nan}])
def test_unequal_numbers_are_refused(other):
    close("same", {"x": 1.0}, {"x": 1.05}, 0.1)
    with pytest.raises(DifferentNumbersError):
        close("other", {"x": 1.0}, other, 0.1)


def test_the_table_says_what_was_missed():
    rows = (Row("memory", 0.9, None, Promise(1.5, 1, is_ceiling=True)),)
    rows += (Row("time", 123.4, 1.234, Promise(200, 500)),)
    report = Report((SLOW,), rows)
    assert markdown([report]).splitlines()[2:] == [
        "| memory | 0.9x |  | <= 1.5x, aim 1x | aim met |",
        "| time | 123x | 1.23x | >= 200x, aim 500x | missed |",
    ]
    (line,) = samples_lines(report)
    medians, raw = line.split("; samples ")
    assert medians.split(maxsplit=1) == ["slow", "6.0000 s, 3.0000 s CPU, 0 MB"]
    assert raw == "4.0000/3.0000 9.0000/3.0000 6.0000/6.0000"


def test_generated_files_are_sound_and_faults_are_where_they_say(tmp_path):
    write(tmp_path / "sound", Shape(3, depth=20, judged=5))
    qrels = read_qrels(str(tmp_path / "sound" / "qrels.txt")).sound()
    run = read_run(str(tmp_path / "sound" / "run-01.txt")).sound()
    assert qrels.topics == run.topics == ("1", "2", "3")
    assert run.starts.tolist() == [0, 20, 40, 60]

    write(tmp_path / "faulty", Shape(3, depth=20, judged=5, faults=8))
    planted = json.loads((tmp_path / "faulty" / "faults.json").read_text())["run-00.txt"]
    checked = read_run(str(tmp_path / "faulty" / "run-00.txt"))
    kinds = {"wrong_column_count", "score_not_finite", "bad_score", "duplicate_document"}
    named = [one.line for one in checked.messages if one.kind in kinds]
    assert named == [one["line"] for one in planted]
