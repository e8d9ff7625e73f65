"""The ER–ΔRI chart of a board, its words and its table; kept while the board stays as it is."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from typing import Any

from django.core.cache import cache
from django.db.models import Count, F, Q
from django.utils.html import json_script
from django.utils.safestring import SafeString

from campaigns import policies, querysets
from campaigns.charts import plane
from campaigns.charts.style import CONFIG, marks_of
from campaigns.models import Board, BoardState, BoardSubject, Task
from campaigns.policies import Viewer
from campaigns.views import board_query, effect_table
from campaigns.views.effect_points import Told, points_of
from evaluation.regions import READING_CAVEAT, REGION_READINGS

MOST_LINES = 300
FEW_FAMILIES = 8
KEPT_SECONDS = 3600
FORM = 7  # raised when what is kept looks different
CANDIDATES = 8  # boards looked at for the first page


def board_chart(viewer: Viewer, task: Task, board: Board) -> dict[str, Any] | None:
    """The chart of a pair board; None for other boards and for those who may not see it."""
    if board.subject != BoardSubject.PAIRS:
        return None
    return _chart(viewer, task, board, task.measures, is_small=False)


def home_chart(viewer: Viewer) -> dict[str, Any] | None:
    """A small chart of one board the viewer may see: real data first, then most pairs."""
    boards = (
        Board.objects.filter(
            subject=BoardSubject.PAIRS,
            state=BoardState.CURRENT,
            task__deleted_at__isnull=True,
            task__scores_from__lte=viewer.now,
            campaign__in=querysets.visible_campaigns(viewer),
        )
        .select_related("task__campaign", "original")
        .annotate(pairs=Count("rows", filter=Q(rows__version=F("version"))))
        .order_by("campaign__is_example", "-pairs", "pk")
    )
    for board in boards[:CANDIDATES]:
        task = board.task
        measures = [task.primary, *(one for one in task.measures if one != task.primary)][:2]
        chart = _chart(viewer, task, board, measures, is_small=True)
        if chart is not None and chart["has_points"]:
            return {**chart, "board": board, "task": task}
    return None


def _chart(
    viewer: Viewer, task: Task, board: Board, measures: Sequence[str], *, is_small: bool
) -> dict[str, Any] | None:
    if not policies.may_see_board(viewer, task):
        return None
    rows = board_query.ordered_rows(board, board_query.BY_RANK)
    # The pairs are part of the key: one that is withdrawn leaves at once, on past boards too.
    listed = list(rows.values_list("pair_id", flat=True))
    if not listed:
        return None
    parts = (
        FORM, is_small, board.pk, board.version, policies.phase(task, viewer.now),
        policies.audience(viewer, task.campaign_id), listed,
    )  # fmt: skip
    key = f"effect-chart:{hashlib.sha256(repr(parts).encode()).hexdigest()}"
    found: dict[str, Any] | None = cache.get(key)
    if found is None:
        cells = dict(rows.values_list("pair_id", "cells"))
        found = _made(points_of(task, board, cells, measures), measures, is_small=is_small)
        cache.set(key, found, KEPT_SECONDS)
    if not found["count"]:
        return None
    return {
        **found,
        "script": SafeString(found["script"]),
        "lines": SafeString(found["lines"]),
        "readings": REGION_READINGS,
        "caveat": READING_CAVEAT,
    }


def _made(told: Sequence[Told], measures: Sequence[str], *, is_small: bool) -> dict[str, Any]:
    points = [one.point for one in told]
    marks = marks_of(measures)
    columns = effect_table.columns_of(told)
    families = sorted({point.family for point in points} - {""}, key=str.lower)
    return {
        "script": json_script(
            _payload(told, measures, is_small=is_small),
            "small-chart-data" if is_small else "chart-data",
        ),
        "lines": "" if is_small else effect_table.lines(told[:MOST_LINES], columns),
        "columns": columns,
        "more_lines": max(0, len(told) - MOST_LINES),
        "count": len(told),
        "pairs": len({point.pair for point in points}),
        "has_points": any(point.place for point in points),
        "marks": [(measure, marks[measure]) for measure in measures],
        "families": families,
        "has_many_families": len(families) > FEW_FAMILIES,
        "undefined": [one for one in told if one.point.place is None],
        "summary": _summary(told),
        "outside": _outside(told),
        "unclear": list(dict.fromkeys(point.measure for point in points if point.is_unclear)),
    }


def _payload(told: Sequence[Told], measures: Sequence[str], *, is_small: bool) -> dict[str, Any]:
    marks = marks_of(measures)
    return {
        **plane.figure([one.point for one in told], measures, is_small=is_small),
        "config": CONFIG,
        "points": [
            {
                "pair": one.point.pair,
                "name": one.point.name,
                "family": one.point.family,
                "measure": one.point.measure,
                "css": marks[one.point.measure].css,
                "href": one.href,
                "at": one.point.place,
                "card": [[name, text] for name, text in one.texts.items() if name != "p"],
                "note": f"Original effect unclear: p = {one.texts['p']}"
                if one.point.is_unclear
                else "",
            }
            for one in told
        ],
    }


def _summary(told: Sequence[Told]) -> str:
    """What the chart shows: its text alternative."""
    drawn = [one for one in told if one.point.place is not None]
    if not drawn:
        return "No point has a place in the plane."
    counts = Counter(one.point.region for one in drawn if one.point.region)
    parts = [f"{count} in region {number}" for number, count in sorted(counts.items())]
    on_axis = len(drawn) - counts.total()
    parts += [f"{on_axis} on an axis"] if on_axis else []
    best = min(drawn, key=lambda one: one.point.distance or 0.0)
    return (
        f"{len(drawn)} point{'' if len(drawn) == 1 else 's'}: {', '.join(parts)}. "
        f"Nearest to the target is {best.point.name} by {best.point.measure}, "
        f"at distance {best.texts['Distance']}."
    )


def _outside(told: Sequence[Told]) -> str:
    """How many points lie outside the window, and how far the farthest is."""
    far = plane.outside([one.point for one in told])
    if not far:
        return ""
    first = next(one for one in told if one.point is far[0])
    words = "1 point, drawn as an arrowhead" if len(far) == 1 else (
        f"{len(far)} points, drawn as arrowheads"
    )  # fmt: skip
    return (
        f"{words} at the edge. Farthest: {first.point.name}, {first.point.measure}, "
        f"ER {first.texts['ER']}, ΔRI {first.texts['ΔRI']}."
    )
