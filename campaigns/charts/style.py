"""What all charts have in common: type face, axes, margins, and the mark of each measure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

FONT = (
    "-apple-system, BlinkMacSystemFont, Segoe UI Variable Text, Segoe UI, Inter, Roboto, "
    "Noto Sans, Liberation Sans, Arial, sans-serif"
)
WIDE = {"l": 58, "r": 16, "t": 14, "b": 46}
SMALL = {"l": 54, "r": 8, "t": 8, "b": 40}
LABEL_LENGTH = 24

CONFIG = {
    "displaylogo": False,
    "displayModeBar": "hover",
    "modeBarButtons": [["toImage", "resetScale2d"]],
    "scrollZoom": False,
    "showTips": False,
    # A bitmap would need images from blob: addresses, which the policy refuses.
    "toImageButtonOptions": {"format": "svg", "filename": "centreboard-chart"},
    "responsive": False,  # charts.js follows the width of the frame, not of the window
}


@dataclass(frozen=True, slots=True)
class Mark:
    """Colour and shape of a series; ``css`` is the class of the stylesheet with that colour."""

    color: str
    symbol: str
    css: str


CIRCLE, DIAMOND, TRIANGLE, SQUARE, CROSS, EX = (
    Mark("var(--c1)", "circle", "k1"),
    Mark("var(--c2)", "diamond", "k2"),
    Mark("var(--c3)", "triangle-up", "k3"),
    Mark("var(--c4)", "square", "k4"),
    Mark("var(--c5)", "cross", "k5"),
    Mark("var(--c6)", "x", "k6"),
)
_OTHERS = (SQUARE, CROSS, EX)


def _usual_mark(measure: str) -> Mark | None:
    name = measure.partition("@")[0].partition("(")[0]
    return {"P": CIRCLE, "AP": DIAMOND, "nDCG": TRIANGLE}.get(name)


def marks_of(measures: Sequence[str]) -> dict[str, Mark]:
    """The mark of each measure: P circle, AP diamond, nDCG triangle; others by their order."""
    found: dict[str, Mark] = {}
    for measure in measures:
        usual = _usual_mark(measure)
        free = [
            mark for mark in (*_OTHERS, CIRCLE, DIAMOND, TRIANGLE) if mark not in found.values()
        ]
        if usual is not None and usual not in found.values():
            found[measure] = usual
        else:
            found[measure] = free[0] if free else _OTHERS[len(found) % len(_OTHERS)]
    return found


def plain(text: str) -> str:
    """A text that Plotly shows as it is: its labels take some HTML."""
    short = text if len(text) <= LABEL_LENGTH else text[: LABEL_LENGTH - 1] + "…"
    return escape(short, quote=False)


def axis(title: str, standoff: int, **more: Any) -> dict[str, Any]:
    """An axis with grid and zero line but without ticks."""
    return {
        "gridcolor": "var(--line)",
        "zerolinecolor": "var(--edge)",
        "zerolinewidth": 1,
        "linecolor": "var(--edge)",
        "showline": False,
        "ticks": "",
        "tickfont": {"size": 12, "color": "var(--ink-2)"},
        "title": {
            "text": title,
            "font": {"size": 12, "weight": 600, "color": "var(--ink)"},
            "standoff": standoff,
        },
        **more,
    }


def layout(x: dict[str, Any], y: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The frame: no title inside, legend beside it in HTML."""
    return {
        "paper_bgcolor": "var(--bg)",
        "plot_bgcolor": "var(--bg)",
        "font": {"family": FONT, "size": 12, "color": "var(--ink-2)"},
        "title": {"text": ""},
        "margin": dict(WIDE),
        "xaxis": x,
        "yaxis": y,
        "showlegend": False,
        "hovermode": "closest",
        "modebar": {"bgcolor": "var(--bg)", "color": "var(--ink-3)", "activecolor": "var(--ink)"},
        "transition": {"duration": 0},
        **more,
    }
