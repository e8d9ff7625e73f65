"""Effectiveness measures: values worked by hand, and trec_eval's on random runs."""

import math

import numpy as np
import pytest
import pytrec_eval
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from evaluation.data import Qrels, Run
from evaluation.effectiveness import evaluate, join
from evaluation.effectiveness.rbp import residual
from evaluation.errors import EvaluationError

RANKING = {"a": 5.0, "b": 4.0, "c": 3.0, "d": 2.0, "e": 1.0}
GRADES = {"a": 1, "b": 0, "c": 3, "x": 2, "e": -1}


def one(measure: str, ranking: dict[str, float] = RANKING, grades: dict[str, float] = GRADES):
    found = evaluate(Run.of({"1": ranking}), Qrels.of({"1": grades}), [measure])
    [scores] = found.values()
    return float(scores.values[0])


LOG = math.log2


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        # Relevant: a at rank 1, c at rank 3, x not retrieved: R = 3.
        ("AP", (1 / 1 + 2 / 3) / 3),
        ("AP@2", 1 / 3),
        ("AP(rel=2)", (1 / 3) / 2),
        ("P@5", 2 / 5),
        ("P@10", 2 / 10),
        ("P(rel=2)@5", 1 / 5),
        ("R@1", 1 / 3),
        ("R@5", 2 / 3),
        ("RR", 1.0),
        ("RR(rel=2)", 1 / 3),
        ("RR(rel=2)@2", 0.0),
        ("Rprec", 2 / 3),
        # c has one judged non-relevant document above it, of one in all.
        ("Bpref", (1 + 0) / 3),
        ("RBP(p=0.5)", 0.5 * (1 + 0.25)),
        ("RBP(p=0.5)@2", 0.5),
        # d is not judged; e is, with a negative grade.
        ("Judged@5", 4 / 5),
        ("Judged@10", 4 / 5),
        ("nDCG@3", (1 + 3 / LOG(4)) / (3 + 2 / LOG(3) + 1 / LOG(4))),
        ("nDCG(dcg='exp-log2')@3", (1 + 7 / LOG(4)) / (7 + 3 / LOG(3) + 1 / LOG(4))),
        ("nDCG@1", 1 / 3),
    ],
)
def test_value_is_the_one_worked_by_hand(measure, expected):
    assert one(measure) == pytest.approx(expected, abs=1e-15)


def test_ideal_of_the_run_takes_its_own_values_beyond_the_cutoff():
    ranking, utilities = {"a": 4.0, "b": 3.0, "c": 2.0}, {"a": 1.0, "b": 2.0, "c": 3.0, "x": 9.0}
    assert one("nDCG(ideal='run')@2", ranking, utilities) == pytest.approx(
        (1 + 2 / LOG(3)) / (3 + 2 / LOG(3)), abs=1e-15
    )
    assert one("nDCG(ideal='pool')@2", ranking, utilities) == pytest.approx(
        (1 + 2 / LOG(3)) / (9 + 3 / LOG(3)), abs=1e-15
    )


def test_negative_utilities_count_zero_unless_the_clip_is_off():
    ranking, utilities = {"a": 2.0, "b": 1.0}, {"a": -0.5, "b": 1.0}
    assert one("nDCG(ideal='pool')@2", ranking, utilities) == pytest.approx(1 / LOG(3))
    assert one("nDCG(ideal='pool', clip=None)@2", ranking, utilities) == pytest.approx(
        (-0.5 + 1 / LOG(3)) / (1 - 0.5 / LOG(3))
    )
    assert one("nDCG(ideal='run')@1", ranking, utilities) == pytest.approx(-0.5)
    assert one("nDCG(ideal='run')@1", ranking, {"a": -0.5, "b": -0.1}) == 0.0


def test_missing_topic_scores_zero_and_unjudged_topic_is_left_out():
    run = Run.of({"2": {"a": 1.0}, "9": {"a": 1.0}})
    qrels = Qrels.of({"1": {"a": 1}, "2": {"a": 1}, "3": {"a": 0}})
    for scores in evaluate(run, qrels, ["nDCG@10", "AP", "P@1", "RBP", "Judged@5"]).values():
        assert scores.topics == ("1", "2", "3")
        assert scores.values[0] == 0.0
        assert scores.values[1] > 0.0
    assert evaluate(run, qrels, ["AP"], topics=["2", "9"])["AP"].topics == ("2",)


def test_depth_cuts_the_list_first():
    run, qrels = Run.of({"1": RANKING}), Qrels.of({"1": GRADES})
    assert evaluate(run, qrels, ["AP"], depth=2)["AP"].values[0] == pytest.approx(1 / 3)


def test_grades_too_large_for_the_measure_are_refused():
    with pytest.raises(EvaluationError, match="too large"):
        one("nDCG(dcg='exp-log2')@2", {"a": 1.0}, {"a": 2000})
    assert one("nDCG@2", {"a": 1.0}, {"a": 2000}) == 1.0


def test_no_judged_topic_gives_no_values():
    names = ["nDCG@10", "AP", "P@1", "R@5", "RR", "Rprec", "Bpref", "RBP", "Judged@5"]
    for scores in evaluate(Run.of({"1": RANKING}), Qrels.of({}), names).values():
        assert scores.topics == ()
        assert len(scores.values) == 0


def test_residual_of_rbp_counts_unjudged_ranks_and_the_rest():
    joined = join(Run.of({"1": RANKING}), Qrels.of({"1": GRADES, "2": {"a": 1}}))
    # d at rank 4 is unjudged: .5 * .125; beyond rank 5: .5^5. An empty list is all residual.
    assert residual(joined, p=0.5).tolist() == [0.5 * 0.125 + 0.5**5, 1.0]
    assert residual(joined, 2, p=0.5).tolist() == [0.25, 1.0]


DOCUMENTS = [f"d{number}" for number in range(12)]
topics = st.dictionaries(
    st.sampled_from(["1", "2", "10"]),
    st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(-1, 3), min_size=1),
    min_size=1,
)
rankings = st.dictionaries(
    st.sampled_from(["1", "2", "10"]),
    st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(-3, 3), min_size=1),
    min_size=1,
)
SHARED = {
    "nDCG": "ndcg",
    "nDCG@5": "ndcg_cut_5",
    "AP": "map",
    "AP@5": "map_cut_5",
    "P@5": "P_5",
    "R@5": "recall_5",
    "RR": "recip_rank",
    "Rprec": "Rprec",
    "Bpref": "bpref",
}


@settings(max_examples=150)
@given(topics, rankings)
def test_values_equal_those_of_trec_eval(grades, scores):
    # The reference never returns from a topic that has only negative judgments.
    assume(all(max(judged.values()) >= 0 for judged in grades.values()))
    run = {name: {k: float(v) for k, v in found.items()} for name, found in scores.items()}
    families = {name.rstrip("0123456789").rstrip("_") for name in SHARED.values()}
    wanted = families | {"ndcg_cut.5", "map_cut.5", "P.5", "recall.5"}
    reference = pytrec_eval.RelevanceEvaluator(grades, wanted - {"P", "recall"}).evaluate(run)
    found = evaluate(Run.of(run), Qrels.of(grades), SHARED)
    for topic, values in reference.items():
        for name, key in SHARED.items():
            assert found[name].over([topic])[0] == pytest.approx(values[key], abs=1e-12), name


@settings(max_examples=100)
@given(topics, rankings)
def test_values_stay_in_their_range(grades, scores):
    names = [*SHARED, "nDCG(dcg='exp-log2')@5", "nDCG(ideal='pool')@5", "RBP", "Judged@5"]
    for found in evaluate(Run.of(scores), Qrels.of(grades), names).values():
        assert np.all(found.values >= 0.0)
        assert np.all(found.values <= 1.0 + 1e-12)


@settings(max_examples=100)
@given(topics)
def test_perfect_ranking_scores_one(grades):
    # Where a topic has a relevant document, the ranking by grade is the best one.
    found = evaluate(Run.of(grades), Qrels.of(grades), ["nDCG", "AP", "RR", "Rprec"])
    has_relevant = np.array([max(grades[topic].values()) > 0 for topic in found["AP"].topics])
    for scores in found.values():
        assert scores.values == pytest.approx(has_relevant.astype(float), abs=1e-12)


def test_topic_with_only_negative_judgments_scores_zero():
    names = [*SHARED, "nDCG(dcg='exp-log2')@5", "nDCG(ideal='pool')@5", "RBP"]
    found = evaluate(Run.of({"1": RANKING}), Qrels.of({"1": {"a": -1, "b": -2}}), names)
    assert [float(scores.values[0]) for scores in found.values()] == [0.0] * len(names)
