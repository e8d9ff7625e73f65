"""ER, RI and ΔRI: worked values, properties, reasons and warnings."""

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from evaluation.effects import delta_ri, distance, effect, effect_ratio, effects

numbers = st.integers(1, 100).map(lambda number: number / 100)
pair = st.integers(2, 8).flatmap(
    lambda size: st.tuples(*2 * [st.lists(numbers, min_size=size, max_size=size)])
)


def test_values_are_those_worked_by_hand():
    found = effects([0.2, 0.4], [0.3, 0.5], [0.2, 0.4], [0.25, 0.45])
    assert found.effect_ratio == pytest.approx(0.5)
    assert found.relative_improvement_original == pytest.approx(1 / 3)
    assert found.relative_improvement_submitted == pytest.approx(1 / 6)
    assert found.delta_ri == pytest.approx(1 / 6)
    assert found.region == 1
    assert found.distance == pytest.approx(math.hypot(0.5, 1 / 6))
    assert found.reasons == {}


@given(pair)
def test_pair_against_itself_recovers_the_effect(scores):
    baseline, advanced = scores
    assume(abs(sum(advanced) - sum(baseline)) > 1e-9)
    found = effects(baseline, advanced, baseline, advanced)
    assert (found.effect_ratio, found.delta_ri, found.distance) == (1, 0, 0)
    assert (found.region, found.reasons) == (None, {"region": "on an axis"})


@given(pair, pair)
def test_delta_ri_follows_from_the_effect_ratio(original, submitted):
    # ΔRI = RI (1 - ER b / b').
    (b, a), (lower, upper) = original, submitted
    assume(abs(sum(a) - sum(b)) > 1e-9)
    found = effects(b, a, lower, upper)
    share = (sum(b) / len(b)) / (sum(lower) / len(lower))
    expected = found.relative_improvement_original * (1 - found.effect_ratio * share)
    assert found.delta_ri == pytest.approx(expected, abs=1e-9)
    # Swapping the pairs turns the ratio over and the sign of ΔRI.
    assert delta_ri(lower, upper, b, a) == pytest.approx(-found.delta_ri)
    if abs(found.submitted_effect.mean) > 1e-9:
        assert effect_ratio(lower, upper, b, a) == pytest.approx(1 / found.effect_ratio)


def test_zero_original_effect_leaves_the_ratio_undefined():
    # .1 + .2 - .3 is not 0 in doubles.
    found = effects([0.1, 0.3], [0.3, 0.1], [0.4, 0.4], [0.5, 0.5])
    assert math.isnan(found.effect_ratio)
    assert math.isnan(effect_ratio([0.3, 0.0], [0.1, 0.2], [0.4, 0.4], [0.5, 0.5]))
    assert found.reasons["effect_ratio"] == "the original effect is 0"
    assert found.reasons["region"] == "the original effect is 0"
    assert found.delta_ri == pytest.approx(-0.25)


def test_zero_baseline_leaves_ri_undefined_and_keeps_the_ratio():
    found = effects([0.4, 0.4], [0.5, 0.5], [0.0, 0.0], [0.3, 0.3])
    assert found.effect_ratio == pytest.approx(3)
    assert math.isnan(found.relative_improvement_submitted)
    assert math.isnan(found.delta_ri)
    assert found.reasons["delta_ri"] == "the mean of the submitted baseline is 0"
    other = effects([0.0, 0.0], [0.5, 0.5], [0.2, 0.2], [0.3, 0.3])
    assert other.reasons["delta_ri"] == "the mean of the original baseline is 0"


def test_topics_of_a_new_collection_may_be_others():
    found = effects([0.4, 0.5, 0.3, 0.4], [0.5, 0.7, 0.6, 0.4], [0.2, 0.1], [0.3, 0.5])
    assert found.effect_ratio == pytest.approx(0.25 / 0.15)
    assert found.region == 4


def test_no_scores_leave_all_undefined_with_a_reason():
    found = effects([], [], [], [])
    assert found.reasons["effect_ratio"] == "scores are missing or undefined"
    assert found.reasons["delta_ri"] == "scores are missing or undefined"
    assert found.region is None
    assert math.isnan(found.distance)


def test_negative_original_effect_warns():
    found = effects([0.4, 0.41, 0.4], [0.3, 0.29, 0.3], [0.4, 0.4, 0.4], [0.5, 0.5, 0.5])
    assert found.region == 3
    assert set(found.warnings) == {"original_effect_negative"}


def test_effect_within_noise_warns():
    found = effects([0.2, 0.6, 0.4], [0.6, 0.2, 0.5], [0.4, 0.4, 0.4], [0.5, 0.5, 0.5])
    assert set(found.warnings) == {"original_effect_unclear"}
    assert not found.original_effect.is_distinguishable


def test_effect_has_a_test_and_an_interval_of_the_same_sign():
    found = effect([0.2, 0.4, 0.3], [0.3, 0.6, 0.45])
    assert found.mean == pytest.approx(0.15)
    assert found.test.t > 0
    low, high = found.interval or (math.nan, math.nan)
    assert low < 0.15 < high


def test_distance_is_undefined_with_either_part():
    assert math.isnan(distance(math.nan, 0.0))
    assert math.isnan(distance(1.0, math.nan))


def test_pair_of_different_topics_is_refused():
    with pytest.raises(ValueError, match="1 topics against scores of 2"):
        effect([0.1, 0.2], [0.1])
