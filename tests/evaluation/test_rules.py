import pytest

from evaluation.errors import KINDS, BadRules
from evaluation.rules import (
    Budgets,
    CheckRules,
    faults_of_levels,
    faults_of_settings,
    parse_level,
)

# The names of contract.md §3: others rely on them.
ERRORS = [
    "empty_file",
    "file_too_large",
    "line_too_long",
    "archive_damaged",
    "encoding_not_utf8",
    "character_not_allowed",
    "header_line",
    "wrong_column_count",
    "bad_rank",
    "bad_score",
    "score_not_finite",
    "duplicate_document",
    "unknown_topic",
    "too_many_documents",
    "tag_invalid",
    "tag_inconsistent",
    "document_not_in_pool",
    "pool_incomplete",
    "document_not_in_collection",
    "duplicate_submission",
    "not_a_run",
    "bad_relevance",
    "conflicting_judgement",
    "missing_utility",
]
WARNINGS = [
    "byte_order_mark",
    "comment_lines_skipped",
    "q0_column",
    "tied_scores",
    "rank_disagrees_with_score",
    "rank_not_sequential",
    "score_underflow",
    "topic_not_contiguous",
    "missing_topic",
    "id_differs_by_unicode_form",
    "invisible_character_in_id",
    "duplicate_judgement",
    "topic_not_in_topic_file",
    "nothing_judged",
]


def test_kinds_have_the_agreed_default_level():
    assert {name: KINDS[name].level for name in ERRORS} == dict.fromkeys(ERRORS, "error")
    assert {name: KINDS[name].level for name in WARNINGS} == dict.fromkeys(WARNINGS, "warning")
    assert all(kind.remedy.endswith(".") and kind.name == name for name, kind in KINDS.items())


def test_rules_override_a_default():
    rules = CheckRules(levels={"missing_topic": "error", "unknown_topic": "ignore"})
    assert rules.level("missing_topic") == "error"
    assert rules.level("unknown_topic") == "ignore"
    assert rules.level("bad_score") == "error"


def test_rules_with_many_faults_list_all_of_them():
    with pytest.raises(BadRules) as caught:
        CheckRules(
            levels={"no_such_kind": "error", "bad_score": "ignore", "missing_topic": "fatal"},
            depth=0,
            depth_rule="cut",
            tag_pattern="[",
            precision="half",
            candidates=-1,
            budgets=Budgets(lines=0),
        )
    assert [name for name, _ in caught.value.faults] == [
        "no_such_kind",
        "bad_score",
        "missing_topic",
        "depth",
        "candidates",
        "depth_rule",
        "precision",
        "tag_pattern",
        "lines",
    ]
    assert "bad_score: is always error and cannot be changed" in str(caught.value)


@pytest.mark.parametrize("levels", [["missing_topic"], "missing_topic", None, 3])
def test_levels_that_are_no_mapping(levels):
    assert faults_of_levels(levels) == [
        ("rules", "must map kinds of message to error, warning or ignore")
    ]


@pytest.mark.parametrize("levels", [{1: "error"}, {None: "error"}, {"missing_topic": ["error"]}])
def test_levels_with_odd_types_are_faults_and_no_crash(levels):
    assert len(faults_of_levels(levels)) == 1


@pytest.mark.parametrize("depth", [True, 1.5, "10"])
def test_depth_that_is_no_whole_number(depth):
    with pytest.raises(BadRules, match="depth: must be a whole number"):
        CheckRules(depth=depth)


def test_default_level_may_be_written_out():
    assert faults_of_levels({"bad_score": "error"}) == []


def test_parse_level_of_the_command_line():
    assert parse_level("missing_topic=error") == ("missing_topic", "error")


@pytest.mark.parametrize("text", ["missing_topic", "missing_topic=", "=error", "bad_score=ignore"])
def test_parse_level_refuses(text):
    with pytest.raises(BadRules):
        parse_level(text)


@pytest.mark.parametrize("pattern", ["(a+)+", "^([a-z]*)*$", r"(?:\w+\.?){2,}", "(x{1,9})*"])
def test_tag_pattern_that_repeats_a_repetition_is_refused(pattern: str) -> None:
    assert [name for name, _ in faults_of_settings(tag_pattern=pattern)] == ["tag_pattern"]


@pytest.mark.parametrize(
    "pattern", [r"^[A-Za-z0-9_.-]{1,24}$", r"\S{1,100}", "(team|group)-[a-z]+", r"(ab)+\(c+\)"]
)
def test_tag_pattern_that_takes_bounded_time_is_accepted(pattern: str) -> None:
    assert faults_of_settings(tag_pattern=pattern) == []
