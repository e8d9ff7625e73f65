"""Which part of the plane a chart shows: the middle of the data, never a fixed range."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

FEW = 4
FENCE = 1.5  # interquartile ranges beyond the quartiles, as in a box plot
LEAST_REACH = 0.1
PAD = 0.07


def quantile(ordered: Sequence[float], share: float) -> float:
    """Linear interpolation between neighbours (Hyndman-Fan 7).

    >>> quantile([0.0, 1.0, 2.0, 10.0], 0.75)
    4.0
    """
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


@dataclass(frozen=True, slots=True)
class Span:
    """What one axis shows."""

    low: float
    high: float

    def side(self, value: float) -> int:
        """-1 below, 1 above, 0 inside."""
        return -1 if value < self.low else (1 if value > self.high else 0)

    def clamped(self, value: float, inset: float = 0.0) -> float:
        """The nearest value inside, a share of the width away from the edge."""
        gap = inset * (self.high - self.low)
        return min(max(value, self.low + gap), self.high - gap)


def span_of(
    values: Iterable[float],
    shown: Sequence[float],
    *,
    pad: tuple[float, float] = (PAD, PAD),
    room_below: float = 0.0,
    room_above: float = 0.0,
) -> Span:
    """The values within the fences of a box plot, and always those in ``shown``.

    ``pad`` is added at both ends, as shares of what lies between them; ``room_below`` and
    ``room_above`` are the least shares of the width on each side of 0.
    """
    ordered = sorted(values)
    inside = list(ordered)
    if len(ordered) >= FEW:
        first, third = quantile(ordered, 0.25), quantile(ordered, 0.75)
        reach = max(FENCE * (third - first), LEAST_REACH)
        inside = [value for value in ordered if first - reach <= value <= third + reach]
    low, high = min([*inside, *shown]), max([*inside, *shown])
    width = max(high - low, LEAST_REACH)
    low, high = low - pad[0] * width, high + pad[1] * width
    low = min(low, -room_below / (1 - room_below) * high)
    high = max(high, room_above / (1 - room_above) * -low)
    return Span(low, high)
