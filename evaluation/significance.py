"""Student's t: tests for paired and independent scores, intervals of means."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.averaging import average

TOLERANCE = 1e-12
"""Differences below this are rounding noise."""

TOO_FEW = "fewer than two topics"
UNDEFINED = "undefined for some topics"
NO_VARIANCE = "no variance on either side and equal means"

_RULES = {TOO_FEW: "too_few_topics", UNDEFINED: "undefined", NO_VARIANCE: "no_variance"}

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class TTest:
    """A two-sided t-test; ``t`` and ``p_value`` are NaN where undefined, with the reason.

    ``rule`` names how it was decided: ``computed``, ``identical`` (p = 1), ``constant_difference``
    (p = 0), or ``too_few_topics``, ``no_variance``, ``undefined`` (no p). ``difference`` is the
    mean of the first minus the second side.
    """

    t: float
    p_value: float
    degrees_of_freedom: float
    difference: float
    rule: str
    reason: str | None = None


def _values(scores: ArrayLike) -> NDArray[np.float64]:
    return np.asarray(scores, dtype=np.float64)


def _variance(values: NDArray[np.float64]) -> float:
    middle = average(values.tolist())
    return math.fsum(((values - middle) ** 2).tolist()) / (len(values) - 1)


def _is_constant(values: NDArray[np.float64]) -> bool:
    return bool(np.max(np.abs(values - average(values.tolist()))) < TOLERANCE)


def _undefined(difference: float, reason: str) -> TTest:
    return TTest(math.nan, math.nan, math.nan, difference, _RULES[reason], reason)


def _computed(difference: float, error: float, freedom: float) -> TTest:
    # Loaded late: SciPy takes longer to load than a run to be read, and most commands test nothing.
    from scipy.special import stdtr  # noqa: PLC0415

    t = difference / error
    p_value = min(1.0, 2.0 * float(stdtr(freedom, -abs(t))))
    return TTest(t, p_value, freedom, difference, "computed")


def paired_t(original: ArrayLike, submitted: ArrayLike) -> TTest:
    """Paired t-test of the scores of the same topics.

    t = mean(d) / (sd(d) / sqrt(n)) with d = M - M' and n - 1 degrees of freedom, two-sided. In
    this order: fewer than 2 topics: undefined; all |d| < 1e-12: identical, p = 1; all d equal to
    1e-12: constant difference, p = 0; in both t is undefined. Breuer et al., SIGIR 2020.

    >>> paired_t([0.1, 0.2, 0.3], [0.1, 0.2, 0.3]).p_value
    1.0
    >>> round(paired_t([0.2, 0.8, 0.5, 0.4, 0.1], [0.25, 0.7, 0.55, 0.4, 0.3]).p_value, 4)
    0.4557
    """
    first, second = _values(original), _values(submitted)
    if first.shape != second.shape:
        raise ValueError(f"Scores of {first.size} topics against scores of {second.size}.")
    gaps = first - second
    difference = average(gaps.tolist())
    if gaps.size < 2:
        return _undefined(difference, TOO_FEW)
    if np.isnan(gaps).any():
        return _undefined(math.nan, UNDEFINED)
    freedom = float(gaps.size - 1)
    if np.max(np.abs(gaps)) < TOLERANCE:
        return TTest(math.nan, 1.0, freedom, difference, "identical")
    if _is_constant(gaps):
        return TTest(math.nan, 0.0, freedom, difference, "constant_difference")
    return _computed(difference, math.sqrt(_variance(gaps) / gaps.size), freedom)


def _degenerate(first: NDArray[np.float64], second: NDArray[np.float64]) -> TTest | None:
    difference = average(first.tolist()) - average(second.tolist())
    if min(first.size, second.size) < 2:
        return _undefined(difference, TOO_FEW)
    if np.isnan(first).any() or np.isnan(second).any():
        return _undefined(math.nan, UNDEFINED)
    if not (_is_constant(first) and _is_constant(second)):
        return None
    if abs(difference) < TOLERANCE:
        return _undefined(difference, NO_VARIANCE)
    freedom = float(first.size + second.size - 2)
    return TTest(math.nan, 0.0, freedom, difference, "constant_difference")


def pooled_t(original: ArrayLike, submitted: ArrayLike) -> TTest:
    """Student's t-test of independent scores, variances pooled.

    t = (mean - mean') / sqrt(s^2 (1/n + 1/n')), s^2 the pooled variance, n + n' - 2 degrees of
    freedom, two-sided. Fewer than 2 topics on a side, or both sides constant and equal:
    undefined; constant and different: p = 0. Breuer et al., SIGIR 2020.

    >>> round(pooled_t([0.2, 0.8, 0.5, 0.4, 0.1], [0.25, 0.7, 0.55, 0.4, 0.3]).p_value, 4)
    0.7935
    """
    first, second = _values(original), _values(submitted)
    degenerate = _degenerate(first, second)
    if degenerate is not None:
        return degenerate
    error, freedom = _pooled_error(first, second)
    return _computed(average(first.tolist()) - average(second.tolist()), error, freedom)


def _pooled_error(first: NDArray[np.float64], second: NDArray[np.float64]) -> tuple[float, float]:
    freedom = float(first.size + second.size - 2)
    squares = _variance(first) * (first.size - 1) + _variance(second) * (second.size - 1)
    return math.sqrt(squares / freedom * (1 / first.size + 1 / second.size)), freedom


def welch_t(original: ArrayLike, submitted: ArrayLike) -> TTest:
    """Welch's t-test of independent scores, variances not assumed equal.

    t = (mean - mean') / sqrt(v + v'), v = s^2 / n of each side, (v + v')^2 / (v^2/(n-1) +
    v'^2/(n'-1)) degrees of freedom, two-sided. Undefined and constant cases as for the pooled
    test. Welch, Biometrika 34, 1947.

    >>> round(welch_t([0.2, 0.8, 0.5, 0.4, 0.1], [0.25, 0.7, 0.55, 0.4, 0.3]).p_value, 4)
    0.7945
    """
    first, second = _values(original), _values(submitted)
    degenerate = _degenerate(first, second)
    if degenerate is not None:
        return degenerate
    one, two = _variance(first) / first.size, _variance(second) / second.size
    freedom = (one + two) ** 2 / (one**2 / (first.size - 1) + two**2 / (second.size - 1))
    difference = average(first.tolist()) - average(second.tolist())
    return _computed(difference, math.sqrt(one + two), freedom)


def mean_interval(scores: ArrayLike, level: float = 0.95) -> Interval | None:
    """Student's t interval of a mean over topics; of a paired difference when given differences.

    mean +- t(n - 1) sd / sqrt(n). None for fewer than 2 topics or undefined scores. Not cut to
    the measure's range.

    >>> low, high = mean_interval([0.2, 0.4, 0.6])
    >>> round(low, 4), round(high, 4)
    (-0.0968, 0.8968)
    """
    values = _values(scores)
    if values.size < 2 or np.isnan(values).any():
        return None
    error = math.sqrt(_variance(values) / values.size)
    return _around(average(values.tolist()), error, float(values.size - 1), level)


def difference_interval(
    original: ArrayLike, submitted: ArrayLike, level: float = 0.95
) -> Interval | None:
    """Student's t interval of the difference of two independent means, variances pooled.

    (mean - mean') +- t(n + n' - 2) s sqrt(1/n + 1/n'). None for fewer than 2 topics on a side or
    undefined scores.

    >>> low, high = difference_interval([0.2, 0.4, 0.6], [0.1, 0.3, 0.5])
    >>> round(low, 4), round(high, 4)
    (-0.3534, 0.5534)
    """
    first, second = _values(original), _values(submitted)
    if min(first.size, second.size) < 2 or np.isnan(first).any() or np.isnan(second).any():
        return None
    error, freedom = _pooled_error(first, second)
    return _around(average(first.tolist()) - average(second.tolist()), error, freedom, level)


def _around(middle: float, error: float, freedom: float, level: float) -> Interval:
    if not 0.0 < level < 1.0:
        raise ValueError(f"The level of an interval lies between 0 and 1, not {level}.")
    from scipy.special import stdtrit  # noqa: PLC0415 - see _computed

    reach = float(stdtrit(freedom, (1.0 + level) / 2.0)) * error
    return middle - reach, middle + reach
