"""All pairs from one Gram matrix, and Holm's correction."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.multiple import against_baseline, against_best, all_pairs_t, holm
from evaluation.significance import paired_t

matrices = st.integers(2, 6).flatmap(
    lambda topics: st.integers(2, 5).flatmap(
        lambda runs: st.lists(
            st.lists(st.integers(0, 1000).map(lambda x: x / 1000), min_size=runs, max_size=runs),
            min_size=topics,
            max_size=topics,
        )
    )
)


def agrees(found, expected, relative=1e-9):
    if math.isnan(expected):
        return math.isnan(found)
    return found == pytest.approx(expected, rel=relative, abs=1e-12)


@given(matrices)
def test_all_pairs_equal_single_tests(scores):
    values = np.array(scores)
    found = all_pairs_t(values)
    for one in range(values.shape[1]):
        for two in range(values.shape[1]):
            test = paired_t(values[:, one], values[:, two])
            assert agrees(found.t[one, two], test.t)
            assert agrees(found.p_values[one, two], test.p_value, 1e-6)


def test_nearly_identical_runs_are_computed_directly():
    base = np.random.default_rng(3).random(50)
    noise = np.random.default_rng(4).normal(size=50)
    for size in (1e-3, 1e-6, 1e-9, 1e-11):
        other = base + size * noise
        found = all_pairs_t(np.column_stack([base, other, 1 - base]))
        test = paired_t(base, other)
        assert test.rule == "computed"
        assert found.t[0, 1] == pytest.approx(test.t, rel=1e-9)
        assert found.t[1, 0] == -found.t[0, 1]


def test_identical_and_constant_differences_follow_the_rule():
    found = all_pairs_t([[0.1, 0.1, 0.3], [0.5, 0.5, 0.7], [0.2, 0.2, 0.4]])
    assert found.p_values.tolist() == [[1, 1, 0], [1, 1, 0], [0, 0, 1]]
    assert np.isnan(found.t).all()
    assert np.isnan(all_pairs_t([[0.1, 0.2]]).p_values).all()


@pytest.mark.parametrize("scores", [[0.1, 0.2], [[]], [[0.1, math.nan]]])
def test_scores_that_are_no_full_matrix_are_refused(scores):
    with pytest.raises(ValueError, match=r"row for each topic|have a score"):
        all_pairs_t(scores)


def test_holm_worked_by_hand():
    # Sorted: .005 x 4, .01 x 3, .03 x 2, .04 x 1; each at least the one before.
    assert holm([0.01, 0.04, 0.03, 0.005]).tolist() == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, 0.6]).tolist() == [1.0, 1.0]
    assert holm([]).tolist() == []


def test_holm_leaves_undefined_values_out_of_the_family():
    found = holm([0.01, math.nan, 0.04])
    assert found[[0, 2]].tolist() == pytest.approx([0.02, 0.04])
    assert math.isnan(found[1])


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_only_raises_values_and_keeps_their_order(values):
    found = holm(values)
    assert all(new >= old for new, old in zip(found, values, strict=True))
    assert all(0 <= new <= 1 for new in found)
    pairs = sorted(zip(values, found.tolist(), strict=True))
    assert [new for _, new in pairs] == sorted(new for _, new in pairs)


SCORES = np.array(
    [[0.2, 0.4, 0.3, 0.2], [0.5, 0.8, 0.5, 0.5], [0.3, 0.5, 0.5, 0.3], [0.4, 0.6, 0.6, 0.4]]
)


def test_against_a_baseline_corrects_the_other_runs_only():
    found = against_baseline(SCORES, 0)
    raw = [paired_t(SCORES[:, run], SCORES[:, 0]).p_value for run in (1, 2, 3)]
    assert found.tests[0] is None
    assert math.isnan(found.p_values[0])
    # The second run's raw value is the least of three, the identical fourth has p = 1.
    assert raw[0] < raw[1] < raw[2] == 1.0
    assert found.p_values[1:].tolist() == pytest.approx([3 * raw[0], 2 * raw[1], 1.0])
    assert found.tests[1].difference == pytest.approx(0.225)
    with pytest.raises(ValueError, match="no run 4 among 4"):
        against_baseline(SCORES, 4)


def test_best_is_the_highest_mean_and_the_first_of_equal_ones():
    assert against_best(SCORES).reference == 1
    assert against_best([[0.1, 0.3, 0.3], [0.2, 0.3, 0.3]]).reference == 1
    # .1 + .2 and .3 differ in their last bit only.
    assert against_best([[0.3, 0.1 + 0.2], [0.5, 0.5]]).reference == 0


def test_many_runs_are_tested_as_few_are():
    values = np.random.default_rng(5).random((50, 300))
    found, few = all_pairs_t(values), all_pairs_t(values[:, :10])
    np.testing.assert_allclose(found.p_values[:10, :10], few.p_values, rtol=0, atol=1e-12)
    assert found.p_values[3, 299] == pytest.approx(paired_t(values[:, 3], values[:, 299]).p_value)
