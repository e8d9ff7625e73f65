"""Many runs against each other: all pairs at once, and Holm's correction against one of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtr

from evaluation.averaging import average
from evaluation.notation import RANK_DECIMALS
from evaluation.significance import TTest, paired_t

Floats = NDArray[np.float64]

_CANCELS = 1e-5
"""Variances of a difference below this share of the runs' own are computed directly."""

_ROUNDING = 1e-7
"""Differences that vary less than this share of the largest score are too, as centring rounds."""

_SMALL_PRODUCT = 4_000_000
"""Multiplications up to which a matrix product is not worth the threads that BLAS wakes for it."""


def score_matrix(scores: ArrayLike) -> Floats:
    """Scores as an array with a row for each topic and a column for each run, all defined."""
    values = np.asarray(scores, dtype=np.float64)
    if values.ndim != 2 or not values.size:
        raise ValueError("Scores of several runs are a row for each topic, a column for each run.")
    if not np.isfinite(values).all():
        raise ValueError("Runs are compared over topics for which all of them have a score.")
    return values


@dataclass(frozen=True, slots=True)
class AllPairs:
    """Paired t-tests of every run against every other: two symmetric-shaped matrices.

    Row i, column j tests run i minus run j, so ``t`` changes its sign across the diagonal. NaN
    where undefined, as in ``paired_t``.
    """

    t: Floats
    p_values: Floats


def all_pairs_t(scores: ArrayLike) -> AllPairs:
    """Paired t-tests of all pairs of runs (columns) over the same topics (rows).

    All variances of differences come from one Gram matrix, s_ij^2 = (G_ii + G_jj - 2 G_ij) /
    (n - 1) of the scores centred by topic and by run. Pairs whose variance nearly cancels there
    are computed directly, as ``paired_t`` does. Values, range and degenerate cases are those of
    ``paired_t``, to 1e-9; the diagonal has p = 1, and NaN for fewer than 2 topics.

    >>> found = all_pairs_t([[0.2, 0.25], [0.8, 0.7], [0.5, 0.55], [0.4, 0.4], [0.1, 0.3]])
    >>> found.p_values.round(4).tolist()
    [[1.0, 0.4557], [0.4557, 1.0]]
    """
    values = score_matrix(scores)
    topics, runs = values.shape
    t, p_values = np.full((runs, runs), np.nan), np.full((runs, runs), np.nan)
    if topics < 2:
        return AllPairs(t, p_values)
    one, two = np.triu_indices(runs, 1)
    squares, difference, is_sound = _of_differences(values, one, two)
    error = np.sqrt(squares[is_sound] / (topics - 1) / topics)
    found = difference[is_sound] / error
    first, second = one[is_sound], two[is_sound]
    t[first, second], t[second, first] = found, -found
    both = np.minimum(1.0, 2.0 * stdtr(float(topics - 1), -np.abs(found)))
    p_values[first, second] = p_values[second, first] = both
    for i, j in zip(one[~is_sound].tolist(), two[~is_sound].tolist(), strict=True):
        test = paired_t(values[:, i], values[:, j])
        t[i, j], t[j, i] = test.t, -test.t
        p_values[i, j] = p_values[j, i] = test.p_value
    np.fill_diagonal(p_values, 1.0)
    return AllPairs(t, p_values)


def _of_differences(
    values: Floats, one: NDArray[np.int64], two: NDArray[np.int64]
) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Of differences: sums of squares about the mean, means, and whether both are sound."""
    even = values - values.mean(axis=1, keepdims=True)
    means = even.mean(axis=0)
    centred = even - means
    gram = _gram(centred)
    own = np.diag(gram)
    both = own[one] + own[two]
    squares = both - 2.0 * gram[one, two]
    noise = len(values) * (_ROUNDING * max(1.0, float(np.abs(values).max()))) ** 2
    return squares, means[one] - means[two], squares > np.maximum(_CANCELS * both, noise)


def _gram(centred: Floats) -> Floats:
    topics, runs = centred.shape
    if topics * runs * runs > _SMALL_PRODUCT:
        return centred.T @ centred
    return np.asarray(np.einsum("ij,ik->jk", centred, centred), dtype=np.float64)


def holm(p_values: ArrayLike) -> Floats:
    """P-values of a family of tests, corrected so that the chance of any false one is kept.

    The i-th smallest of m becomes the largest of (m - k + 1) p_(k) for k <= i, at most 1. Range
    [0, 1], at least the value itself; an undefined one (NaN) stays so and does not count. Holm,
    Scandinavian Journal of Statistics 6, 1979.

    >>> holm([0.01, 0.04, 0.03]).round(4).tolist()
    [0.03, 0.06, 0.06]
    """
    given = np.asarray(p_values, dtype=np.float64)
    corrected = np.full(given.shape, np.nan)
    places = np.flatnonzero(~np.isnan(given))
    order = places[np.argsort(given[places], kind="stable")]
    factors = np.arange(len(order), 0, -1, dtype=np.float64)
    corrected[order] = np.minimum(1.0, np.maximum.accumulate(factors * given[order]))
    return corrected


@dataclass(frozen=True, slots=True)
class AgainstOne:
    """Every run against one of them: the paired t-tests, and their p-values after Holm.

    ``reference`` is the column that the others are compared with; its own test is None and its
    p-value NaN.
    """

    reference: int
    tests: tuple[TTest | None, ...]
    p_values: Floats


def against_baseline(scores: ArrayLike, baseline: int) -> AgainstOne:
    """Paired t-tests of all runs (columns) against a chosen baseline, corrected by Holm.

    Differences are run minus baseline. Degenerate cases as ``paired_t`` and ``holm``.

    >>> found = against_baseline([[0.2, 0.25, 0.9], [0.8, 0.7, 0.9], [0.5, 0.55, 0.8]], 0)
    >>> found.p_values.round(4).tolist()
    [nan, 1.0, 0.3464]
    """
    values = score_matrix(scores)
    runs = values.shape[1]
    if not 0 <= baseline < runs:
        raise ValueError(f"There is no run {baseline} among {runs}, counted from 0.")
    tests = tuple(
        None if run == baseline else paired_t(values[:, run], values[:, baseline])
        for run in range(runs)
    )
    raw = [math.nan if test is None else test.p_value for test in tests]
    return AgainstOne(baseline, tests, holm(raw))


def against_best(scores: ArrayLike) -> AgainstOne:
    """Paired t-tests of all runs (columns) against the one with the highest mean, after Holm.

    Means are compared rounded to 12 decimals, the first of equal ones is the best.

    >>> against_best([[0.2, 0.3], [0.4, 0.5], [0.3, 0.6]]).reference
    1
    """
    values = score_matrix(scores)
    means = rounded_means(values.T.tolist())
    return against_baseline(values, means.index(max(means)))


def rounded_means(columns: Sequence[Sequence[float]]) -> list[float]:
    """Means as ranks compare them: rounded to 12 decimals, so that rounding noise ties."""
    return [round(average(column), RANK_DECIMALS) for column in columns]
