"""Kendall's tau-b between two series: rankings, or measures over the same runs."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence


def kendall_tau_b(x: Sequence[float], y: Sequence[float]) -> float:
    """Kendall's rank correlation with correction for ties.

    tau = (P - Q) / sqrt((P + Q + U)(P + Q + V)): P concordant, Q discordant pairs, U and V pairs
    tied only in x, only in y. Range [-1, 1]; NaN for fewer than two values or when a side does
    not vary. Kendall, Biometrika 33, 1945.

    >>> round(kendall_tau_b([1, 2, 3, 4], [1, 3, 2, 4]), 4)
    0.6667
    """
    if len(x) != len(y):
        raise ValueError(f"{len(x)} values against {len(y)}.")
    pairs = sorted(zip(x, y, strict=True))
    discordant, seen = 0, list[float]()
    for number, (_, value) in enumerate(pairs):
        place = bisect_right(seen, value)
        discordant += number - place
        seen.insert(place, value)
    every = len(pairs) * (len(pairs) - 1) // 2
    tied_x, tied_y, tied_both = _tied(x), _tied(y), _tied(pairs)
    difference = every - tied_x - tied_y + tied_both - 2 * discordant
    varied_x, varied_y = every - tied_x, every - tied_y
    if not varied_x or not varied_y:
        return math.nan
    # The root of an exact square may be off by one bit, and equal rankings must give 1.
    return difference / (varied_x if varied_x == varied_y else math.sqrt(varied_x * varied_y))


def _tied(values: Sequence[object]) -> int:
    if len(set(values)) == len(values):
        return 0
    return sum(count * (count - 1) // 2 for count in Counter(values).values())


def agreement(x: Sequence[float], y: Sequence[float], decimals: int | None = 12) -> float:
    """Kendall's tau-b of two measures over the same runs, after rounding.

    Means of equal scores can differ in their last bit, which would order what is tied, so values
    are rounded to ``decimals`` first (None: not rounded). Places where either value is undefined
    (NaN) are left out. Range and undefined cases as ``kendall_tau_b``. Breuer et al., SIGIR 2020,
    tables 4 and 5.

    >>> agreement([0.1 + 0.2, 0.3, 0.5], [1.0, 1.0, 2.0])
    1.0
    """
    kept = [
        (one, two)
        for one, two in zip(x, y, strict=True)
        if not (math.isnan(one) or math.isnan(two))
    ]
    if decimals is not None:
        kept = [(round(one, decimals), round(two, decimals)) for one, two in kept]
    return kendall_tau_b([one for one, _ in kept], [two for _, two in kept])
