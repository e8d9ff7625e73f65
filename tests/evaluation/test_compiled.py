"""Compiled runs and qrels: the same as read from the text, rebuilt when anything is wrong."""

import os
import stat
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation import compiled, evaluate, parse_measure, read_pool, read_qrels, read_run
from evaluation.cli import main
from evaluation.compiled import MAGIC, Cache, digest_of
from evaluation.rules import CheckRules

RUN = b"2 Q0 c 1 2 tag\n1 Q0 a 1 3 tag\n1 Q0 b 2 3 tag\n"
QRELS = b"1 0 a 1\n1 0 x 0\n2 0 c 2\n"
RULES = CheckRules()


class Counted:
    """A reader that counts how often it parsed a text."""

    def __init__(self, text, read=read_run):
        self.text, self.read, self.count = text, read, 0

    def __call__(self):
        self.count += 1
        return self.read(self.text)


@pytest.fixture
def cache(tmp_path):
    return Cache(tmp_path / "kept")


def run_through(cache, text, rules=RULES):
    reader = Counted(text)
    return cache.run(digest_of(text), rules, reader), reader.count


def same_runs(one, other):
    assert (one.tag, one.topics, one.sha256) == (other.tag, other.topics, other.sha256)
    assert one.starts.tolist() == other.starts.tolist()
    assert list(one.documents) == list(other.documents)
    assert one.scores.tobytes() == other.scores.tobytes()


def only_file(cache):
    (path,) = cache.folder.iterdir()
    return path


def test_second_time_no_text_is_parsed_and_all_is_the_same(cache):
    first, parsed = run_through(cache, RUN)
    assert parsed == 1
    second, parsed = run_through(cache, RUN)
    assert parsed == 0
    same_runs(first.sound(), second.sound())
    assert (second.messages, second.summary) == (first.messages, first.summary)
    assert [message.kind for message in second.messages] == ["tied_scores"]


def test_qrels_and_pools_are_kept_apart(cache):
    for form, read, text in (
        ("graded", read_qrels, QRELS),
        ("pool", read_pool, b"1 a 0.5\n1 b -1\n"),
    ):
        reader = Counted(text, read)
        digest = digest_of(text)
        first = cache.qrels(digest, form, RULES, reader)
        second = cache.qrels(digest, form, RULES, reader)
        assert reader.count == 1
        assert second.sound().judged("1") == first.sound().judged("1")
        assert second.sound().is_graded is (form == "graded")
        assert (second.messages, second.lines, second.sha256) == (
            first.messages,
            first.lines,
            first.sha256,
        )


def test_other_text_rules_or_version_are_read_anew(cache, monkeypatch):
    assert run_through(cache, RUN)[1] == 1
    assert run_through(cache, RUN + b"3 Q0 z 1 1 tag\n")[1] == 1
    assert run_through(cache, RUN, CheckRules(depth=1, depth_rule="truncate"))[1] == 1
    assert run_through(cache, RUN, CheckRules(levels={"tied_scores": "ignore"}))[1] == 1
    monkeypatch.setattr(compiled, "RECIPE_VERSION", 1000)
    assert run_through(cache, RUN)[1] == 1
    monkeypatch.setattr(compiled, "FORMAT", 1000)
    assert run_through(cache, RUN)[1] == 1


def test_rejected_file_is_not_kept(cache):
    for _ in range(2):
        checked, parsed = run_through(cache, b"1 Q0 a 1 x tag\n")
        assert (checked.run, parsed) == (None, 1)
    assert not cache.folder.exists()


def test_any_damaged_byte_and_any_cut_are_noticed(cache):
    whole, _ = run_through(cache, RUN)
    path = only_file(cache)
    good = path.read_bytes()
    assert good.startswith(MAGIC)
    for place in range(0, len(good), 7):
        path.write_bytes(good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :])
        checked, parsed = run_through(cache, RUN)
        assert parsed == 1, place
        same_runs(checked.sound(), whole.sound())
        assert path.read_bytes() == good
    for size in (0, 5, 20, len(good) // 2, len(good) - 1):
        path.write_bytes(good[:size])
        assert run_through(cache, RUN)[1] == 1, size
    assert run_through(cache, RUN)[1] == 0


def test_changed_score_is_not_believed(cache):
    run_through(cache, RUN)
    path = only_file(cache)
    good = path.read_bytes()
    at = good.rfind(np.float64(2.0).tobytes())
    path.write_bytes(good[:at] + np.float64(7.0).tobytes() + good[at + 8 :])
    checked, parsed = run_through(cache, RUN)
    assert (parsed, checked.sound().scores.tolist()) == (1, [3.0, 3.0, 2.0])


def test_files_are_private_and_nothing_half_written_stays(cache, monkeypatch):
    run_through(cache, RUN)
    assert stat.S_IMODE(cache.folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(only_file(cache).stat().st_mode) == 0o600
    only_file(cache).unlink()

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(compiled.Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run_through(cache, RUN)
    assert list(cache.folder.iterdir()) == []


def test_folder_that_cannot_be_written_keeps_nothing(tmp_path):
    (tmp_path / "file").write_text("in the way")
    cache = Cache(tmp_path / "file")
    assert [run_through(cache, RUN)[1] for _ in range(2)] == [1, 1]


def test_least_used_files_go_when_there_is_no_room(tmp_path):
    cache = Cache(tmp_path)
    texts = [RUN.replace(b"tag", b"tag%d" % number) for number in range(3)]
    for age, text in enumerate(texts):
        run_through(cache, text)
        for path in tmp_path.iterdir():
            os.utime(path, (time.time() - 100, path.stat().st_mtime - 10 * (3 - age)))
    assert run_through(cache, texts[0])[1] == 0
    small = Cache(tmp_path, most_bytes=sum(path.stat().st_size for path in tmp_path.iterdir()))
    assert run_through(small, RUN)[1] == 1
    assert [run_through(cache, text)[1] for text in (RUN, texts[0], texts[2])] == [0, 0, 0]
    assert run_through(small, texts[1])[1] == 1


def test_old_and_unfinished_files_go(tmp_path):
    cache = Cache(tmp_path)
    ages = {"a.compiled": 31 * 86400, "b.partial": 7200, "c.partial": 1, "d": 1e9}
    for name, age in ages.items():
        (tmp_path / name).write_bytes(b"x")
        os.utime(tmp_path / name, (time.time() - age, time.time() - age))
    run_through(cache, RUN)
    left = {path.name for path in tmp_path.iterdir()}
    assert left >= {"c.partial", "d"}
    assert left.isdisjoint({"a.compiled", "b.partial"})


TOPICS = st.sampled_from(["1", "2", "10"])
LINES = st.lists(
    st.tuples(TOPICS, st.text("abcé", min_size=1, max_size=12), st.floats(-9, 9)),
    min_size=1,
    max_size=30,
    unique_by=lambda row: row[:2],
)


@settings(max_examples=50)
@given(LINES)
def test_scores_of_a_compiled_run_have_the_same_bits(tmp_path_factory, rows):
    cache = Cache(tmp_path_factory.mktemp("kept"))
    text = "".join(f"{t} Q0 {d} 1 {s!r} tag\n" for t, d, s in rows).encode()
    judged = "".join(f"{t} 0 {d} {n % 3}\n" for n, (t, d, _) in enumerate(rows[::2])).encode()
    qrels = read_qrels(judged).sound()
    measures = [parse_measure(name) for name in ("nDCG@10", "AP", "Judged@10")]
    fresh, _ = run_through(cache, text)
    kept, parsed = run_through(cache, text)
    assert parsed == 0
    one, other = (evaluate(run.sound(), qrels, measures) for run in (fresh, kept))
    assert {n: s.values.tobytes() for n, s in one.items()} == {
        n: s.values.tobytes() for n, s in other.items()
    }


def test_command_line_keeps_and_uses_what_it_read(tmp_path, capsys, monkeypatch):
    (tmp_path / "run").write_bytes(RUN)
    (tmp_path / "qrels").write_bytes(QRELS)
    files = ["--qrels", str(tmp_path / "qrels"), "--run", str(tmp_path / "run")]
    arguments = ["score", *files, "--cache", str(tmp_path / "new" / "kept"), "--json"]
    assert main(arguments) == 0
    first = capsys.readouterr().out
    assert len(list((tmp_path / "new" / "kept").iterdir())) == 2

    def parsed(*_, **__):
        raise AssertionError("parsed again")

    monkeypatch.setattr("evaluation.commands.read_run", parsed)
    monkeypatch.setattr("evaluation.commands.read_qrels", parsed)
    assert main(arguments) == 0
    assert capsys.readouterr().out == first
    assert main([*arguments[:-3], "--cache", str(tmp_path / "run")]) == 2
    assert "run" in capsys.readouterr().err
