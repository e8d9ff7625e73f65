"""Kendall's tau-b between series."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from evaluation.agreement import agreement, agreement_matrix, kendall_tau_b, lower_is_better

few_values = st.integers(0, 3).map(float)
series = st.integers(2, 12).flatmap(
    lambda size: st.tuples(
        st.lists(few_values, min_size=size, max_size=size),
        st.lists(few_values, min_size=size, max_size=size),
    )
)


@given(series)
def test_tau_b_equals_that_of_scipy(pair):
    x, y = pair
    found = kendall_tau_b(x, y)
    if len(set(x)) == 1 or len(set(y)) == 1:
        assert math.isnan(found)
    else:
        assert found == pytest.approx(kendalltau(x, y).statistic, abs=1e-12)


@given(st.lists(few_values, min_size=2).filter(lambda values: len(set(values)) > 1))
def test_tau_b_of_a_series_with_itself_is_exactly_one(values):
    assert kendall_tau_b(values, values) == 1
    assert kendall_tau_b(values, [-value for value in values]) == -1


def test_too_few_values_leave_tau_b_undefined():
    assert math.isnan(kendall_tau_b([], []))
    assert math.isnan(kendall_tau_b([1.0], [2.0]))
    with pytest.raises(ValueError, match="2 values against 1"):
        kendall_tau_b([1.0, 2.0], [1.0])


def test_agreement_rounds_first_and_leaves_undefined_places_out():
    x = [0.1 + 0.2, 0.3, 0.5, math.nan]
    y = [1.0, 2.0, 3.0, 0.0]
    # With the tie, one pair of three is tied in x only: 2 / sqrt(2 * 3).
    assert agreement(x, y) == pytest.approx(2 / math.sqrt(6))
    # Unrounded, .1 + .2 stands above .3: one discordant pair of three.
    assert agreement(x, y, decimals=None) == pytest.approx(1 / 3)


def test_measures_are_turned_as_the_paper_does():
    turned = {
        "delta_arp_ap": [0.25, 0.25],
        "tau": [0.75, 1.25],
        "rbo": [0.75, 1.25],
        "rmse_p10": [0.25, -0.25],
        "p_value_ap": [-0.25, 0.25],
        "er_ndcg1000": [0.75, 1.25],
        "delta_ri": [0.25, 0.25],
    }
    for name, expected in turned.items():
        assert lower_is_better(name, [0.25, -0.25]) == expected
    for name in ("arp", "errors", "taus"):
        with pytest.raises(ValueError, match="Unknown measure of reproduction"):
            lower_is_better(name, [0.25])


def test_matrix_is_symmetric_and_rounds_small_p_values_by_digits_if_asked():
    series = {"rmse_ap": [0.1, 0.2, 0.3, 0.4], "p_value_ap": [0.5, 2e-20, 1e-20, 3e-20]}
    # Rounded to 12 decimals the last three p tie: 3 pairs of 6 are left, all concordant.
    assert agreement_matrix(series)[0] == pytest.approx([1, 3 / math.sqrt(18)])
    # By digits: 1e-20 is larger than 2e-20 when negated, so one pair is concordant with rank.
    by_digits = agreement_matrix(series, by_digits="p_value")
    assert by_digits[0][1] == by_digits[1][0] == pytest.approx((4 - 2) / 6)
    assert by_digits[1][1] == 1
