import json

import pytest

from evaluation.errors import FileRejected, Message, outcome_of, visible
from evaluation.report import LISTED, Report
from evaluation.rules import CheckRules


def message(level, *, line=None, organizers_only=False):
    return Message(level, line, "missing_topic", None, "text", "remedy", None, organizers_only)


@pytest.mark.parametrize(
    ("levels", "outcome"),
    [
        ([], "accepted"),
        (["warning"], "accepted_with_warning"),
        (["warning", "error"], "rejected"),
    ],
)
def test_outcome_is_that_of_the_worst_message(levels, outcome):
    assert outcome_of(message(level) for level in levels) == outcome


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        (b"plain text", "plain text"),
        (b"a\x00b\x1b[0m\x0c", "a\\x00b\\x1b[0m\\x0c"),
        (b"a\tb", "a b"),
        ("caf\u00e9".encode(), "caf\u00e9"),
        (b"caf\xe9", "caf\\xe9"),
        ("a\u200bb\u2028c\ufeff".encode(), "a\\u200bb\\u2028c\\ufeff"),
        (b"x" * 201, "x" * 200 + "\u2026"),
        (b"x" * 199 + "\u00e9".encode(), "x" * 199 + "\u2026"),
        ("a\ud800", "a\\xed\\xa0\\x80"),
    ],
)
def test_visible_text_hides_nothing_and_is_short(raw, shown):
    assert visible(raw) == shown


def test_message_as_json_has_the_agreed_keys():
    kept = json.loads(json.dumps(message("error", line=3).as_dict()))
    assert kept == {
        "level": "error",
        "line": 3,
        "kind": "missing_topic",
        "topic": None,
        "text": "text",
        "remedy": "remedy",
        "quoted": None,
    }


def test_report_lists_the_first_hundred_by_line_and_counts_the_rest():
    report = Report(CheckRules())
    for line in range(500, 0, -1):
        report.add("bad_score", line, "score {}", b"{x}\x00")
    messages = report.messages({})
    assert [one.line for one in messages[:LISTED]] == list(range(1, 101))
    assert messages[0].text == "score {x}\\x00"
    assert messages[LISTED:] == (messages[-1],)
    assert messages[-1].line is None
    assert messages[-1].text == "400 more of bad_score, 500 in all"


def test_report_puts_the_whole_file_last():
    report = Report(CheckRules())
    report.add("missing_topic", None, "topic 3 has no results")
    report.add("bad_score", 7, "score")
    assert [one.line for one in report.messages({})] == [7, None]


def test_report_counts_once_a_file_kinds_in_one_message():
    report = Report(CheckRules())
    report.add("q0_column", 9, "not Q0", count=4)
    report.add("q0_column", 2, "not Q0")
    (only,) = report.messages({2: b"1 0 d"})
    assert (only.line, only.text, only.quoted) == (2, "not Q0 (5 times in the file)", "1 0 d")


def test_report_drops_ignored_kinds():
    report = Report(CheckRules(levels={"q0_column": "ignore"}))
    report.add("q0_column", 1, "not Q0")
    assert report.messages({}) == ()


def test_report_never_counts_organizers_messages_for_participants():
    report = Report(CheckRules())
    for line in range(1, 151):
        report.add("id_differs_by_unicode_form", line, "x", organizers_only=True)
    report.add("id_differs_by_unicode_form", 999, "x")
    shown = [one for one in report.messages({}) if not one.organizers_only]
    assert [one.line for one in shown] == [999]


def test_file_rejected_names_its_messages():
    assert str(FileRejected([message("error", line=3)])) == (
        "error: line 3: text [missing_topic] remedy"
    )
