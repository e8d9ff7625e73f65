"""The four regions of the ER–ΔRI plane and the readings of the effect ratio.

Standard library only, because pages quote these words without loading NumPy.
"""

from __future__ import annotations

import math

AXIS_TOLERANCE = 1e-12
"""Closer than this to 0 counts as on the axis."""

REGION_READINGS = {
    1: "somewhat successful in the effect size, not in the absolute scores",
    2: "failure in both",
    3: "failure in the effect size, not in the absolute scores",
    4: "somewhat successful in both; preferred if close to (1, 0)",
}
"""How the SIGIR 2020 paper reads each region: quote it as the paper's."""

READING_CAVEAT = (
    "With a positive original effect, ΔRI < 0 says only that b'/b < ER, so region 4 often holds "
    "runs whose baseline is far below the original. Judge absolute scores by ΔARP."
)

EFFECT_READINGS = ("failure", "smaller effect", "recovered", "larger effect")
"""The paper's four readings of ER: <= 0, between 0 and 1, 1, above 1."""


def _sign(value: float) -> int:
    return 0 if abs(value) < AXIS_TOLERANCE else (1 if value > 0 else -1)


def region(effect_ratio: float | None, delta_ri: float | None) -> int | None:
    """Region 1 (ER>0, ΔRI>0), 2 (ER<0, ΔRI>0), 3 (ER<0, ΔRI<0) or 4 (ER>0, ΔRI<0).

    None on an axis (closer than 1e-12) or when either value is undefined. Breuer et al.,
    SIGIR 2020, section 4.

    >>> region(0.5, 0.4), region(-0.5, 1.1), region(-1, -0.5), region(0.8, -1.7), region(1, 0)
    (1, 2, 3, 4, None)
    """
    if effect_ratio is None or delta_ri is None or math.isnan(effect_ratio) or math.isnan(delta_ri):
        return None
    signs = (_sign(effect_ratio), _sign(delta_ri))
    return {(1, 1): 1, (-1, 1): 2, (-1, -1): 3, (1, -1): 4}.get(signs)


def effect_reading(effect_ratio: float | None) -> str | None:
    """The paper's words for an effect ratio, None when it is undefined.

    >>> [effect_reading(value) for value in (-1.0, 0.4, 1.0, 1.3)]
    ['failure', 'smaller effect', 'recovered', 'larger effect']
    """
    if effect_ratio is None or math.isnan(effect_ratio):
        return None
    if _sign(effect_ratio) <= 0:
        return EFFECT_READINGS[0]
    return EFFECT_READINGS[2 + _sign(effect_ratio - 1)]
