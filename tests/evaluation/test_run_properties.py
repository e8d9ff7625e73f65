"""What must hold for any run: layout never changes it, and damage is found where it was done."""

import gzip

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation import tokens
from evaluation.report import Report
from evaluation.rules import CheckRules
from evaluation.runlines import RunReader
from evaluation.trec import read_run

IDS = st.text(
    st.characters(exclude_categories=("C", "Z"), exclude_characters="\u00ad\u034f\u061c"),
    min_size=1,
    max_size=6,
).filter(lambda text: not text.startswith("#"))
SCORES = st.floats(-1e6, 1e6).map(repr) | st.integers(-5, 5).map(str)


@st.composite
def runs(draw, *, least=1):
    """Lines of a sound run: contiguous topics, ranks from 1."""
    topics = draw(st.lists(IDS, min_size=1, max_size=3, unique=True))
    lines = []
    for topic in topics:
        documents = draw(st.lists(IDS, min_size=least, max_size=6, unique=True))
        scores = sorted(draw(st.lists(SCORES, min_size=6, max_size=6)), key=float, reverse=True)
        for rank, (document, score) in enumerate(zip(documents, scores, strict=False), 1):
            lines.append(f"{topic} Q0 {document} {rank} {score} tag".encode())
    return lines


def content(checked):
    """All that a run holds, comparable."""
    run = checked.sound()
    return (
        run.tag,
        run.topics,
        run.starts.tolist(),
        list(run.documents),
        run.scores.tolist(),
    )


def expected(lines):
    """The run by the definition: score descending, id descending in bytes."""
    topics = {}
    for line in lines:
        topic, _, document, _, score, _ = line.split(b" ")
        topics.setdefault(topic, []).append((float(score), document))
    return {topic: sorted(rows, reverse=True) for topic, rows in topics.items()}


@given(runs())
def test_run_is_in_evaluation_order(lines):
    run = read_run(b"\n".join(lines)).sound()
    wanted = expected(lines)
    assert [topic.encode() for topic in run.topics] == sorted(wanted)
    for index, topic in enumerate(run.topics):
        rows = wanted[topic.encode()]
        assert run.ranking(topic) == [document for _, document in rows]
        scores = run.scores[run.starts[index] : run.starts[index + 1]]
        assert scores.tolist() == [score for score, _ in rows]


@given(runs(), st.randoms())
def test_order_of_lines_changes_nothing(lines, random):
    shuffled = list(lines)
    random.shuffle(shuffled)
    assert content(read_run(b"\n".join(shuffled))) == content(read_run(b"\n".join(lines)))


@given(
    runs(),
    st.sampled_from([b"\n", b"\r\n"]),
    st.sampled_from([b" ", b"\t", b"  \t "]),
    st.sampled_from([b"", b" ", b"\t"]),
    st.sampled_from([b"", b"\xef\xbb\xbf"]),
    st.sampled_from([bytes, gzip.compress]),
    st.integers(0, 3),
    st.booleans(),
)
def test_layout_changes_nothing(lines, end, blank, margin, mark, wrap, empty, has_end):
    laid_out = []
    for line in lines:
        laid_out.append(margin + blank.join(line.split(b" ")) + margin)
        laid_out.extend([margin] * empty)
    raw = wrap(mark + end.join(laid_out) + (end if has_end else b""))
    assert content(read_run(raw)) == content(read_run(b"\n".join(lines)))


DAMAGE = {
    "wrong_column_count": lambda fields: fields[:5],
    "bad_rank": lambda fields: [*fields[:3], b"1.0", *fields[4:]],
    "bad_score": lambda fields: [*fields[:4], b"1,0", fields[5]],
    "score_not_finite": lambda fields: [*fields[:4], b"NaN", fields[5]],
    "encoding_not_utf8": lambda fields: [*fields[:2], b"d\xff", *fields[3:]],
    "character_not_allowed": lambda fields: [*fields[:2], b"d\x00", *fields[3:]],
    "tag_inconsistent": lambda fields: [*fields[:5], b"other"],
}


@given(runs(least=2), st.data())
def test_damage_is_found_exactly_where_it_was_done(lines, data):
    # The first line gives the tag that the others are held against.
    places = st.integers(1, len(lines) - 1)
    damaged = data.draw(st.dictionaries(places, st.sampled_from(sorted(DAMAGE)), min_size=1))
    for place, kind in damaged.items():
        lines[place] = b" ".join(DAMAGE[kind](lines[place].split(b" ")))
    checked = read_run(b"\n".join(lines))
    errors = {one.line: one.kind for one in checked.messages if one.level == "error"}
    assert errors == {place + 1: kind for place, kind in damaged.items()}
    quoted = {one.line: one.quoted for one in checked.messages if one.level == "error"}
    assert all(quoted.values())
    assert checked.run is None


@given(st.binary(max_size=300))
def test_any_bytes_give_a_report_and_no_crash(raw):
    checked = read_run(raw)
    assert (checked.run is None) == (checked.participant_outcome == "rejected")
    lines = [float("inf") if one.line is None else one.line for one in checked.messages]
    assert lines == sorted(lines)


@given(
    st.lists(st.sampled_from([b"1", b"Q0", b"a", b"\t", b" ", b"\n", b"\r", b"#", b"-1e5", b"."]))
)
def test_any_tokens_give_a_report_and_no_crash(parts):
    checked = read_run(b"".join(parts))
    assert (checked.run is None) == (checked.outcome == "rejected")


@given(runs(), st.integers(0, 2))
@settings(max_examples=50)
def test_fast_and_exact_reading_agree(lines, empty):
    chunk = b"\n".join(line + b"\n" * empty for line in lines) + b"\n"
    fast, exact = RunReader(Report(CheckRules())), RunReader(Report(CheckRules()))
    first = tokens.split_columns(chunk, 7, fast)
    second = exact.columns(chunk, 7)
    assert first is not None
    assert list(fast.topics) == list(exact.topics)
    assert list(first.documents) == list(second.documents)
    for name in ("lines", "topics", "ranks", "scores"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name))


@pytest.mark.parametrize("damaged", [1, 4_999, 12_345, 20_000])
def test_damage_deep_in_a_file_of_many_chunks(damaged):
    lines = [
        b"%d Q0 doc-%032d %d %d tag" % (row // 100, row, row % 100, -row) for row in range(20_000)
    ]
    lines[damaged - 1] = lines[damaged - 1].replace(b" tag", b" two tags")
    (only,) = read_run(b"\n".join(lines)).messages
    assert (only.line, only.kind) == (damaged, "wrong_column_count")
    assert only.quoted.endswith("two tags")
