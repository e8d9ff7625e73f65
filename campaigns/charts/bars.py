"""Bars by topic: where a run gains and loses, sorted by the difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from campaigns.charts.style import axis, layout, plain

PAD = 0.12


@dataclass(frozen=True, slots=True)
class Bar:
    """A topic's score, and that of the reference where there is one."""

    topic: str
    score: float
    reference: float | None = None

    @property
    def height(self) -> float:
        """The difference, or the score alone."""
        return self.score if self.reference is None else self.score - self.reference


def in_order(bars: Sequence[Bar]) -> list[Bar]:
    """The greatest first; equal ones by topic."""
    return sorted(bars, key=lambda bar: (-bar.height, bar.topic))


def figure(
    bars: Sequence[Bar], measure: str, *, is_difference: bool, subject: str = "the run"
) -> dict[str, Any]:
    """Bars in the order given; ``customdata`` is the place in ``bars``.

    ``subject`` is what gains or loses, as the words in the chart name it.
    """
    heights = [bar.height for bar in bars]
    low, high = min([0.0, *heights]), max([0.0, *heights])
    pad = PAD * ((high - low) or 1.0)
    trace = {
        "type": "bar",
        "name": measure,
        "meta": {"measure": measure, "part": "bars"},
        "x": list(range(len(bars))),
        "y": heights,
        "customdata": list(range(len(bars))),
        "hoverinfo": "none",
        "marker": {"color": ["var(--c2)" if one < 0 else "var(--c1)" for one in heights]},
    }
    x = axis("", 8, range=[-0.5, len(bars) - 0.5], tickmode="array",
             tickvals=list(range(len(bars))), ticktext=[plain(bar.topic) for bar in bars],
             tickangle=-90, showgrid=False, zeroline=False)  # fmt: skip
    x["tickfont"] = {"size": 10, "color": "var(--ink-3)"}
    y = axis(
        f"Difference in {plain(measure)}" if is_difference else plain(measure),
        8,
        range=[low - pad if low else 0.0, high + pad],
        nticks=7,
    )
    y["zerolinecolor"] = "var(--ink-2)"
    return {
        "data": [trace],
        "layout": layout(
            x,
            y,
            bargap=0.22,
            hovermode="x",
            margin={"l": 58, "r": 16, "t": 14, "b": 46},
            annotations=_words(subject) if is_difference and low < 0 < high else [],
            meta={"narrow": {"margin": {"l": 54, "r": 8, "t": 8, "b": 44}, "titles": {}}},
        ),
    }


def _words(subject: str) -> list[dict[str, Any]]:
    common = {"xref": "x domain", "yref": "y domain", "showarrow": False,
              "font": {"size": 12, "weight": 600, "color": "var(--ink)"}}  # fmt: skip
    return [
        {**common, "name": "gains", "text": f"Left: topics where {subject} gains",
         "x": 0, "y": 0, "xanchor": "left", "yanchor": "bottom", "xshift": 6, "yshift": 4},
        {**common, "name": "losses", "text": f"Right: topics where {subject} loses",
         "x": 1, "y": 1, "xanchor": "right", "yanchor": "top", "xshift": -6, "yshift": -4},
    ]  # fmt: skip
