"""The one place that turns numbers into text: decimals, leading zeros, minus, dash.

Zero is a score (``.0000``), None is no score (a dash); the two never look alike.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import lru_cache

from django import template

from evaluation.notation import UnknownMeasureError, parse
from evaluation.pair_measures import PAIR_MEASURES

register = template.Library()

DASH = "–"
MINUS = "\u2212"
LEAST_P = 0.0001

_CALL = re.compile(r"(?P<name>[a-z_]+)\((?P<measure>.+)\)\Z")
# Differences and errors of a measure keep within the range of that measure.
_WITHIN_MEASURE = frozenset({"arp", "delta_arp", "rmse", "nrmse", "difference", "original_effect"})
_SIGNED = frozenset({"difference", "original_effect", "relative_improvement", "delta_ri"})


_FORMATS = [f"%.{decimals}f" for decimals in range(18)]


@dataclass(frozen=True, slots=True)
class Style:
    """How the values of one column look; all have the same number of decimals."""

    decimals: int = 4
    is_bounded: bool = True
    is_signed: bool = False
    is_p: bool = False

    def text(self, value: float | None) -> str:
        """The value as it stands in a cell; None, NaN and infinities are a dash."""
        if value is None or not math.isfinite(value):
            return DASH
        if self.is_p and value < LEAST_P:
            return f"<{f'{LEAST_P:.4f}'[1:]}"
        digits = _FORMATS[self.decimals] % abs(value)
        if self.is_bounded and digits.startswith("0."):
            digits = digits[1:]
        if value >= 0 and not self.is_signed:
            return digits
        if not digits.strip("0."):
            return digits  # what rounds to zero has no sign
        return (MINUS if value < 0 else "+") + digits


SCORE = Style()
P_VALUE = Style(is_p=True)
RATIO = Style(decimals=3, is_bounded=False)
INTEGER = Style(decimals=0, is_bounded=False)


def _is_within_one(measure: str) -> bool:
    try:
        high = parse(measure).high
    except UnknownMeasureError:
        return False
    return high is not None and high <= 1


def _pair_style(name: str, *, is_bounded: bool | None = None) -> Style:
    known = PAIR_MEASURES.get(name)
    decimals = 4 if known is None else known.decimals
    if is_bounded is None:
        high, low = (None, None) if known is None else (known.high, known.low)
        is_bounded = high == 1 and low is not None and low >= -1
    return Style(decimals, is_bounded, name in _SIGNED)


@lru_cache(maxsize=512)
def style_of(name: str) -> Style:
    """The style of a column or quantity.

    Takes names of measures (``nDCG@10``), of quantities (``effect_ratio``), of a quantity of a
    measure (``rmse(AP)``), each perhaps behind a role (``baseline:rmse(AP)``).
    """
    name = name.rpartition(":")[2]
    if name in ("p", "p_value"):
        return P_VALUE
    if name in ("region", "count"):
        return INTEGER
    call = _CALL.match(name)
    if call and (call["name"] in PAIR_MEASURES or call["name"] in _WITHIN_MEASURE):
        if call["name"] == "p_value":
            return P_VALUE
        if call["name"] in _WITHIN_MEASURE:
            return _pair_style(call["name"], is_bounded=_is_within_one(call["measure"]))
        return _pair_style(call["name"])
    if name in PAIR_MEASURES or name in _WITHIN_MEASURE:
        return _pair_style(name)
    try:
        measure = parse(name)
    except UnknownMeasureError:
        return Style(is_bounded=False)
    return Style(measure.decimals, _is_within_one(name))


@register.filter
def number(value: float | None, name: str = "") -> str:
    """A number as text; ``name`` is its measure or quantity."""
    return (style_of(name) if name else SCORE).text(value)


@register.filter
def count(value: int | None) -> str:
    """A whole number with separators between thousands."""
    return DASH if value is None else f"{value:,}"


@register.filter
def filesize(value: int | None) -> str:
    """Bytes as people say them, in powers of 1000 as file managers count."""
    if value is None:
        return DASH
    if value < 1000:
        return f"{value} byte{'' if value == 1 else 's'}"
    size = float(value)
    for unit in ("kB", "MB", "GB"):
        size /= 1000
        if size < 999.5 or unit == "GB":
            break
    return f"{size:.1f} {unit}" if size < 9.95 else f"{size:.0f} {unit}"
