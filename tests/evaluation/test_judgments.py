import gzip
import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.errors import FileRejected
from evaluation.judgments import read_pool, read_qrels
from evaluation.rules import CheckRules

SOUND = b"2 0 a 1\n2 0 b 0\n10 0.5 a -1\n10 Q0 c 3\n"


def found(checked):
    return [(one.level, one.line, one.kind) for one in checked.messages]


@pytest.mark.parametrize("wrap", [bytes, gzip.compress])
def test_sound_qrels(wrap):
    checked = read_qrels(wrap(SOUND))
    qrels = checked.sound()
    assert (checked.outcome, checked.messages, checked.lines) == ("accepted", (), 4)
    assert qrels.topics == ("10", "2")
    assert qrels.judged("10") == {b"a": -1.0, b"c": 3.0}
    assert qrels.judged("2") == {b"a": 1.0, b"b": 0.0}
    assert qrels.is_graded
    assert qrels.sha256 == hashlib.sha256(SOUND).hexdigest()


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (b"2 0 b", "wrong_column_count"),
        (b"2 0 b 1 1", "wrong_column_count"),
        (b"2 0 1 b", "bad_relevance"),
        (b"2 0 b 0.7", "bad_relevance"),
        (b"2 0 b 1.0", "bad_relevance"),
        (b"2 0 b 1_0", "bad_relevance"),
        (b"2 0 b nan", "bad_relevance"),
        (b"2 0 b\xff 1", "encoding_not_utf8"),
        (b"2 0 b\x00 1", "character_not_allowed"),
        (b"2 0 a 0", "conflicting_judgement"),
    ],
)
def test_faulty_judgment_rejects_the_qrels(line, kind):
    checked = read_qrels(SOUND.replace(b"2 0 b 0", line))
    assert found(checked) == [("error", 2, kind)]
    assert checked.messages[0].quoted.startswith("2 0")
    with pytest.raises(FileRejected):
        checked.sound()


def test_repeated_judgment_warns_and_names_the_first_line():
    checked = read_qrels(SOUND + b"\n2 0 a 1\n")
    assert found(checked) == [("warning", 6, "duplicate_judgement")]
    assert "on line 1" in checked.messages[0].text
    assert len(checked.sound().grades) == 4


def test_topics_outside_the_topic_file_warn_at_their_first_line():
    checked = read_qrels(SOUND, topics=["2"])
    assert found(checked) == [("warning", 3, "topic_not_in_topic_file")]
    assert checked.sound().topics == ("10", "2")


def test_topics_outside_the_topic_file_may_be_an_error():
    rules = CheckRules(levels={"topic_not_in_topic_file": "error"})
    assert read_qrels(SOUND, rules, topics=["2"]).outcome == "rejected"


def test_real_valued_judgments():
    checked = read_qrels(b"1 0 a 0.8\n1 0 b -1.5e-3\n1 0 c 2\n", graded=False)
    assert checked.sound().judged("1") == {b"a": 0.8, b"b": -0.0015, b"c": 2.0}
    assert not checked.sound().is_graded


@pytest.mark.parametrize("value", [b"x", b"inf", b"1e999", b"0,5"])
def test_real_valued_judgment_that_is_no_number(value):
    checked = read_qrels(b"1 0 a 0.8\n1 0 b " + value + b"\n", graded=False)
    assert found(checked) == [("error", 2, "bad_relevance")]


@pytest.mark.parametrize("raw", [b"", b"\n\n", b"# nothing\n"])
def test_qrels_without_judgments_are_empty(raw):
    checked = read_qrels(raw)
    assert ("error", None, "empty_file") in found(checked)
    assert checked.qrels is None


def test_header_comments_and_mark():
    raw = b"\xef\xbb\xbf# made up\ntopic iter docno rel\n" + SOUND
    assert found(read_qrels(raw)) == [
        ("warning", 1, "byte_order_mark"),
        ("warning", 1, "comment_lines_skipped"),
        ("error", 2, "header_line"),
    ]


def test_pool():
    checked = read_pool(b"1\ta\t0.5\n1\tb\t-2\n2\ta\t0\n")
    assert checked.sound().judged("1") == {b"a": 0.5, b"b": -2.0}
    assert not checked.sound().is_graded


@pytest.mark.parametrize("line", [b"1\tb", b"1\tb\t-", b"1\tb\tNA", b"1\tb\tNaN", b"1 b null"])
def test_pool_without_a_utility(line):
    checked = read_pool(b"1\ta\t0.5\n" + line + b"\n2\ta\t0\n")
    assert found(checked) == [("error", 2, "missing_utility")]


def test_pool_with_four_columns():
    assert found(read_pool(b"1 0 a 0.5\n")) == [("error", 1, "wrong_column_count")]


JUDGED = st.dictionaries(
    st.tuples(st.sampled_from(["1", "2", "10"]), st.sampled_from("abcdef")), st.integers(-2, 4)
)


@given(JUDGED.filter(bool), st.randoms(), st.integers(0, 2))
def test_order_of_lines_and_blanks_change_nothing(judged, random, empty):
    rows = list(judged.items())
    random.shuffle(rows)
    text = "".join(f"{t}\t0  {d} {grade}\r\n" + "\r\n" * empty for (t, d), grade in rows)
    qrels = read_qrels(text.encode()).sound()
    read = {
        (topic, document.decode()): grade
        for topic in qrels.topics
        for document, grade in qrels.judged(topic).items()
    }
    assert read == judged


@given(st.binary(max_size=200), st.booleans())
def test_any_bytes_give_a_report_and_no_crash(raw, graded):
    for checked in (read_qrels(raw, graded=graded), read_pool(raw)):
        assert (checked.qrels is None) == (checked.outcome == "rejected")
