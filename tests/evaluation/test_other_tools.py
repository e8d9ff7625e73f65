"""Our values beside those of repro_eval and ir_measures: equal where the definitions agree.

Where they do not, the difference has a name and a test here, so that a reader who gets another
number elsewhere finds out why.
"""

import math
import warnings

import ir_measures
import numpy as np
import pytest
import pytrec_eval
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from evaluation import Qrels, Run, deviation, effects, evaluate, ordering, significance

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it imports from a module that SciPy renamed
    from repro_eval.measure import document_order as their_order
    from repro_eval.measure import effectiveness as their_scores
    from repro_eval.measure import overall_effects as their_effects
    from repro_eval.measure import statistics as their_tests

TOPICS = [f"{number}" for number in range(301, 307)]
DOCUMENTS = [f"doc-{letter}" for letter in "abcdefghijklmnop"]
rankings = st.lists(st.sampled_from(DOCUMENTS), unique=True, min_size=2, max_size=12)
values = st.floats(0, 1).map(lambda value: round(value, 4))
columns = st.lists(values, min_size=len(TOPICS), max_size=len(TOPICS))


def as_run(ranking):
    """Scores that put the documents in this order, as the other tool takes them."""
    return {"301": {document: float(100 - place) for place, document in enumerate(ranking)}}


def as_ids(ranking):
    return [document.encode() for document in ranking]


def as_scores(column):
    return {topic: {"map": value} for topic, value in zip(TOPICS, column, strict=True)}


@settings(max_examples=60)
@given(rankings, rankings)
def test_sorted_tau_is_that_of_repro_eval(one, other):
    shorter = min(len(one), len(other))
    theirs = their_order.KTU(
        as_run(one[:shorter]), as_run(other[:shorter]), per_topic=True, pbar=False
    )["301"]
    ours = ordering.kendall_tau_union(as_ids(one), as_ids(other), variant="sorted")
    assert ours == pytest.approx(theirs, abs=1e-9, nan_ok=True)


def test_named_difference_tau_of_the_paper_is_not_that_of_repro_eval():
    """``sorted_ids``: its union is sorted by id, the paper's is by first appearance."""
    one, other = as_ids(["c", "a", "b", "d"]), as_ids(["a", "e", "b", "f"])
    # Sorted: c a b d -> 2 0 1 3 and a e b f -> 0 4 1 5: of six pairs three agree.
    assert ordering.kendall_tau_union(one, other, variant="sorted") == pytest.approx(0)
    theirs = their_order.KTU(
        {"1": {"c": 4.0, "a": 3.0, "b": 2.0, "d": 1.0}},
        {"1": {"a": 4.0, "e": 3.0, "b": 2.0, "f": 1.0}},
    )
    assert theirs == pytest.approx(0)
    # By first appearance: c a b d -> 0 1 2 3 and a e b f -> 1 4 2 5: five of six agree.
    assert ordering.kendall_tau_union(one, other) == pytest.approx(2 / 3)


def test_named_difference_tau_of_lists_of_different_lengths():
    """``shorter_list``: ours cuts both to the shorter length, where repro_eval gives up."""
    one, other = ["a", "b", "c"], ["a", "b"]
    assert ordering.kendall_tau_union(as_ids(one), as_ids(other), variant="sorted") == 1.0
    with pytest.raises(ValueError, match=r"incompatible|same length"):
        their_order.KTU(as_run(one), as_run(other))


full = st.permutations(DOCUMENTS).map(lambda found: found[:12])


@settings(max_examples=60)
@given(full, full, st.sampled_from([0.5, 0.8, 0.9]))
def test_normalised_overlap_is_that_of_repro_eval(one, other, p):
    depth = 12
    theirs = their_order.RBO(
        as_run(one), as_run(other), p=p, depth=depth, pbar=False, per_topic=False
    )
    ours = ordering.rank_biased_overlap(
        as_ids(one), as_ids(other), p=p, variant="normalised", depth=depth
    )
    assert ours == pytest.approx(theirs, abs=1e-9)


@settings(max_examples=60)
@given(columns, columns)
def test_rmse_and_tests_are_those_of_repro_eval(one, other):
    assume(np.std(np.subtract(one, other)) > 1e-6)
    assume(np.std(one) > 1e-6)
    assume(np.std(other) > 1e-6)
    first, second = as_scores(one), as_scores(other)
    assert deviation.rmse(one, other) == pytest.approx(
        their_scores.RMSE(first, second)["map"], abs=1e-9
    )
    paired, pooled = significance.paired_t(one, other), significance.pooled_t(one, other)
    assert paired.p_value == pytest.approx(their_tests.ttest(first, second)["map"], abs=1e-9)
    assert pooled.p_value == pytest.approx(
        their_tests.ttest(first, second, rpd=False)["map"], abs=1e-9
    )


@settings(max_examples=60)
@given(columns, columns, columns, columns)
def test_effects_are_those_of_repro_eval(baseline, advanced, base_again, adv_again):
    assume(abs(np.mean(advanced) - np.mean(baseline)) > 1e-4)
    assume(np.mean(baseline) > 1e-4)
    assume(np.mean(base_again) > 1e-4)
    four = [as_scores(one) for one in (baseline, advanced, base_again, adv_again)]
    ratio = their_effects.ER(
        orig_score_b=four[0], orig_score_a=four[1], rep_score_b=four[2], rep_score_a=four[3]
    )["map"]
    difference = their_effects.DRI(
        orig_score_b=four[0], orig_score_a=four[1], rep_score_b=four[2], rep_score_a=four[3]
    )["map"]
    ours = effects.effects(baseline, advanced, base_again, adv_again)
    assert ours.effect_ratio == pytest.approx(ratio, rel=1e-9, abs=1e-9)
    assert ours.delta_ri == pytest.approx(difference, rel=1e-9, abs=1e-9)


IN_BOTH = ["nDCG@5", "nDCG", "AP", "AP@5", "P@5", "R@5", "RR", "Rprec"]
grades = st.dictionaries(
    st.sampled_from(TOPICS[:3]),
    st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(0, 3), min_size=1),
    min_size=1,
)
runs = st.dictionaries(st.sampled_from(TOPICS[:3]), rankings, min_size=1)


@settings(max_examples=25)
@given(grades, runs)
def test_values_by_topic_are_those_of_ir_measures(judged, ranked):
    run = {topic: as_run(ranking)["301"] for topic, ranking in ranked.items()}
    theirs = {
        (metric.query_id, str(metric.measure)): metric.value
        for metric in ir_measures.iter_calc(
            [ir_measures.parse_measure(name) for name in IN_BOTH], judged, run
        )
    }
    found = evaluate(Run.of(run), Qrels.of(judged), IN_BOTH)
    for name in IN_BOTH:
        key = str(ir_measures.parse_measure(name))
        for topic in set(judged) & set(run):
            ours = found[name].over([topic])[0]
            assert ours == pytest.approx(theirs[topic, key], abs=1e-9), name


def test_named_difference_topics_that_a_run_lacks():
    """``missing_topics``: ours count 0 in the mean; repro_eval and pytrec_eval leave them out."""
    judged = {"301": {"a": 1}, "302": {"a": 1}}
    found = evaluate(Run.of({"301": {"a": 1.0}}), Qrels.of(judged), ["RR"])["RR"]
    assert dict(zip(found.topics, found.values, strict=True)) == {"301": 1.0, "302": 0.0}
    theirs = pytrec_eval.RelevanceEvaluator(judged, {"recip_rank"}).evaluate({"301": {"a": 1.0}})
    assert theirs == {"301": {"recip_rank": 1.0}}


def test_named_difference_scores_that_are_equal_in_single_precision():
    """``single_precision``: pytrec_eval's order has a tie where doubles differ; an option of ours.

    Equal scores put the greater id first, so the irrelevant "b" comes before "a".
    """
    scores = {"a": 1.00000001, "b": 1.0}
    theirs = pytrec_eval.RelevanceEvaluator({"301": {"a": 1}}, {"recip_rank"}).evaluate(
        {"301": scores}
    )
    assert theirs["301"]["recip_rank"] == 0.5
    double = evaluate(Run.of({"301": scores}), Qrels.of({"301": {"a": 1}}), ["RR"])["RR"]
    assert double.values.tolist() == [1.0]
    single = {name: float(np.float32(value)) for name, value in scores.items()}
    found = evaluate(Run.of({"301": single}), Qrels.of({"301": {"a": 1}}), ["RR"])["RR"]
    assert found.values.tolist() == [0.5]


def test_named_difference_gains_that_are_fractions():
    """``fractional_gains``: ours take any gain, where trec_eval's qrels know whole grades only."""
    qrels = Qrels.of({"301": {"a": 0.5, "b": 0.25}})
    found = evaluate(Run.of({"301": {"b": 2.0, "a": 1.0}}), qrels, ["nDCG@2"])["nDCG@2"]
    ideal = 0.5 + 0.25 / math.log2(3)
    assert found.values[0] == pytest.approx((0.25 + 0.5 / math.log2(3)) / ideal, abs=1e-12)
    with pytest.raises(TypeError):
        pytrec_eval.RelevanceEvaluator({"301": {"a": 0.5}}, {"ndcg_cut_2"})
