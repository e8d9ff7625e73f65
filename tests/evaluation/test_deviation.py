"""ARP, RMSE and nRMSE."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.deviation import arp, delta_arp, nrmse, rmse

scores = st.lists(st.tuples(*2 * [st.floats(0, 1)]), min_size=1, max_size=20)


def test_values_are_those_worked_by_hand():
    first, second = [0.2, 0.8, 0.5, 0.4, 0.1], [0.25, 0.7, 0.55, 0.4, 0.3]
    assert arp(first) == pytest.approx(0.4)
    assert delta_arp(first, second) == pytest.approx(0.04)
    # Squares .0025, .01, .0025, 0, .04; the largest possible .64, .64, .25, .36, .81.
    assert rmse(first, second) == pytest.approx(math.sqrt(0.055 / 5))
    assert nrmse(first, second) == pytest.approx(math.sqrt(0.055 / 2.7))


@given(scores)
def test_deviation_from_itself_is_zero(pairs):
    first = [one for one, _ in pairs]
    assert (rmse(first, first), nrmse(first, first), delta_arp(first, first)) == (0, 0, 0)


@given(scores)
def test_rmse_is_symmetric_and_bounds_the_difference_of_means(pairs):
    first, second = zip(*pairs, strict=True)
    assert rmse(first, second) == pytest.approx(rmse(second, first))
    assert delta_arp(first, second) <= rmse(first, second) + 1e-12
    assert 0 <= nrmse(first, second) <= 1 + 1e-12


def test_no_topics_leave_everything_undefined():
    assert all(math.isnan(value) for value in (arp([]), rmse([], []), nrmse([], [])))
    assert math.isnan(delta_arp([0.5], []))


def test_nrmse_is_undefined_outside_zero_to_one():
    assert math.isnan(nrmse([-0.5, 0.5], [0.5, 0.5]))
    assert rmse([-0.5, 0.5], [0.5, 0.5]) == pytest.approx(math.sqrt(0.5))


def test_rmse_of_different_topics_is_refused():
    with pytest.raises(ValueError, match="2 topics against scores of 1"):
        rmse([0.1, 0.2], [0.1])
