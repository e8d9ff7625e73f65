"""An interval drawn into a board: all rows of a page share one scale."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.safestring import SafeString

from campaigns.templatetags.numbers import Style

WIDTH, HEIGHT, MARGIN = 168, 22, 4
_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
_MOST_TICKS = 7


@dataclass(frozen=True, slots=True)
class Scale:
    """Maps values to pixels."""

    low: float
    high: float
    step: float

    @classmethod
    def over(cls, ends: Iterable[float]) -> Scale | None:
        """The least scale with round ends that holds all values; None without values."""
        values = list(ends)
        if not values:
            return None
        least, most = min(values), max(values)
        step = next((s for s in _STEPS if (most - least) / s <= _MOST_TICKS - 2), _STEPS[-1])
        low = math.floor(round(least / step, 9)) * step
        high = math.ceil(round(most / step, 9)) * step
        return cls(low, high if high > low else low + step, step)

    def x(self, value: float) -> str:
        """Pixels from the left."""
        share = (value - self.low) / (self.high - self.low)
        return f"{MARGIN + share * (WIDTH - 2 * MARGIN):.1f}"

    def ticks(self) -> list[float]:
        """Where the grid lines stand."""
        count = round((self.high - self.low) / self.step)
        return [self.low + index * self.step for index in range(count + 1)]

    def head(self) -> SafeString:
        """Ticks for the table's head, and the grid that every row uses."""
        texts = "".join(
            f'<text x="{self.x(tick)}" y="10">{_tick(tick, self.step)}</text>'
            for tick in self.ticks()
        )
        grid = "".join(f"M{self.x(tick)} 0V{HEIGHT}" for tick in self.ticks())
        return SafeString(
            f'<svg class="whisk" viewBox="0 0 {WIDTH} 12" width="{WIDTH}" height="12" '
            f'aria-hidden="true"><defs><path id="grid" class="grid" d="{grid}"/></defs>'
            f"{texts}</svg>"
        )


def _tick(value: float, step: float) -> str:
    decimals = 2 if step < 0.1 else (1 if step < 1 else 0)
    return Style(decimals, is_bounded=True).text(value + 0.0)


def whisker(
    scale: Scale, style: Style, ends: tuple[float, float, float], *, is_hollow: bool = False
) -> SafeString:
    """Value, low and high as a drawing, with both ends as its text alternative.

    What all have in common stands in the stylesheet: a page holds two hundred of them.
    """
    value, low, high = ends
    left, middle, right = scale.x(low), scale.x(value), scale.x(high)
    alternative = f"95% interval {style.text(low)} to {style.text(high)}"
    dot = ' class="alt"' if is_hollow else ""
    return SafeString(
        f'<svg class="whisk" role="img" aria-label="{alternative}"><use href="#grid"/>'
        f'<path d="M{left} 11H{right}M{left} 7v8M{right} 7v8"/><circle{dot} cx="{middle}"/></svg>'
    )
