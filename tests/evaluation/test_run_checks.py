"""What only a whole run shows: order, duplicates, depth, topics, pool, collection, judgments."""

import pytest

from evaluation.data import Qrels, Run
from evaluation.rules import CheckRules
from evaluation.trec import read_run


def run_of(*rows):
    """Lines from (topic, document, rank, score)."""
    return "".join(f"{t} Q0 {d} {r} {s} tag\n" for t, d, r, s in rows).encode()


def found(checked):
    return [(one.level, one.line, one.kind) for one in checked.messages]


def ranking(checked, topic):
    return [document.decode() for document in checked.sound().ranking(topic)]


TWO = run_of(("1", "a", 1, 3), ("1", "b", 2, 2), ("2", "a", 1, 3))


def test_order_is_by_score_then_by_id_descending():
    checked = read_run(
        run_of(("1", "9", 1, 1), ("1", "B", 2, 1), ("1", "a", 3, 1), ("1", "_", 4, 2))
    )
    assert ranking(checked, "1") == ["_", "a", "B", "9"]


@pytest.mark.parametrize(("precision", "order"), [("double", ["a", "b"]), ("single", ["b", "a"])])
def test_order_by_precision(precision, order):
    raw = run_of(("1", "a", 1, "1.00000001"), ("1", "b", 2, "1.0"))
    checked = read_run(raw, CheckRules(precision=precision))
    assert ranking(checked, "1") == order
    assert [one.kind for one in checked.messages] == (
        [] if precision == "double" else ["tied_scores"]
    )


def test_single_precision_takes_scores_beyond_its_range():
    raw = run_of(("1", "a", 1, "1e300"), ("1", "b", 2, "1e30"), ("1", "c", 3, "-1e300"))
    checked = read_run(raw, CheckRules(precision="single"))
    assert ranking(checked, "1") == ["a", "b", "c"]
    assert checked.sound().scores.tolist() == [1e300, 1e30, -1e300]


def test_topics_are_in_byte_order():
    checked = read_run(
        run_of(("10", "a", 1, 1), ("9", "a", 1, 1), ("é", "a", 1, 1), ("z", "a", 1, 1))
    )
    assert checked.sound().topics == ("10", "9", "z", "é")


def test_duplicate_document_names_both_lines():
    raw = run_of(("1", "a", 1, 3), ("2", "a", 1, 3), ("1", "a", 2, 2))
    checked = read_run(raw)
    assert ("error", 3, "duplicate_document") in found(checked)
    (message,) = [one for one in checked.messages if one.kind == "duplicate_document"]
    assert message.text == "document a of topic 1 is already on line 1"
    assert (message.topic, message.quoted) == ("1", "1 Q0 a 2 2 tag")


@pytest.mark.parametrize("level", ["warning", "ignore"])
def test_duplicate_document_keeps_the_best_scored_copy(level):
    raw = run_of(("1", "a", 1, 1), ("1", "b", 2, 2), ("1", "a", 3, 3))
    checked = read_run(raw, CheckRules(levels={"duplicate_document": level}))
    assert ranking(checked, "1") == ["a", "b"]
    assert checked.sound().scores.tolist() == [3.0, 2.0]
    assert (("warning", 3, "duplicate_document") in found(checked)) == (level == "warning")


def test_too_many_documents_names_the_first_line_beyond():
    checked = read_run(run_of(*[("1", f"d{i}", i, -i) for i in range(1, 5)]), CheckRules(depth=2))
    assert found(checked) == [("error", 3, "too_many_documents")]
    assert checked.messages[0].text == "topic 1 has 4 documents, 2 are allowed"


def test_depth_may_truncate_to_the_best():
    raw = run_of(("1", "c", 1, 1), ("1", "b", 2, 2), ("1", "a", 3, 3))
    checked = read_run(raw, CheckRules(depth=2, depth_rule="truncate"))
    assert ranking(checked, "1") == ["a", "b"]
    assert ("warning", 3, "too_many_documents") in found(checked)


def test_depth_counts_copies_of_a_document_once():
    raw = run_of(("1", "a", 1, 3), ("1", "a", 2, 2), ("1", "b", 3, 1))
    rules = CheckRules(depth=2, levels={"duplicate_document": "ignore"})
    assert read_run(raw, rules).outcome == "accepted"


@pytest.mark.parametrize("first", [0, 1])
def test_ranks_may_start_at_zero_or_one(first):
    assert read_run(run_of(("1", "a", first, 2), ("1", "b", first + 1, 1))).messages == ()


@pytest.mark.parametrize("ranks", [(2, 3), (1, 3), (1, 1), (0, 0), (2, 1)])
def test_ranks_out_of_sequence_warn_once_at_the_topic(ranks):
    rows = [
        (topic, document, rank, 5)
        for topic in "12"
        for document, rank in zip("ab", ranks, strict=True)
    ]
    warned = [one for one in found(read_run(run_of(*rows))) if one[2] == "rank_not_sequential"]
    assert warned == [("warning", 1, "rank_not_sequential")]


def test_rank_against_score_warns_at_the_first_line_that_rises():
    raw = run_of(("1", "a", 1, 3), ("2", "a", 1, 1), ("2", "b", 2, 2), ("2", "c", 3, 3))
    assert found(read_run(raw)) == [("warning", 3, "rank_disagrees_with_score")]


def test_topic_that_comes_back_warns_each_time():
    raw = run_of(("1", "a", 1, 9), ("2", "a", 1, 9), ("1", "b", 2, 8), ("2", "b", 2, 8))
    assert found(read_run(raw)) == [
        ("warning", 3, "topic_not_contiguous"),
        ("warning", 4, "topic_not_contiguous"),
    ]
    assert ranking(read_run(raw), "1") == ["a", "b"]


def test_missing_topics_are_named_without_a_line():
    checked = read_run(TWO, topics=["1", "2", "3", "03"])
    assert found(checked) == [("warning", None, "missing_topic")] * 2
    assert [one.topic for one in checked.messages] == ["3", "03"]


def test_topic_whose_only_line_is_faulty_is_not_called_missing():
    checked = read_run(TWO + b"3 Q0 a 1 x tag\n4 Q0 a\n", topics=["1", "2", "3", "4"])
    assert found(checked) == [("error", 4, "bad_score"), ("error", 5, "wrong_column_count")]


@pytest.mark.parametrize(
    ("level", "messages"),
    [
        ("error", [("error", 3, "unknown_topic")]),
        ("warning", [("warning", 3, "unknown_topic")]),
        ("ignore", []),
    ],
)
def test_unknown_topics_are_left_out(level, messages):
    checked = read_run(TWO, CheckRules(levels={"unknown_topic": level}), topics=["1"])
    assert found(checked) == messages
    if level != "error":
        assert checked.sound().topics == ("1",)


def test_run_of_unknown_topics_alone_may_end_up_without_rows():
    checked = read_run(TWO, CheckRules(levels={"unknown_topic": "ignore"}), topics=["7"])
    assert checked.sound().topics == ()
    assert checked.sound().starts.tolist() == [0]
    assert [one.kind for one in checked.messages] == ["missing_topic"]


def test_document_outside_the_initial_run():
    initial = Run.of({"1": {"a": 2.0, "b": 1.0}, "2": {"b": 1.0}})
    assert found(read_run(TWO, pool=initial)) == [("error", 3, "document_not_in_pool")]


def test_pool_has_to_be_ranked_as_a_whole():
    pool = Qrels.of({"1": {"a": 0.5, "b": 0.1, "c": 0.0}, "2": {"a": 0.5}}, is_graded=False)
    checked = read_run(TWO, pool=pool)
    assert found(checked) == [("error", None, "pool_incomplete")]
    assert checked.messages[0].text == "topic 1 ranks 2 of its candidates, 3 are needed"


@pytest.mark.parametrize("rules", [CheckRules(candidates=2), CheckRules(depth=2)])
def test_pool_has_to_be_ranked_as_far_as_the_rules_say(rules):
    pool = Qrels.of({"1": {"a": 0.5, "b": 0.1, "c": 0.0}, "2": {"a": 0.5}}, is_graded=False)
    assert read_run(TWO, rules, pool=pool).outcome == "accepted"


def test_initial_run_need_not_be_reranked_as_a_whole():
    initial = Run.of({"1": {"a": 2.0, "b": 1.0, "c": 0.0}, "2": {"a": 1.0}})
    assert read_run(TWO, pool=initial).outcome == "accepted"


def test_document_outside_the_collection():
    checked = read_run(TWO, documents=frozenset([b"a"]))
    assert found(checked) == [("error", 2, "document_not_in_collection")]


COMPOSED, DECOMPOSED = "D-caf\u00e9", "D-cafe\u0301"
ACCENTED = run_of(("1", DECOMPOSED, 1, 2), ("1", "b", 2, 1))


def test_unicode_form_against_the_collection_is_told_to_everyone():
    rules = CheckRules(levels={"document_not_in_collection": "warning"})
    checked = read_run(ACCENTED, rules, documents=frozenset([COMPOSED.encode(), b"b"]))
    assert found(checked) == [
        ("warning", 1, "document_not_in_collection"),
        ("warning", 1, "id_differs_by_unicode_form"),
    ]
    assert checked.participant_messages == checked.messages


def test_unicode_form_against_qrels_is_told_to_organizers_alone():
    qrels = Qrels.of({"1": {COMPOSED: 1, "b": 1}})
    checked = read_run(ACCENTED, qrels=qrels)
    assert found(checked) == [("warning", 1, "id_differs_by_unicode_form")]
    assert checked.outcome == "accepted_with_warning"
    assert (checked.participant_outcome, checked.participant_messages) == ("accepted", ())


def test_same_unicode_form_is_no_matter():
    assert read_run(ACCENTED, qrels=Qrels.of({"1": {DECOMPOSED: 1}})).messages == ()


def test_nothing_judged_is_told_to_organizers_alone():
    checked = read_run(TWO, qrels=Qrels.of({"1": {"x": 1}, "3": {"a": 1}}))
    assert found(checked) == [("warning", None, "nothing_judged")]
    assert (checked.participant_outcome, checked.participant_messages) == ("accepted", ())


def test_organizers_rules_never_reject_for_participants():
    rules = CheckRules(levels={"nothing_judged": "error"})
    checked = read_run(TWO, rules, qrels=Qrels.of({"1": {"x": 1}}))
    assert (checked.outcome, checked.participant_outcome) == ("rejected", "accepted")
    assert checked.run is not None
