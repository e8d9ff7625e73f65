"""Percentile intervals from the frozen bootstrap: ER, RI, ΔRI, RMSE, tau and RBO."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.effects import TOLERANCE
from evaluation.resampling import Resampling
from evaluation.significance import TOO_FEW, UNDEFINED, Interval, mean_interval

UNBOUNDED = "unbounded"
"""The reason of an interval of a ratio whose denominator may be 0."""

MOST_DROPPED = 0.01
"""Share of dropped resamples above which the interval of a ratio is unbounded."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ResampledInterval:
    """Percentile limits over resamples; NaN where undefined, with the reason.

    ``dropped`` counts the resamples without a value: nothing defined was drawn, or the denominator
    of a ratio was 0 (to 1e-12). The percentiles of an unbounded ratio stay in ``percentiles``.
    """

    low: float
    high: float
    level: float
    resamples: int
    dropped: int
    reason: str | None = None
    percentiles: Interval | None = None

    @property
    def interval(self) -> Interval | None:
        """Both limits, None where they are undefined."""
        return None if self.reason is not None else (self.low, self.high)


def percentile_interval(values: ArrayLike, level: float = 0.95) -> ResampledInterval:
    """Percentiles (1 - level) / 2 and (1 + level) / 2 of a value over resamples.

    By linear interpolation (Hyndman and Fan 1996, definition 7); resamples that are NaN are
    dropped and counted. Undefined when every one is. Efron and Tibshirani, 1993, chapter 13.

    >>> found = percentile_interval([0.1, 0.2, 0.3, 0.4, 0.5], level=0.5)
    >>> round(found.low, 12), round(found.high, 12), found.dropped
    (0.2, 0.4, 0)
    """
    if not 0.0 < level < 1.0:
        raise ValueError(f"The level of an interval lies between 0 and 1, not {level}.")
    found = np.asarray(values, dtype=np.float64)
    undefined = np.isnan(found)
    kept = np.sort(found[~undefined] if undefined.any() else found)
    dropped = len(found) - len(kept)
    if not len(kept):
        return _undefined(UNDEFINED, level, len(found), dropped)
    low, high = _quantile(kept, (1.0 - level) / 2.0), _quantile(kept, (1.0 + level) / 2.0)
    return ResampledInterval(low, high, level, len(found), dropped, percentiles=(low, high))


def _quantile(ordered: Floats, share: float) -> float:
    """The same bits as ``numpy.quantile`` gives, without its cost for each call."""
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    weight = place - below
    low = float(ordered[below])
    high = float(ordered[min(below + 1, len(ordered) - 1)])
    # From the nearer side, as numpy does.
    if weight < 0.5:
        return low + (high - low) * weight
    return high - (high - low) * (1.0 - weight)


def _undefined(
    reason: str,
    level: float,
    resamples: int,
    dropped: int,
    percentiles: Interval | None = None,
) -> ResampledInterval:
    return ResampledInterval(math.nan, math.nan, level, resamples, dropped, reason, percentiles)


def similarity_interval(
    values: ArrayLike, resampling: Resampling, level: float = 0.95
) -> ResampledInterval:
    """Interval of a mean tau or RBO over topics.

    Percentiles of the mean over the topics drawn, topics without a value (NaN) left out; a
    resample without any value is dropped. Undefined for fewer than 2 topics with a value.

    >>> drawn = Resampling("0" * 64, "judged", topics=4, resamples=1000)
    >>> similarity_interval([0.25, 0.25, 0.25, 0.25], drawn).interval
    (0.25, 0.25)
    """
    given = np.asarray(values, dtype=np.float64)
    if np.count_nonzero(~np.isnan(given)) < 2:
        return _undefined(TOO_FEW, level, resampling.resamples, 0)
    return percentile_interval(resampling.means(given), level)


def rmse_interval(
    original: ArrayLike, submitted: ArrayLike, resampling: Resampling, level: float = 0.95
) -> ResampledInterval:
    """Interval of the root mean square error between the scores of the same topics.

    Percentiles of sqrt(mean of (M_j - M'_j)^2) over the topics drawn, at least 0. Undefined for
    fewer than 2 topics or undefined scores.

    >>> drawn = Resampling("0" * 64, "judged", topics=2, resamples=1000)
    >>> [round(limit, 4) for limit in rmse_interval([0.2, 0.4], [0.25, 0.45], drawn).interval]
    [0.05, 0.05]
    """
    gaps = np.asarray(original, dtype=np.float64) - np.asarray(submitted, dtype=np.float64)
    reason = _why([gaps])
    if reason is not None:
        return _undefined(reason, level, resampling.resamples, 0)
    return percentile_interval(np.sqrt(resampling.means(gaps**2)), level)


def effect_ratio_interval(
    original_baseline: ArrayLike,
    original_advanced: ArrayLike,
    submitted_baseline: ArrayLike,
    submitted_advanced: ArrayLike,
    resampling: Resampling,
    new_resampling: Resampling | None = None,
    level: float = 0.95,
) -> ResampledInterval:
    """Interval of the effect ratio, both effects of a resample over the same topics.

    Percentiles of mean(M(a') - M(b')) / mean(M(a) - M(b)) over the topics drawn. On a new
    collection ``new_resampling`` draws its topics, independently. Unbounded when the 95 % t
    interval of the original effect covers 0 or more than 1 % of the resamples were dropped;
    undefined for fewer than 2 topics on a side or undefined scores.

    >>> drawn = Resampling("0" * 64, "judged", topics=3, resamples=1000)
    >>> b, a = [0.2, 0.4, 0.3], [0.3, 0.5, 0.45]
    >>> [round(limit, 4) for limit in effect_ratio_interval(b, a, b, a, drawn).interval]
    [1.0, 1.0]
    """
    first = _gaps(original_baseline, original_advanced)
    second = _gaps(submitted_baseline, submitted_advanced)
    other = new_resampling or resampling
    reason = _why([first, second])
    if reason is not None:
        return _undefined(reason, level, resampling.resamples, 0)
    values = _ratio(other.means(second), resampling.means(first))
    return _bounded(percentile_interval(values, level), [first])


def relative_improvement_interval(
    baseline: ArrayLike, advanced: ArrayLike, resampling: Resampling, level: float = 0.95
) -> ResampledInterval:
    """Interval of the relative improvement RI of a pair.

    Percentiles of mean(M(a) - M(b)) / mean M(b) over the topics drawn. Unbounded when the 95 % t
    interval of the baseline mean covers 0 or more than 1 % of the resamples were dropped;
    undefined for fewer than 2 topics or undefined scores.

    >>> drawn = Resampling("0" * 64, "judged", topics=3, resamples=1000)
    >>> found = relative_improvement_interval([0.2, 0.4, 0.3], [0.3, 0.6, 0.45], drawn)
    >>> [round(limit, 4) for limit in found.interval]
    [0.5, 0.5]
    """
    base = np.asarray(baseline, dtype=np.float64)
    gaps = _gaps(baseline, advanced)
    reason = _why([base, gaps])
    if reason is not None:
        return _undefined(reason, level, resampling.resamples, 0)
    return _bounded(percentile_interval(_improvements(base, gaps, resampling), level), [base])


def delta_ri_interval(
    original_baseline: ArrayLike,
    original_advanced: ArrayLike,
    submitted_baseline: ArrayLike,
    submitted_advanced: ArrayLike,
    resampling: Resampling,
    new_resampling: Resampling | None = None,
    level: float = 0.95,
) -> ResampledInterval:
    """Interval of ΔRI = RI - RI', both of a resample over the same topics.

    Percentiles of the difference over the topics drawn; on a new collection ``new_resampling``
    draws its topics, independently. Unbounded when the 95 % t interval of either baseline mean
    covers 0 or more than 1 % of the resamples were dropped; undefined for fewer than 2 topics on
    a side or undefined scores.

    >>> drawn = Resampling("0" * 64, "judged", topics=3, resamples=1000)
    >>> b, a = [0.2, 0.4, 0.3], [0.3, 0.5, 0.45]
    >>> delta_ri_interval(b, a, b, a, drawn).interval
    (0.0, 0.0)
    """
    bases = [np.asarray(one, dtype=np.float64) for one in (original_baseline, submitted_baseline)]
    first = _gaps(original_baseline, original_advanced)
    second = _gaps(submitted_baseline, submitted_advanced)
    other = new_resampling or resampling
    reason = _why([*bases, first, second])
    if reason is not None:
        return _undefined(reason, level, resampling.resamples, 0)
    values = _improvements(bases[0], first, resampling) - _improvements(bases[1], second, other)
    return _bounded(percentile_interval(values, level), bases)


def _gaps(baseline: ArrayLike, advanced: ArrayLike) -> Floats:
    lower = np.asarray(baseline, dtype=np.float64)
    upper = np.asarray(advanced, dtype=np.float64)
    if lower.shape != upper.shape:
        raise ValueError(f"Scores of {upper.size} topics against scores of {lower.size}.")
    return upper - lower


def _why(samples: Sequence[Floats]) -> str | None:
    if min(len(one) for one in samples) < 2:
        return TOO_FEW
    return UNDEFINED if any(np.isnan(one).any() for one in samples) else None


def _ratio(numerator: Floats, denominator: Floats) -> Floats:
    found = np.full(denominator.shape, np.nan)
    np.divide(numerator, denominator, out=found, where=np.abs(denominator) >= TOLERANCE)
    return found


def _improvements(base: Floats, gaps: Floats, resampling: Resampling) -> Floats:
    return _ratio(resampling.means(gaps), resampling.means(base))


def _bounded(found: ResampledInterval, denominators: Sequence[Floats]) -> ResampledInterval:
    covers = any(_covers_zero(one) for one in denominators)
    if covers or found.dropped > MOST_DROPPED * found.resamples:
        return _undefined(UNBOUNDED, found.level, found.resamples, found.dropped, found.percentiles)
    return found


def _covers_zero(sample: Floats) -> bool:
    low, high = mean_interval(sample) or (-math.inf, math.inf)
    return low < TOLERANCE and high > -TOLERANCE
