"""Whether two runs are equivalent: two one-sided t-tests, and the bound that would just pass."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtr

from evaluation.significance import Interval, mean_interval, paired_t

ALPHA = 0.05
BOUND = 0.05
"""Largest difference of means that counts as none, unless the organizer says otherwise."""


@dataclass(frozen=True, slots=True)
class Equivalence:
    """Outcome of the two one-sided tests; NaN and None where undefined, with the reason.

    ``smallest_bound`` is δ*, the smallest bound that would have passed. ``interval`` is the t
    interval of level 1 - 2 alpha of the mean difference, original minus submitted.
    """

    bound: float
    smallest_bound: float
    p_value: float
    difference: float
    interval: Interval | None
    is_equivalent: bool | None
    reason: str | None = None


def equivalence(
    original: ArrayLike, submitted: ArrayLike, bound: float = BOUND, alpha: float = ALPHA
) -> Equivalence:
    """Two one-sided paired t-tests (TOST) of the scores of the same topics.

    Equivalent when the 1 - 2 alpha t interval of the mean difference lies within -δ and δ, so when
    δ* = its largest |limit| is at most δ; p is the larger of both one-sided p-values of t =
    (mean(d) ± δ) / (sd(d) / sqrt(n)), n - 1 degrees of freedom. Identical scores: δ* = 0, p = 0;
    a constant difference: δ* is its size, p = 0 up to the bound and 1 beyond it. Undefined for
    fewer than 2 topics or undefined scores. Same collection only. Schuirmann, J. Pharmacokinetics
    and Biopharmaceutics 15, 1987.

    >>> found = equivalence([0.50, 0.40, 0.30, 0.60], [0.49, 0.42, 0.29, 0.58])
    >>> found.is_equivalent, round(found.smallest_bound, 4), round(found.p_value, 4)
    (True, 0.0254, 0.0069)
    """
    if not 0.0 < bound < math.inf:
        raise ValueError(f"The bound of equivalence is above 0, not {bound}.")
    if not 0.0 < alpha < 0.5:
        raise ValueError(f"Alpha lies between 0 and 0.5, not {alpha}.")
    test = paired_t(original, submitted)
    if test.reason is not None:
        return Equivalence(bound, math.nan, math.nan, test.difference, None, None, test.reason)
    gaps = np.asarray(original, dtype=np.float64) - np.asarray(submitted, dtype=np.float64)
    if test.rule != "computed":
        middle = 0.0 if test.rule == "identical" else test.difference
        is_within = abs(middle) <= bound
        p_value = 0.0 if is_within else 1.0
        return Equivalence(bound, abs(middle), p_value, middle, (middle, middle), is_within)
    interval = mean_interval(gaps, 1.0 - 2.0 * alpha)
    error = _error(gaps.tolist(), test.difference)
    freedom = test.degrees_of_freedom
    p_value = max(
        float(stdtr(freedom, (test.difference - bound) / error)),
        float(stdtr(freedom, -(test.difference + bound) / error)),
    )
    smallest = math.nan if interval is None else max(abs(limit) for limit in interval)
    return Equivalence(bound, smallest, p_value, test.difference, interval, smallest <= bound)


def _error(gaps: list[float], middle: float) -> float:
    squares = math.fsum((gap - middle) ** 2 for gap in gaps)
    return math.sqrt(squares / (len(gaps) - 1) / len(gaps))
