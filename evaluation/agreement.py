"""Kendall's tau-b between two series: rankings, or measures over the same runs.

Standard library only.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

SIGNS: Mapping[str, Callable[[float], float]] = MappingProxyType(
    {
        "delta_arp": abs,
        "tau": lambda value: abs(1.0 - value),
        "rbo": lambda value: abs(1.0 - value),
        "rmse": lambda value: value,
        "p_value": lambda value: -value,
        "er": lambda value: abs(1.0 - value),
        "delta_ri": abs,
    }
)
"""How each measure of reproduction is turned so that lower is better, as in the paper's tables 4
and 5; ΔRI, which they leave out, by its distance from 0."""


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


def lower_is_better(name: str, values: Sequence[float]) -> list[float]:
    """Values of a measure of reproduction by the paper's sign conventions.

    |ΔARP|, |1 - tau|, |1 - RBO|, RMSE as it is, -p, |1 - ER|; also |ΔRI|. ``name`` is a key of
    ``SIGNS``, alone or followed by the measure of effectiveness (``rmse_ap``). NaN stays. Breuer
    et al., SIGIR 2020, section 5.

    >>> lower_is_better("er_ap", [0.5, 1.25]), lower_is_better("p_value", [0.25])
    ([0.5, 0.25], [-0.25])
    """
    for key, sign in SIGNS.items():
        if name == key or name.startswith(f"{key}_"):
            return [sign(value) for value in values]
    raise ValueError(f"Unknown measure of reproduction {name!r}. Accepted: {', '.join(SIGNS)}.")


def agreement_matrix(
    series: Mapping[str, Sequence[float]],
    decimals: int | None = 12,
    by_digits: str | None = None,
) -> list[list[float]]:
    """Agreement of every measure with every other, over the same runs.

    Kendall's tau-b of each two series after the paper's sign conventions and rounding, in the
    order of ``series``. Names that start with ``by_digits`` are rounded to that many significant
    digits instead of decimals, so that very small p-values do not tie. Range [-1, 1], symmetric;
    undefined cases as ``agreement``. Breuer et al., SIGIR 2020, tables 4 and 5.

    >>> agreement_matrix({"rmse_ap": [0.1, 0.2, 0.3], "p_value_ap": [0.9, 0.5, 0.6]})[0]
    [1.0, 0.3333333333333333]
    """
    turned = []
    for name, values in series.items():
        found = lower_is_better(name, values)
        if decimals is not None:
            is_by_digits = by_digits is not None and name.startswith(by_digits)
            form = f".{decimals - 1}e" if is_by_digits else f".{decimals}f"
            found = [float(format(value, form)) for value in found]
        turned.append(found)
    return [[agreement(one, two, decimals=None) for two in turned] for one in turned]
