"""Percentile intervals: limits worked by hand, what is dropped, what is unbounded."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation import intervals
from evaluation.effects import delta_ri, effect_ratio, relative_improvement
from evaluation.intervals import (
    UNBOUNDED,
    delta_ri_interval,
    effect_ratio_interval,
    percentile_interval,
    relative_improvement_interval,
    rmse_interval,
    similarity_interval,
)
from evaluation.resampling import Resampling
from evaluation.significance import TOO_FEW, UNDEFINED, difference_interval, mean_interval

SHA256 = "0123456789abcdef" * 4
B = [0.2, 0.3, 0.5, 0.4, 0.35]
A = [0.3, 0.45, 0.55, 0.5, 0.45]
B2 = [0.25, 0.3, 0.45, 0.45, 0.3]
A2 = [0.3, 0.35, 0.55, 0.5, 0.35]


def drawn(topics=5, resamples=2000, sha256=SHA256):
    return Resampling(sha256, "judged", topics, resamples)


def test_percentiles_interpolate_linearly():
    # 101 values: place 100 * .025 = 2.5, halfway between the third and the fourth.
    found = percentile_interval(np.arange(101.0))
    assert found.interval == pytest.approx((2.5, 97.5))
    # 5 values at 80 %: places .4 and 3.6.
    assert percentile_interval([5, 1, 2, 4, 3], 0.8).interval == pytest.approx((1.4, 4.6))


def test_resamples_without_a_value_are_dropped_and_counted():
    found = percentile_interval([math.nan, 1.0, math.nan, 2.0, 3.0], 0.5)
    assert (found.interval, found.dropped, found.resamples) == ((1.5, 2.5), 2, 5)
    nothing = percentile_interval([math.nan, math.nan])
    assert (nothing.interval, nothing.reason, nothing.dropped) == (None, UNDEFINED, 2)
    with pytest.raises(ValueError, match="between 0 and 1"):
        percentile_interval([1.0], 95)


def test_t_intervals_worked_by_hand():
    # Mean .4, sd .2, n 3: .4 +- 4.302653 * .2 / sqrt 3.
    assert mean_interval([0.2, 0.4, 0.6]) == pytest.approx((-0.096828, 0.896828), abs=1e-6)
    # Pooled sd .2, 4 degrees: .2 +- 2.776445 * .2 * sqrt(2/3).
    assert difference_interval([0.3, 0.5, 0.7], [0.1, 0.3, 0.5]) == pytest.approx(
        (-0.253392, 0.653392), abs=1e-6
    )


def test_intervals_are_percentiles_of_the_value_over_each_resample():
    sample = drawn()
    places = sample.indices()
    b, a, b2, a2 = (np.array(one) for one in (B, A, B2, A2))
    ratios = [effect_ratio(b[p], a[p], b2[p], a2[p]) for p in places]
    changes = [delta_ri(b[p], a[p], b2[p], a2[p]) for p in places]
    gains = [relative_improvement(b[p], a[p]) for p in places]
    errors = [math.sqrt(np.mean((b[p] - b2[p]) ** 2)) for p in places]
    for found, values in (
        (effect_ratio_interval(B, A, B2, A2, sample), ratios),
        (delta_ri_interval(B, A, B2, A2, sample), changes),
        (relative_improvement_interval(B, A, sample), gains),
        (rmse_interval(B, B2, sample), errors),
    ):
        limits = np.quantile(values, [0.025, 0.975])
        assert found.interval == pytest.approx(tuple(limits), abs=1e-12)
        assert (found.dropped, found.reason) == (0, None)


def test_new_collection_is_drawn_independently():
    other = drawn(3, sha256="f" * 64)
    first, second = drawn().indices(), other.indices()
    b, a, b2, a2 = (np.array(one) for one in (B, A, B2[:3], A2[:3]))
    values = [
        effect_ratio(b[one], a[one], b2[two], a2[two])
        for one, two in zip(first, second, strict=True)
    ]
    found = effect_ratio_interval(B, A, b2, a2, drawn(), other)
    assert found.interval == pytest.approx(tuple(np.quantile(values, [0.025, 0.975])), abs=1e-12)
    changes = [
        delta_ri(b[one], a[one], b2[two], a2[two]) for one, two in zip(first, second, strict=True)
    ]
    found = delta_ri_interval(B, A, b2, a2, drawn(), other)
    assert found.interval == pytest.approx(tuple(np.quantile(changes, [0.025, 0.975])), abs=1e-12)


def test_unclear_original_effect_makes_the_effect_ratio_unbounded():
    unclear = [0.1, 0.5, 0.4, 0.5, 0.3]
    found = effect_ratio_interval(B, unclear, B2, A2, drawn())
    assert (found.interval, found.reason) == (None, UNBOUNDED)
    assert math.isnan(found.low)
    assert found.percentiles is not None
    # The baselines are far from 0, so both RI stay bounded.
    assert delta_ri_interval(B, unclear, B2, A2, drawn()).reason is None


def test_baseline_near_zero_makes_ri_and_delta_ri_unbounded():
    low = [0.0, 0.0, 0.0, 0.1, 0.0]
    assert relative_improvement_interval(low, A, drawn()).reason == UNBOUNDED
    assert delta_ri_interval(B, A, low, A2, drawn()).reason == UNBOUNDED
    assert effect_ratio_interval(B, A, low, A2, drawn()).reason is None


def test_more_than_one_percent_dropped_is_unbounded():
    clear = [np.array(A)]
    for dropped, reason in ((1, None), (2, UNBOUNDED)):
        values = [math.nan] * dropped + [1.0] * (100 - dropped)
        assert intervals._bounded(percentile_interval(values), clear).reason == reason


def test_too_few_or_undefined_scores_leave_intervals_undefined():
    one = drawn(1)
    assert rmse_interval([0.1], [0.2], one).reason == TOO_FEW
    assert effect_ratio_interval([0.1], [0.2], [0.1], [0.2], one).reason == TOO_FEW
    assert delta_ri_interval([0.1], [0.2], [0.1], [0.2], one).reason == TOO_FEW
    assert relative_improvement_interval([0.1], [0.2], one).reason == TOO_FEW
    holes = [math.nan, *B[1:]]
    assert rmse_interval(holes, B2, drawn()).reason == UNDEFINED
    assert effect_ratio_interval(holes, A, B2, A2, drawn()).reason == UNDEFINED
    assert similarity_interval([math.nan, 0.5, math.nan, math.nan, math.nan], drawn()).reason == (
        TOO_FEW
    )


def test_topics_without_a_tau_are_left_out_of_its_interval():
    # Two topics with a value: the mean of a resample is 0, 1/3, 1/2, 2/3 or 1, or it is dropped.
    found = similarity_interval([0.0, 1.0, math.nan], drawn(3, 10_000))
    assert found.interval == (0.0, 1.0)
    # All three places hold the undefined topic in one resample of 27.
    assert found.dropped == pytest.approx(10_000 / 27, rel=0.2)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40), st.floats(0.01, 0.99))
def test_percentiles_have_the_bits_of_numpys_quantiles(values, level):
    found = percentile_interval(values, level)
    shares = [(1.0 - level) / 2.0, (1.0 + level) / 2.0]
    assert [found.low, found.high] == np.quantile(values, shares).tolist()
