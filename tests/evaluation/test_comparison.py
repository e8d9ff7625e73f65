"""A submitted run against the original."""

import json
import math

import pytest

from evaluation.comparison import compare, compare_rankings, compare_scores
from evaluation.data import Qrels, Run, TopicScores


def ranked(**topics: str) -> Run:
    return Run.of(
        {
            name[1:]: {document: float(-place) for place, document in enumerate(order.split())}
            for name, order in topics.items()
        }
    )


ORIGINAL = ranked(t1="a b c d", t2="a b c d", t3="a b c d")
SUBMITTED = ranked(t1="b a c d", t2="a x y z", t4="a b")
QRELS = Qrels.of({"1": {"a": 1}, "2": {"b": 1}, "3": {"a": 1}})


def test_common_topics_are_compared_and_the_others_listed():
    found = compare(ORIGINAL, SUBMITTED)
    assert found.topics == ("1", "2")
    assert (found.only_in_original, found.only_in_submitted) == (("3",), ("4",))
    assert found.measures == {}
    tau = found.rankings["kendall_tau_union"]
    assert tau.scores.over(["1", "2"]).tolist() == pytest.approx([2 / 3, 1])
    assert (tau.mean.value, tau.mean.count) == (pytest.approx(5 / 6), 2)
    assert found.rankings["overlap"].mean.value == pytest.approx((1 + 0.25) / 2)


def test_undefined_topics_are_left_out_of_a_mean_with_their_reason():
    shared = compare(ORIGINAL, SUBMITTED).rankings["kendall_tau_intersection"]
    assert (shared.mean.value, shared.mean.count) == (pytest.approx(2 / 3), 1)
    assert shared.scores.reasons == {"2": "fewer than two shared documents"}


def test_missing_topic_of_the_task_counts_zero_and_leaves_no_tau():
    found = compare_rankings(ORIGINAL, SUBMITTED, topics=["1", "2", "3"])
    overlap = found["rank_biased_overlap"]
    assert overlap.scores.over(["3"]).tolist() == [0]
    whole = compare_rankings(ORIGINAL, SUBMITTED)["rank_biased_overlap"].mean
    assert overlap.mean.value == pytest.approx(whole.value * 2 / 3)
    for name in ("kendall_tau_union", "kendall_tau_union_tied_below", "kendall_tau_intersection"):
        assert math.isnan(found[name].mean.value)
        assert found[name].mean.reason == "the submitted run lacks topics of the task"
        assert found[name].scores.reasons["3"] == "the submitted run lacks the topic"


def test_task_topics_that_are_all_there_change_nothing():
    with_task = compare_rankings(ORIGINAL, SUBMITTED, topics=["1", "2"])
    without = compare_rankings(ORIGINAL, SUBMITTED)
    assert {name: one.mean for name, one in with_task.items()} == {
        name: one.mean for name, one in without.items()
    }


def test_scores_count_missing_topics_as_zero():
    found = compare(ORIGINAL, SUBMITTED, QRELS, ["RR"]).measures["RR"]
    # Original 1, 1/2, 1; submitted 1/2, 0, 0 (topic 3 is missing).
    assert found.arp_original == pytest.approx(2.5 / 3)
    assert found.arp_submitted == pytest.approx(0.5 / 3)
    assert found.delta_arp == pytest.approx(2 / 3)
    assert found.rmse == pytest.approx(math.sqrt((0.25 + 0.25 + 1) / 3))
    assert found.topics == 3
    assert found.test.difference == pytest.approx(2 / 3)


def test_retrieved_rule_averages_over_topics_of_both():
    found = compare(ORIGINAL, SUBMITTED, QRELS, ["RR"], rule="retrieved").measures["RR"]
    assert (found.topics, found.arp_submitted) == (2, pytest.approx(0.25))


def test_run_against_itself_differs_in_nothing():
    found = compare(ORIGINAL, ORIGINAL, QRELS, ["nDCG@10", "AP"])
    for name, one in found.rankings.items():
        assert one.mean.value == 1, name
    for scores in found.measures.values():
        assert (scores.rmse, scores.nrmse, scores.delta_arp, scores.test.p_value) == (0, 0, 0, 1)
        assert scores.reasons == {"t": "identical"}
    assert found.warnings == {}


def test_little_overlap_and_short_lists_warn():
    found = compare(ORIGINAL, ranked(t1="x y z", t2="x a z", t3="x y z"))
    assert set(found.warnings) == {"little_overlap", "shorter_lists"}


def test_new_collection_has_no_rmse_and_a_pooled_test():
    first = TopicScores.of("AP", {"1": 0.2, "2": 0.4, "3": 0.3})
    second = TopicScores.of("AP", {"7": 0.1, "8": 0.2})
    found = compare_scores(first, second, ["1", "2", "3"], ["7", "8"])
    assert math.isnan(found.rmse)
    assert found.reasons == dict.fromkeys(("rmse", "nrmse"), "defined on the same topics only")
    assert found.test.degrees_of_freedom == 3
    assert found.delta_arp == pytest.approx(0.15)


def test_unbounded_measures_have_no_nrmse():
    scores = TopicScores.of("nDCG(ideal='pool', clip=None)@10", {"1": 0.2, "2": 0.4})
    found = compare_scores(scores, scores, ["1", "2"])
    assert math.isnan(found.nrmse)
    assert found.reasons["nrmse"] == "the measure is not bounded by 1"
    unknown = TopicScores.of("F1", {"1": 0.2, "2": 0.4})
    assert math.isnan(compare_scores(unknown, unknown, ["1", "2"]).nrmse)


def test_json_writes_null_for_undefined_values():
    found = compare(ORIGINAL, SUBMITTED, QRELS, ["AP"]).to_json()
    text = json.dumps(found, allow_nan=False)
    assert json.loads(text)["kendall_tau_intersection"]["topics"]["2"] is None
    assert found["topics"] == 2
    assert found["kendall_tau_union"]["variant"] == "first_appearance"
    assert found["kendall_tau_union_sorted"]["variant"] == "sorted"
    assert found["kendall_tau_union_tied_below"]["variant"] == "tied_below"
    assert (found["rank_biased_overlap"]["p"], found["rank_biased_overlap"]["variant"]) == (
        0.8,
        "ext",
    )
    assert "topics" not in compare(ORIGINAL, SUBMITTED).to_json(per_topic=False)["overlap"]


def test_runs_without_common_topics_have_no_means():
    found = compare(ranked(t1="a b"), ranked(t2="a b"), Qrels.of({}), ["AP"])
    assert found.topics == ()
    assert {one.mean.reason for one in found.rankings.values()} == {"no topic to average over"}
    reasons = found.measures["AP"].reasons
    assert reasons["rmse"] == reasons["delta_arp"] == "no topic to average over"
    json.dumps(found.to_json(), allow_nan=False)
