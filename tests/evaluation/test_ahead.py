"""Reading ahead: the same blocks, the same faults, and no thread that stays behind."""

import gzip
import threading

import pytest

from evaluation import stream
from evaluation.ahead import Ahead
from evaluation.errors import FileProblem
from evaluation.rules import Budgets, CheckRules
from evaluation.trec import read_run

LINES = b"".join(b"%d Q0 d%d 1 %d t\n" % (n // 100, n, -n) for n in range(30_000))


def threads():
    return [one for one in threading.enumerate() if one.name == "read ahead"]


def test_blocks_keep_their_order():
    blocks = [b"%d" % number for number in range(100)]
    with Ahead(iter(blocks)) as read:
        assert list(read) == blocks
    assert threads() == []


def test_error_comes_after_the_blocks_before_it():
    def blocks():
        yield b"one"
        raise FileProblem("archive_damaged", "damaged")

    found = []
    with pytest.raises(FileProblem), Ahead(blocks()) as read:
        found += read
    assert (found, threads()) == ([b"one"], [])


def test_reader_that_stops_early_leaves_no_thread():
    def endless():
        while True:
            yield b"x"

    with Ahead(endless()) as read:
        assert next(iter(read)) == b"x"
    assert threads() == []


@pytest.mark.parametrize(
    "text",
    [
        LINES,
        gzip.compress(LINES),
        gzip.compress(LINES)[:-9],
        LINES + b"1 Q0 d1 1 x t\n",
        b"%PDF-" + LINES,
        LINES.replace(b"d77 ", b"\xff "),
    ],
    ids=["plain", "gzip", "cut gzip", "bad score", "no run", "no UTF-8"],
)
@pytest.mark.parametrize("budget", [1 << 30, 100_000])
def test_large_files_are_read_as_small_ones_are(monkeypatch, text, budget):
    rules = CheckRules(budgets=Budgets(text_bytes=budget))
    small = read_run(text, rules)
    monkeypatch.setattr(stream, "_LARGE", 1)
    large = read_run(text, rules)
    assert large.messages == small.messages
    assert (large.summary.sha256, large.summary.lines) == (
        small.summary.sha256,
        small.summary.lines,
    )
    assert (large.run is None) == (small.run is None)
    assert threads() == []
