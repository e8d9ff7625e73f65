"""How well a reproduction recovers an effect: ER, RI and ΔRI, with reasons and warnings."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from evaluation.averaging import average
from evaluation.regions import region
from evaluation.significance import Interval, TTest, mean_interval, paired_t

TOLERANCE = 1e-12
"""A mean closer to 0 than this is 0: decimal scores cancel inexactly."""

ALPHA = 0.05

ZERO_EFFECT = "the original effect is 0"
ZERO_ORIGINAL_BASELINE = "the mean of the original baseline is 0"
ZERO_SUBMITTED_BASELINE = "the mean of the submitted baseline is 0"
NO_SCORES = "scores are missing or undefined"


def _gaps(baseline: ArrayLike, advanced: ArrayLike) -> list[float]:
    lower = np.asarray(baseline, dtype=np.float64)
    upper = np.asarray(advanced, dtype=np.float64)
    if lower.shape != upper.shape:
        raise ValueError(f"Scores of {upper.size} topics against scores of {lower.size}.")
    found: list[float] = (upper - lower).tolist()
    return found


def effect_ratio(
    original_baseline: ArrayLike,
    original_advanced: ArrayLike,
    submitted_baseline: ArrayLike,
    submitted_advanced: ArrayLike,
) -> float:
    """Submitted effect divided by the original effect.

    ER = mean(M(a') - M(b')) / mean(M(a) - M(b)); each mean over its own topics, so the submitted
    pair may be on a new collection. Any value; 1 when the effect is recovered; NaN when the
    original effect is 0 (to 1e-12). Breuer et al., SIGIR 2020.

    >>> round(effect_ratio([0.2, 0.4], [0.3, 0.5], [0.2, 0.4], [0.25, 0.45]), 4)
    0.5
    """
    below = average(_gaps(original_baseline, original_advanced))
    above = average(_gaps(submitted_baseline, submitted_advanced))
    return math.nan if abs(below) < TOLERANCE else above / below


def relative_improvement(baseline: ArrayLike, advanced: ArrayLike) -> float:
    """Improvement of the advanced run as a share of the baseline.

    RI = (mean M(a) - mean M(b)) / mean M(b). At least -1 for measures that are not negative; NaN
    when the mean baseline is 0 (to 1e-12). Breuer et al., SIGIR 2020.

    >>> round(relative_improvement([0.2, 0.4], [0.3, 0.5]), 4)
    0.3333
    """
    below = average(np.asarray(baseline, dtype=np.float64).tolist())
    above = average(np.asarray(advanced, dtype=np.float64).tolist())
    return math.nan if abs(below) < TOLERANCE else (above - below) / below


def delta_ri(
    original_baseline: ArrayLike,
    original_advanced: ArrayLike,
    submitted_baseline: ArrayLike,
    submitted_advanced: ArrayLike,
) -> float:
    """Difference of the relative improvements, original minus submitted.

    ΔRI = RI - RI'. Unbounded both ways; 0 when recovered; NaN when either RI is. Breuer et al.,
    SIGIR 2020 (whose text gives the range [-1, 1], which does not hold).

    >>> round(delta_ri([0.2, 0.4], [0.3, 0.5], [0.2, 0.4], [0.25, 0.45]), 4)
    0.1667
    """
    return relative_improvement(original_baseline, original_advanced) - relative_improvement(
        submitted_baseline, submitted_advanced
    )


def distance(ratio: float, difference: float) -> float:
    """Distance from the target point, ER 1 and ΔRI 0.

    sqrt((1 - ER)^2 + ΔRI^2). At least 0; NaN when either is.

    >>> distance(1.0, 0.5)
    0.5
    """
    return math.hypot(1.0 - ratio, difference)


@dataclass(frozen=True, slots=True)
class Effect:
    """Mean improvement of an advanced run over its baseline, with paired t-test and interval."""

    mean: float
    test: TTest
    interval: Interval | None

    @property
    def is_distinguishable(self) -> bool:
        """Whether the effect differs from 0 (paired t-test, p at most .05)."""
        return self.test.p_value <= ALPHA


def effect(baseline: ArrayLike, advanced: ArrayLike) -> Effect:
    """Improvement of an advanced run over its baseline on the same topics.

    mean(M(a) - M(b)) with its paired t-test and 95 % t interval; NaN without topics.

    >>> round(effect([0.2, 0.4], [0.3, 0.6]).mean, 4)
    0.15
    """
    gaps = _gaps(baseline, advanced)
    return Effect(average(gaps), paired_t(advanced, baseline), mean_interval(gaps))


@dataclass(frozen=True, slots=True)
class Effects:
    """ER, RI, ΔRI and region of a submitted pair; NaN where undefined, with the reason by name.

    ``warnings`` maps a code to a sentence that belongs beside the values.
    """

    effect_ratio: float
    relative_improvement_original: float
    relative_improvement_submitted: float
    delta_ri: float
    region: int | None
    original_effect: Effect
    submitted_effect: Effect
    reasons: Mapping[str, str] = field(default_factory=dict)
    warnings: Mapping[str, str] = field(default_factory=dict)

    @property
    def distance(self) -> float:
        """Distance from the target point, ER 1 and ΔRI 0."""
        return distance(self.effect_ratio, self.delta_ri)


def effects(
    original_baseline: ArrayLike,
    original_advanced: ArrayLike,
    submitted_baseline: ArrayLike,
    submitted_advanced: ArrayLike,
) -> Effects:
    """All effect values of a pair, with a reason for each that is undefined.

    >>> found = effects([0.2, 0.4], [0.4, 0.2], [0.2, 0.3], [0.3, 0.4])
    >>> found.effect_ratio, found.reasons["effect_ratio"], round(found.delta_ri, 4)
    (nan, 'the original effect is 0', -0.4)
    """
    ratio = effect_ratio(
        original_baseline, original_advanced, submitted_baseline, submitted_advanced
    )
    original = relative_improvement(original_baseline, original_advanced)
    submitted = relative_improvement(submitted_baseline, submitted_advanced)
    first = effect(original_baseline, original_advanced)
    second = effect(submitted_baseline, submitted_advanced)
    return Effects(
        effect_ratio=ratio,
        relative_improvement_original=original,
        relative_improvement_submitted=submitted,
        delta_ri=original - submitted,
        region=region(ratio, original - submitted),
        original_effect=first,
        submitted_effect=second,
        reasons=_reasons(first, second, ratio, original, submitted),
        warnings=_warnings(first),
    )


def _reasons(
    first: Effect, second: Effect, ratio: float, original: float, submitted: float
) -> dict[str, str]:
    reasons: dict[str, str] = {}
    if math.isnan(ratio):
        is_missing = math.isnan(first.mean) or math.isnan(second.mean)
        reasons["effect_ratio"] = NO_SCORES if is_missing else ZERO_EFFECT
    if math.isnan(original):
        why = NO_SCORES if math.isnan(first.mean) else ZERO_ORIGINAL_BASELINE
        reasons["relative_improvement_original"] = why
    if math.isnan(submitted):
        why = NO_SCORES if math.isnan(second.mean) else ZERO_SUBMITTED_BASELINE
        reasons["relative_improvement_submitted"] = why
    for name in ("relative_improvement_original", "relative_improvement_submitted"):
        if name in reasons:
            reasons.setdefault("delta_ri", reasons[name])
    if region(ratio, original - submitted) is None:
        why = reasons.get("effect_ratio") or reasons.get("delta_ri") or "on an axis"
        reasons["region"] = why
    return reasons


def _warnings(original: Effect) -> dict[str, str]:
    warnings: dict[str, str] = {}
    if original.mean < -TOLERANCE:
        warnings["original_effect_negative"] = (
            "The original advanced run scores below its baseline: ER above 0 means that the "
            "submitted one does too."
        )
    if not original.is_distinguishable:
        warnings["original_effect_unclear"] = (
            "The original effect cannot be told from 0 (paired t-test, p > .05), so ER is a ratio "
            "to noise."
        )
    return warnings
