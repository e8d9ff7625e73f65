"""The ER–ΔRI chart: how much of an effect came back, and where both systems ended up."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from campaigns.charts.style import SMALL, Mark, axis, layout, marks_of, plain
from campaigns.charts.window import Span, span_of
from evaluation.regions import REGION_READINGS

TARGET = (1.0, 0.0)
ARROWS = {
    (0, -1): "triangle-down", (0, 1): "triangle-up", (-1, 0): "triangle-left",
    (1, 0): "triangle-right", (-1, -1): "triangle-sw", (-1, 1): "triangle-nw",
    (1, -1): "triangle-se", (1, 1): "triangle-ne",
}  # fmt: skip
Y_PAD = (0.17, 0.1)  # room for the words in the corners
EDGE = 0.018  # arrowheads stand this share of the width inside the edge
GUTTER = 12  # pixels along the left and the lower edge that belong to arrowheads
# Those of region 4 stand at its left: what lost its effect by falling baselines ends at the right.
CORNERS = {1: ("right", "top"), 2: ("left", "top"), 3: ("left", "bottom"), 4: ("zero", "bottom")}


@dataclass(frozen=True, slots=True)
class Point:
    """A pair under one measure. ``family`` is empty where the pair stands alone.

    ``is_unclear``: the original effect cannot be told from 0, so ER is a ratio to noise.
    """

    pair: str
    name: str
    family: str
    step: int | None
    measure: str
    effect_ratio: float | None
    delta_ri: float | None
    region: int | None = None
    distance: float | None = None
    is_unclear: bool = False

    @property
    def place(self) -> tuple[float, float] | None:
        """Where it stands in the plane, unless a coordinate is undefined."""
        if self.effect_ratio is None or self.delta_ri is None:
            return None
        return self.effect_ratio, self.delta_ri


@dataclass(frozen=True, slots=True)
class Window:
    """The part of the plane that is shown."""

    x: Span
    y: Span

    def side(self, place: tuple[float, float]) -> tuple[int, int]:
        """Beyond which edges a point lies; (0, 0) is inside."""
        return self.x.side(place[0]), self.y.side(place[1])


def in_order(points: Sequence[Point], measures: Sequence[str]) -> list[Point]:
    """By measure, then family, then the order of the runs in the family."""
    places = {measure: place for place, measure in enumerate(measures)}

    def key(point: Point) -> tuple[Any, ...]:
        step = (point.step is None, point.step or 0)
        return places[point.measure], not point.family, point.family.lower(), step, point.name

    return sorted(points, key=key)


def window_of(points: Sequence[Point]) -> Window:
    """The middle of the data with both zeros and the target; all four regions have room."""
    places = [place for point in points if (place := point.place)]
    return Window(
        span_of((x for x, _ in places), (0.0, TARGET[0]), room_below=0.19),
        span_of((y for _, y in places), (TARGET[1],), pad=Y_PAD, room_below=0.25, room_above=0.2),
    )


def figure(points: Sequence[Point], measures: Sequence[str], *, is_small: bool = False) -> Any:
    """Traces and layout. ``customdata`` of a mark is its place in ``points``."""
    window = window_of(points)
    marks = marks_of(measures)
    data = [
        trace
        for measure in measures
        for trace in _traces(points, measure, marks[measure], window, is_small=is_small)
    ]
    return {"data": data, "layout": _layout(window, is_small=is_small)}


def outside(points: Sequence[Point]) -> list[Point]:
    """Points beyond the window, farthest from the target first."""
    window = window_of(points)
    found = [point for point in points if (place := point.place) and any(window.side(place))]
    return sorted(found, key=lambda point: -(point.distance or 0.0))


def undefined(points: Sequence[Point]) -> list[Point]:
    """Points without a place in the plane."""
    return [point for point in points if point.place is None]


def _marker(mark: Mark, *, size: int, is_hollow: Sequence[bool]) -> dict[str, Any]:
    return {
        "size": size,
        "symbol": mark.symbol,
        "color": ["var(--bg)" if hollow else mark.color for hollow in is_hollow],
        "line": {
            "width": [1.75 if hollow else 1.25 for hollow in is_hollow],
            "color": [mark.color if hollow else "var(--bg)" for hollow in is_hollow],
        },
    }


def _traces(
    points: Sequence[Point], measure: str, mark: Mark, window: Window, *, is_small: bool
) -> list[dict[str, Any]]:
    """One line through each family, and the arrowheads of what lies outside."""
    own = [
        (place, point)
        for place, point in enumerate(points)
        if point.measure == measure and point.place is not None
    ]
    drawn: list[tuple[int, Point] | None] = []
    for place, point in own:
        before = drawn[-1] if drawn else None
        if before is not None and not (point.family and before[1].family == point.family):
            drawn.append(None)  # a gap: the line ends here
        drawn.append((place, point))
    size = 8 if is_small else 10
    lines = {
        "type": "scatter",
        "mode": "lines+markers",
        "name": measure,
        "meta": {"measure": measure, "part": "line"},
        "x": [one and one[1].effect_ratio for one in drawn],
        "y": [one and one[1].delta_ri for one in drawn],
        "text": [one and plain(one[1].name) for one in drawn],
        "customdata": [one and one[0] for one in drawn],
        "connectgaps": False,
        "hoverinfo": "none",
        "line": {"color": mark.color, "width": 1.75, "shape": "linear"},
        "marker": _marker(
            mark, size=size, is_hollow=[bool(one and one[1].is_unclear) for one in drawn]
        ),
        "textposition": "top right",
        "textfont": {"size": 11, "weight": 600, "color": mark.color},
    }
    beyond = [
        (place, point, window.side(point.place))
        for place, point in own
        if point.place is not None and any(window.side(point.place))
    ]
    if not beyond:
        return [lines]
    arrows = {
        "type": "scatter",
        "mode": "markers",
        "name": f"{measure}, outside the window",
        "meta": {"measure": measure, "part": "outside"},
        "x": [window.x.clamped(point.effect_ratio or 0.0, EDGE) for _, point, _ in beyond],
        "y": [window.y.clamped(point.delta_ri or 0.0, EDGE) for _, point, _ in beyond],
        "text": [plain(point.name) for _, point, _ in beyond],
        "customdata": [place for place, _, _ in beyond],
        "hoverinfo": "none",
        "cliponaxis": False,
        "marker": {
            **_marker(mark, size=size + 1, is_hollow=[point.is_unclear for _, point, _ in beyond]),
            "symbol": [ARROWS[side] for _, _, side in beyond],
        },
    }
    return [lines, arrows]


def _layout(window: Window, *, is_small: bool) -> dict[str, Any]:
    x = axis("ER" if is_small else "Effect ratio (ER): submitted effect / original effect",
             12, range=[window.x.low, window.x.high], nticks=7)  # fmt: skip
    y = axis("ΔRI" if is_small else "ΔRI: original minus submitted improvement",
             8, range=[window.y.low, window.y.high], nticks=7)  # fmt: skip
    return layout(
        x,
        y,
        shapes=[*_regions(window), *_target(is_small=is_small)],
        annotations=_words(window.x, is_small=is_small),
        meta={"narrow": {"margin": dict(SMALL), "titles": {"xaxis": "ER", "yaxis": "ΔRI"}}},
    )


def _regions(window: Window) -> list[dict[str, Any]]:
    """The four rectangles, up to the edges of the window."""
    x, y = window.x, window.y
    corners: Mapping[int, tuple[float, float, float, float]] = {
        1: (0.0, 0.0, x.high, y.high),
        2: (x.low, 0.0, 0.0, y.high),
        3: (x.low, y.low, 0.0, 0.0),
        4: (0.0, y.low, x.high, 0.0),
    }
    return [
        {
            "type": "rect", "name": f"region {number}", "layer": "below",
            "x0": x0, "y0": y0, "x1": x1, "y1": y1,
            "fillcolor": f"var(--r{number})", "line": {"width": 0},
        }
        for number, (x0, y0, x1, y1) in corners.items()
    ]  # fmt: skip


def _target(*, is_small: bool) -> list[dict[str, Any]]:
    """An open ring with four ticks, of the same size however far the chart is zoomed."""
    ring = 6 if is_small else 8
    common = {
        "xsizemode": "pixel", "ysizemode": "pixel", "xanchor": TARGET[0], "yanchor": TARGET[1],
        "line": {"color": "var(--ink)", "width": 1.5},
    }  # fmt: skip
    ends = [(-ring - 4, 0, 4 - ring, 0), (ring - 4, 0, ring + 4, 0),
            (0, -ring - 4, 0, 4 - ring), (0, ring - 4, 0, ring + 4)]  # fmt: skip
    ticks = [
        {**common, "type": "line", "x0": x0, "y0": y0, "x1": x1, "y1": y1}
        for x0, y0, x1, y1 in ends
    ]
    circle = {**common, "type": "circle", "name": "target",
              "x0": -ring, "y0": -ring, "x1": ring, "y1": ring}  # fmt: skip
    return [circle, *ticks]


def _words(x: Span, *, is_small: bool) -> list[dict[str, Any]]:
    """The target's label, and the paper's words in the outer corners."""
    target = {
        "name": "target", "x": TARGET[0], "y": TARGET[1], "text": "(1, 0) perfect",
        "showarrow": False, "xanchor": "left", "yanchor": "bottom", "xshift": 8, "yshift": 8,
        "font": {"size": 12, "weight": 600, "color": "var(--ink)"},
    }  # fmt: skip
    words = [] if is_small else [target]
    inset = GUTTER + (4 if is_small else 8)
    at = {"left": (0.0, inset), "right": (1.0, -8), "zero": (-x.low / (x.high - x.low), 8)}
    for number, (side, end) in CORNERS.items():
        lines = textwrap.wrap(REGION_READINGS[number], 18 if side == "left" else 34)
        anchor = "right" if side == "right" else "left"
        place = {
            "xref": "x domain", "yref": "y domain", "x": at[side][0],
            "y": 1 if end == "top" else 0, "xanchor": anchor, "yanchor": end, "align": anchor,
            "showarrow": False, "xshift": at[side][1],
        }  # fmt: skip
        under = GUTTER if is_small or end == "top" else GUTTER + 14 * len(lines)
        words.append(
            {
                **place, "name": f"region {number}", "text": f"Region {number}",
                "yshift": -8 if end == "top" else 6 + under,
                "font": {"size": 12, "weight": 600, "color": "var(--ink)"},
            }
        )  # fmt: skip
        if not is_small:
            words.append(
                {
                    **place, "name": f"reading {number}", "text": "<br>".join(lines),
                    "yshift": -23 if end == "top" else 4 + GUTTER,
                    "font": {"size": 11, "color": "var(--ink-3)"},
                }
            )  # fmt: skip
    return words
