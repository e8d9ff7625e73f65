"""t-tests and t intervals: the rules for special cases, and SciPy elsewhere."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evaluation.significance import (
    difference_interval,
    mean_interval,
    paired_t,
    pooled_t,
    welch_t,
)

numbers = st.integers(0, 100).map(lambda number: number / 100)
sample = st.lists(numbers, min_size=2, max_size=15).filter(lambda values: len(set(values)) > 1)
pairs = st.lists(st.tuples(numbers, numbers), min_size=2, max_size=15)


@given(pairs)
def test_paired_test_equals_that_of_scipy(values):
    first, second = map(list, zip(*values, strict=True))
    found = paired_t(first, second)
    if found.rule == "computed":
        reference = stats.ttest_rel(first, second)
        assert found.t == pytest.approx(reference.statistic, abs=1e-9, rel=1e-6)
        assert found.p_value == pytest.approx(reference.pvalue, abs=1e-12, rel=1e-6)
        assert found.t == pytest.approx(-paired_t(second, first).t)


@given(sample, sample)
def test_unpaired_tests_equal_those_of_scipy(first, second):
    pooled, reference = pooled_t(first, second), stats.ttest_ind(first, second)
    assert pooled.t == pytest.approx(reference.statistic, abs=1e-9)
    assert pooled.p_value == pytest.approx(reference.pvalue, abs=1e-12, rel=1e-9)
    welch, reference = welch_t(first, second), stats.ttest_ind(first, second, equal_var=False)
    assert welch.t == pytest.approx(reference.statistic, abs=1e-9)
    assert welch.p_value == pytest.approx(reference.pvalue, abs=1e-12, rel=1e-9)


@given(st.lists(numbers, min_size=2))
def test_equal_scores_have_p_one_and_no_t(values):
    found = paired_t(values, values)
    assert (found.p_value, found.rule, math.isnan(found.t)) == (1, "identical", True)


def test_rounding_noise_counts_as_equal():
    assert paired_t([0.1 + 0.2, 0.5], [0.3, 0.5]).rule == "identical"


def test_constant_difference_has_p_zero_and_no_t():
    found = paired_t([0.2, 0.8, 0.5], [0.3, 0.9, 0.6])
    assert (found.p_value, found.rule, math.isnan(found.t)) == (0, "constant_difference", True)
    assert found.difference == pytest.approx(-0.1)


@pytest.mark.parametrize("test", [paired_t, pooled_t, welch_t])
def test_fewer_than_two_topics_have_no_test(test):
    for first, second in (([], []), ([0.4], [0.6])):
        found = test(first, second)
        assert math.isnan(found.p_value)
        assert (found.rule, found.reason) == ("too_few_topics", "fewer than two topics")


@pytest.mark.parametrize("test", [pooled_t, welch_t])
def test_sides_without_variance(test):
    same = test([0.5, 0.5], [0.5, 0.5, 0.5])
    assert math.isnan(same.p_value)
    assert same.rule == "no_variance"
    assert test([0.5, 0.5], [0.25, 0.25]).p_value == 0
    assert math.isnan(test([0.5], [0.1, 0.2]).p_value)


@pytest.mark.parametrize("test", [paired_t, pooled_t, welch_t])
def test_undefined_scores_have_no_test(test):
    found = test([0.5, math.nan, 0.2], [0.1, 0.2, 0.3])
    assert math.isnan(found.p_value)
    assert found.reason == "undefined for some topics"


def test_paired_test_of_different_topics_is_refused():
    with pytest.raises(ValueError, match="3 topics against scores of 2"):
        paired_t([1, 2, 3], [1, 2])


@given(sample)
def test_interval_of_a_mean_equals_that_of_scipy(values):
    reference = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    assert mean_interval(values) == pytest.approx(tuple(reference), abs=1e-9)


@given(sample, sample)
def test_interval_of_a_difference_equals_that_of_scipy(first, second):
    reference = stats.ttest_ind(first, second).confidence_interval(0.9)
    assert difference_interval(first, second, 0.9) == pytest.approx(tuple(reference), abs=1e-9)


def test_intervals_need_two_defined_topics():
    assert mean_interval([0.5]) is None
    assert mean_interval([0.5, math.nan]) is None
    assert difference_interval([0.5], [0.5, 0.6]) is None
    assert mean_interval([0.5, 0.5]) == (0.5, 0.5)
    with pytest.raises(ValueError, match="between 0 and 1"):
        mean_interval([0.1, 0.2], level=95)
