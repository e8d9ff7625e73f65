"""Randomised Tukey HSD: exact small cases, invariance, compact letters."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation import letters as module
from evaluation.letters import largest_gaps, letters, tukey_letters

SHA256 = "0" * 64


def exact_p(scores):
    """p of two runs over all swaps within topics."""
    gaps = [one - two for one, two in scores]
    sums = [
        abs(sum(s * g for s, g in zip(signs, gaps, strict=True)))
        for signs in itertools.product((1, -1), repeat=len(gaps))
    ]
    return np.mean([one >= abs(sum(gaps)) - 1e-9 for one in sums])


def test_p_of_two_runs_is_close_to_that_over_all_swaps():
    scores = [[0.9, 0.5], [0.8, 0.7], [0.6, 0.7], [0.5, 0.2], [0.9, 0.8], [0.4, 0.2]]
    found = tukey_letters(scores, SHA256, "judged")
    expected = exact_p(scores)
    # Four standard errors of a share over 10,000 permutations.
    margin = 4 * (expected * (1 - expected) / 10_000) ** 0.5
    assert found.p_values[0, 1] == pytest.approx(expected, abs=margin)
    assert found.p_values[0, 0] == 1


def test_six_topics_all_won_are_told_apart_and_five_are_not():
    # All swaps: 2 of 64 = .031 and 2 of 32 = .0625.
    won = [[0.2 + 0.01 * topic, 0.6 - 0.02 * topic] for topic in range(6)]
    assert tukey_letters(won, SHA256, "judged").letters == ("b", "a")
    assert tukey_letters(won[:5], SHA256, "judged").letters == ("a", "a")


def test_permutations_are_the_stored_ones():
    gaps = largest_gaps([[0.0, 1.0, 2.0], [0.0, 2.0, 4.0]], key=7, permutations=6)
    assert gaps.tolist() == [1.0, 3.0, 2.5, 2.5, 2.5, 3.0]


def test_blocks_do_not_change_the_permutations(monkeypatch):
    scores = np.random.default_rng(5).random((4, 3))
    whole = largest_gaps(scores, key=9, permutations=50)
    monkeypatch.setattr(module, "_AT_ONCE", 40)
    assert largest_gaps(scores, key=9, permutations=50).tolist() == whole.tolist()


@given(st.permutations(range(4)))
def test_order_of_the_runs_changes_nothing(order):
    scores = np.add(np.random.default_rng(6).random((8, 4)), [0.0, 0.1, 0.4, 0.8])
    whole = tukey_letters(scores, SHA256, "judged", 300)
    mixed = tukey_letters(scores[:, order], SHA256, "judged", 300)
    assert mixed.letters == tuple(whole.letters[run] for run in order)
    assert (mixed.p_values == whole.p_values[np.ix_(order, order)]).all()


def test_equal_runs_share_all_letters():
    found = tukey_letters([[0.3, 0.3, 0.1 + 0.2]] * 10, SHA256, "judged", 100)
    assert (found.letters, found.p_values.tolist()) == (("a",) * 3, [[1.0] * 3] * 3)
    assert tukey_letters([[0.5]], SHA256, "judged", 10).letters == ("a",)


def test_false_differences_of_a_whole_family_are_rare():
    # 20 runs that differ by chance alone: the widest gap reaches the critical one in 5 %.
    noise = np.random.default_rng(7)
    families = [
        tukey_letters(noise.random((20, 20)), SHA256, "judged", 200).p_values.min()
        for _ in range(60)
    ]
    assert sum(one <= 0.05 for one in families) <= 9


def test_compact_letters_worked_by_hand():
    means = [0.9, 0.8, 0.7, 0.5, 0.45]
    alike = np.abs(np.subtract.outer(means, means)) < 0.22
    # .9 to .7, then .7 to .5, then .5 to .45 lies within the stretch from .5 only.
    assert letters(means, alike) == ("a", "a", "ab", "bc", "c")
    assert letters([0.1, 0.2, 0.3], np.eye(3, dtype=bool)) == ("c", "b", "a")


def test_many_stretches_get_longer_letters_that_stay_apart():
    found = letters([float(-run) for run in range(28)], np.eye(28, dtype=bool))
    assert (found[0], found[25], found[26], found[27]) == ("a", "z", "aa", "ab")


def test_undefined_scores_are_refused():
    with pytest.raises(ValueError, match="have a score"):
        tukey_letters([[0.1, float("nan")]], SHA256, "judged")
