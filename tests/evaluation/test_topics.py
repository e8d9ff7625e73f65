import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.errors import FileRejected
from evaluation.topics import read_document_ids, read_topics


def found(checked):
    return [(one.level, one.line, one.kind) for one in checked.messages]


def test_topics_keep_their_order_and_text():
    checked = read_topics("2\tклимат и\u00a0время\r\n\n0\ta\tb \n007\t\n301\n".encode())
    assert checked.messages == ()
    assert list(checked.sound().items()) == [
        ("2", "климат и\u00a0время"),
        ("0", "a\tb"),
        ("007", ""),
        ("301", ""),
    ]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (b"2 a topic without tab", "wrong_column_count"),
        (b"\ttext without an id", "wrong_column_count"),
        (b"1\tagain", "duplicate_topic"),
        (b"2\ta\x00b", "character_not_allowed"),
        (b"2\t\xff", "encoding_not_utf8"),
        (b"2\xff\ttext", "encoding_not_utf8"),
        (b"2\x0c\ttext", "character_not_allowed"),
        (b"2\t" + b"x" * 70_000, "line_too_long"),
    ],
)
def test_faulty_topic(line, kind):
    checked = read_topics(b"1\tone\n" + line + b"\n3\tthree\n")
    assert found(checked) == [("error", 2, kind)]
    with pytest.raises(FileRejected):
        checked.sound()


@pytest.mark.parametrize("line", [b"topic_id\ttext", b"qid\tquery", b"id\ttitle"])
def test_header_of_topics(line):
    assert found(read_topics(line + b"\n1\tone\n")) == [("error", 1, "header_line")]


def test_first_topic_with_a_plain_text_is_no_header():
    assert read_topics(b"topic\tsome words\n").sound() == {"topic": "some words"}


def test_topics_without_any():
    assert found(read_topics(b"\n")) == [("error", None, "empty_file")]


def test_document_ids():
    checked = read_document_ids("a\nb\r\n\nD-caf\u00e9\na\n".encode())
    assert sorted(checked.sound()) == [b"D-caf\xc3\xa9", b"a", b"b"]
    assert len(checked.sound()) == 3
    assert checked.outcome == "accepted"


def test_document_id_with_a_blank():
    assert found(read_document_ids(b"a\nb c\n")) == [("error", 2, "wrong_column_count")]


def test_document_ids_without_any():
    assert found(read_document_ids(b"")) == [("error", None, "empty_file")]


@given(st.binary(max_size=200))
def test_any_bytes_give_a_report_and_no_crash(raw):
    assert (read_topics(raw).topics is None) == (read_topics(raw).outcome == "rejected")
    assert (read_document_ids(raw).ids is None) == (read_document_ids(raw).outcome == "rejected")
