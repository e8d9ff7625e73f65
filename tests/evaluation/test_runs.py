"""Every kind of message that one line of a run can cause, and what becomes of the run."""

import gzip
import hashlib
import io

import pytest

from evaluation.errors import FileRejected
from evaluation.rules import Budgets, CheckRules
from evaluation.trec import read_run

SOUND = (
    b"301 Q0 d-a 1 3.5 tag",
    b"301 Q0 d-b 2 2.5 tag",
    b"302 Q0 d-a 1 9 tag",
    b"302 Q0 d-c 2 8 tag",
)


def with_line(number, line):
    lines = list(SOUND)
    lines[number - 1] = line
    return b"\n".join(lines) + b"\n"


def found(checked):
    return [(one.level, one.line, one.kind) for one in checked.messages]


def ranking(checked):
    run = checked.sound()
    return {topic: [one.decode() for one in run.ranking(topic)] for topic in run.topics}


@pytest.mark.parametrize("source", ["bytes", "gzip", "file", "path", "str"])
def test_sound_run_from_any_source(source, tmp_path):
    raw = b"\n".join(SOUND) + b"\n"
    path = tmp_path / "run.txt"
    path.write_bytes(raw)
    given = {
        "bytes": raw,
        "gzip": gzip.compress(raw),
        "file": io.BytesIO(raw),
        "path": path,
        "str": str(path),
    }[source]
    checked = read_run(given)
    assert (checked.outcome, checked.messages) == ("accepted", ())
    assert ranking(checked) == {"301": ["d-a", "d-b"], "302": ["d-a", "d-c"]}
    assert checked.sound().scores.tolist() == [3.5, 2.5, 9.0, 8.0]
    assert checked.sound().sha256 == checked.summary.sha256
    assert checked.summary.as_dict() == {
        "tag": "tag",
        "topics": 2,
        "documents": 4,
        "sha256": hashlib.sha256(raw).hexdigest(),
    }
    assert checked.summary.lines == 4


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (b"302 Q0 d-a 1 9", "wrong_column_count"),
        (b"302 Q0 d a 1 9 tag", "wrong_column_count"),
        (b"302,Q0,d-a,1,9,tag", "wrong_column_count"),
        (b"302 Q0 d-a 1.5 9 tag", "bad_rank"),
        (b"302 Q0 d-a one 9 tag", "bad_rank"),
        (b"302 Q0 d-a 1_0 9 tag", "bad_rank"),
        ("302 Q0 d-a \u0661 9 tag".encode(), "bad_rank"),
        (b"302 Q0 d-a " + b"9" * 19 + b" 9 tag", "bad_rank"),
        (b"302 Q0 d-a 1 9,5 tag", "bad_score"),
        (b"302 Q0 d-a 1 1_000 tag", "bad_score"),
        (b"302 Q0 d-a 1 0x1p3 tag", "bad_score"),
        (b"302 Q0 d-a 1 9e tag", "bad_score"),
        (b"302 Q0 d-a 1 . tag", "bad_score"),
        (b"302 Q0 d-a 1 - tag", "bad_score"),
        (b"302 Q0 d-a 1 1.2.3 tag", "bad_score"),
        (b"302 Q0 d-a 1 n/a tag", "bad_score"),
        ("302 Q0 d-a 1 \uff11 tag".encode(), "bad_score"),
        (b"302 Q0 d-a 1 nan tag", "score_not_finite"),
        (b"302 Q0 d-a 1 -Inf tag", "score_not_finite"),
        (b"302 Q0 d-a 1 Infinity tag", "score_not_finite"),
        (b"302 Q0 d-a 1 1e400 tag", "score_not_finite"),
        (b"302 Q0 d-a 1 9 other", "tag_inconsistent"),
        (b"302 Q0 d\xff 1 9 tag", "encoding_not_utf8"),
        (b"302 Q0 d\xed\xa0\x80 1 9 tag", "encoding_not_utf8"),
        (b"302 Q0 d\x00a 1 9 tag", "character_not_allowed"),
        (b"302 Q0 d\x0ca 1 9 tag", "character_not_allowed"),
        (b"302 Q0 d-a\x0b1 9 tag", "character_not_allowed"),
        (b"302 Q0 d\ra 1 9 tag", "character_not_allowed"),
        (b"302 Q0 d\x7fa 1 9 tag", "character_not_allowed"),
        (b"302 Q0 d\x1da 1 9 tag", "character_not_allowed"),
        ("302 Q0 d\u00a0a 1 9 tag".encode(), "character_not_allowed"),
        ("302 Q0 d\u2028a 1 9 tag".encode(), "character_not_allowed"),
        ("302 Q0 d\u3000a 1 9 tag".encode(), "character_not_allowed"),
        ("302 Q0 d\u0085a 1 9 tag".encode(), "character_not_allowed"),
    ],
)
def test_faulty_line_rejects_the_run_and_is_quoted(line, kind):
    checked = read_run(with_line(3, line))
    assert checked.outcome == "rejected"
    assert found(checked) == [("error", 3, kind)]
    (only,) = checked.messages
    assert only.remedy
    assert only.quoted.startswith("302")
    assert len(only.quoted.encode()) <= 1000
    assert not any(ord(character) < 32 for character in only.quoted)
    with pytest.raises(FileRejected, match=kind):
        checked.sound()


@pytest.mark.parametrize("length", [65_536, 262_144, 600_000])
def test_long_line_is_too_long_and_its_neighbours_are_read(length):
    start, end = b"302 Q0 ", b" 1 9 tag"
    line = start + b"d" * (length - len(start) - len(end)) + end
    checked = read_run(with_line(3, line))
    assert found(checked) == [("error", 3, "line_too_long")]
    assert len(checked.messages[0].quoted) == 201
    assert checked.summary.documents == 3


def test_line_just_short_enough():
    line = b"302 Q0 " + b"d" * (65_535 - 15) + b" 1 9 tag"
    assert len(line) == 65_535
    assert read_run(with_line(3, line)).outcome == "accepted"


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (b"302 0 d-a 1 9 tag", "q0_column"),
        (b"302 q0 d-a 1 9 tag", "q0_column"),
        (b"302 Q0 d-a 1 1e-400 tag", "score_underflow"),
        (b"302 Q0 d-a 1 8 tag", "tied_scores"),
        (b"302 Q0 d-a 1 7 tag", "rank_disagrees_with_score"),
        ("302 Q0 d\u200ba 1 9 tag".encode(), "invisible_character_in_id"),
        ("302 Q0 d\ufeffa 1 9 tag".encode(), "invisible_character_in_id"),
    ],
)
def test_odd_line_warns(line, kind):
    checked = read_run(with_line(3, line))
    assert checked.outcome == "accepted_with_warning"
    assert ("warning", 3 if b" 7 " not in line else 4, kind) in found(checked)
    assert len(checked.sound().documents) == 4


@pytest.mark.parametrize(
    "score", [b"9", b"+9", b"9.", b".5", b"-0", b"1e3", b"1E-3", b"12345678901234567890.5", b"0e5"]
)
def test_scores_of_every_accepted_form(score):
    raw = b"1 Q0 a 1 " + score + b" t\n"
    assert read_run(raw).sound().scores.tolist() == [float(score)]


def test_two_faults_of_one_line_are_both_told():
    checked = read_run(with_line(3, b"302 Q0 d-a x y tag"))
    assert found(checked) == [("error", 3, "bad_rank"), ("error", 3, "bad_score")]
    assert [one.topic for one in checked.messages] == ["302", "302"]


def test_ids_stay_byte_for_byte():
    raw = "1 Q0 D-cafe\u0301 1 2 t\n1 Q0 D-caf\u00e9 2 1 t\n007 Q0 NA 1 2 t\n0 Q0 \"q' 1 2 t\n"
    checked = read_run(raw.encode())
    assert found(checked) == []
    assert checked.sound().topics == ("0", "007", "1")
    assert checked.sound().ranking("1") == ["D-cafe\u0301".encode(), "D-caf\u00e9".encode()]


@pytest.mark.parametrize("line", [b"qid Q0 docno rank score tag", b"query-id doc-id rank score"])
def test_header_line(line):
    checked = read_run(line + b"\n" + b"\n".join(SOUND))
    assert found(checked) == [("error", 1, "header_line")]
    tolerant = read_run(
        line + b"\n" + b"\n".join(SOUND), CheckRules(levels={"header_line": "ignore"})
    )
    assert (tolerant.outcome, len(tolerant.sound().documents)) == ("accepted", 4)


def test_names_of_columns_further_down_are_no_header():
    checked = read_run(with_line(3, b"qid Q0 docno rank score tag"))
    assert found(checked) == [("error", 3, "bad_rank"), ("error", 3, "bad_score")]


def test_comments_are_skipped_counted_and_keep_line_numbers():
    raw = b"# a\n\n  # b\n301 Q0 #d 1 1 t\n301 Q0 d 2 x t\n"
    assert found(read_run(raw)) == [
        ("warning", 1, "comment_lines_skipped"),
        ("error", 5, "bad_score"),
    ]
    assert read_run(raw).messages[0].text.endswith("(2 times in the file)")


@pytest.mark.parametrize("raw", [b"", b"\n\n \t\r\n", b"\xef\xbb\xbf", gzip.compress(b""), b"#a\n"])
def test_file_without_results_is_empty(raw):
    checked = read_run(raw)
    assert checked.outcome == "rejected"
    assert ("error", None, "empty_file") in found(checked)


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        (b"%PDF-1.7\n", "PDF"),
        (b"PK\x03\x04\x14\x00", "zip"),
        (b"<!DOCTYPE html>\n<html>", "HTML"),
        (b"\n<html><body>", "HTML"),
        (b"<?xml version='1.0'?>", "XML"),
        (b'{"a": 1}', "JSON"),
        (b'[\n {"a": 1}]', "JSON"),
        (b"BZh91AY", "bzip2"),
        (gzip.compress(gzip.compress(b"x")), "gzip archive inside"),
        (bytes(range(256)) * 20, "binary"),
        (b"301 0 d-a 1\n301 0 d-b 0\n", "qrels"),
        (b"1048585\t7187158\t1\n1048585\t7187157\t2\n", "MS MARCO"),
    ],
)
def test_other_files_are_recognised(raw, name):
    (only,) = read_run(raw).messages
    assert (only.level, only.line, only.kind) == ("error", None, "not_a_run")
    assert name in only.text


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le"])
def test_wide_encodings_are_refused(encoding):
    checked = read_run("301 Q0 d-a 1 3.5 tag\n".encode(encoding))
    assert checked.messages[0].kind in ("encoding_not_utf8", "not_a_run")
    assert checked.outcome == "rejected"


def test_byte_order_mark_is_taken_off():
    checked = read_run(b"\xef\xbb\xbf" + with_line(3, SOUND[2]))
    assert found(checked) == [("warning", 1, "byte_order_mark")]
    assert checked.sound().topics == ("301", "302")


@pytest.mark.parametrize("level", ["warning", "ignore"])
def test_extra_columns_are_dropped_where_the_rules_say_so(level):
    raw = b"\n".join(line + b" (ID:%d)" % rank for rank, line in enumerate(SOUND))
    checked = read_run(raw, CheckRules(levels={"extra_column": level}))
    assert checked.sound().tag == "tag"
    assert found(checked) == ([("warning", 1, "extra_column")] if level == "warning" else [])
    assert [one.kind for one in read_run(raw).messages] == ["wrong_column_count"] * 4


@pytest.mark.parametrize(
    ("pattern", "outcome"),
    [("^[a-z]{1,3}$", "accepted"), ("[a-z]{1,2}", "rejected"), (None, "accepted")],
)
def test_tag_pattern_matches_the_whole_tag(pattern, outcome):
    checked = read_run(with_line(3, SOUND[2]), CheckRules(tag_pattern=pattern))
    assert checked.outcome == outcome
    assert found(checked) == ([("error", 1, "tag_invalid")] if outcome == "rejected" else [])


def test_other_tags_may_be_tolerated():
    rules = CheckRules(levels={"tag_inconsistent": "warning"})
    checked = read_run(with_line(3, b"302 Q0 d-a 1 9 other"), rules)
    assert found(checked) == [("warning", 3, "tag_inconsistent")]
    assert (checked.sound().tag, len(checked.sound().documents)) == ("tag", 4)


def test_bad_rank_may_be_tolerated():
    rules = CheckRules(levels={"bad_rank": "ignore"})
    assert read_run(with_line(3, b"302 Q0 d-a - 9 tag"), rules).outcome == "accepted"


@pytest.mark.parametrize(
    "budgets",
    [Budgets(lines=3), Budgets(topics=1), Budgets(text_bytes=50), Budgets(upload_bytes=9)],
)
def test_budgets_end_the_reading(budgets):
    checked = read_run(b"\n".join(SOUND) + b"\n", CheckRules(budgets=budgets))
    assert found(checked) == [("error", None, "file_too_large")]
    assert checked.run is None
    assert checked.summary.sha256 is None


def test_hundred_faults_are_listed_and_the_rest_counted():
    raw = b"\n".join([*SOUND, *[b"303 Q0 d 1 x tag"] * 150])
    checked = read_run(raw)
    assert [one.line for one in checked.messages[:100]] == list(range(5, 105))
    assert checked.messages[100].text == "50 more of bad_score, 150 in all"
    assert len(checked.messages) == 101


def test_faults_of_a_gzip_file_count_lines_of_the_text():
    raw = gzip.compress(b"\n".join(SOUND[:2]) + b"\n") + gzip.compress(b"\n302 Q0 d-a 1\n")
    assert found(read_run(raw)) == [("error", 4, "wrong_column_count")]


def test_row_whose_ids_are_named_like_columns_is_no_header():
    checked = read_run(b"topic Q0 docid 1 2.5 run\n")
    assert checked.messages == ()
    assert ranking(checked) == {"topic": ["docid"]}
