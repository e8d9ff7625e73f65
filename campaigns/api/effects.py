"""GET effects/: the points of the ER-ΔRI chart."""

from __future__ import annotations

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from campaigns import policies, querysets
from campaigns.api.base import ApiView
from campaigns.api.boards import text_asked
from campaigns.api.paging import RowPages
from campaigns.api.problems import ScoresClosedError
from campaigns.api.schema import PAGING, page_of, problems
from campaigns.api.shapes import Point
from campaigns.models import Pair, Task
from campaigns.policies import Viewer
from campaigns.services.shown_pairs import effect_point, effects_of, measure_of


def points_of(
    viewer: Viewer, task: Task, original: str = "", measure: str = ""
) -> list[tuple[Pair, object]]:
    """Pairs and effects whose scores the viewer may see, by original, pair and measure."""
    pairs = querysets.visible_pairs(viewer).filter(task=task).select_related("task__campaign")
    if original:
        pairs = pairs.filter(original__slug=original)
    by_original: dict[int, dict[object, Pair]] = {}
    for pair in pairs:
        is_off = any(run and run.withdrawn_at for run in (pair.baseline, pair.advanced))
        if not is_off and policies.may_see_pair_scores(viewer, pair):
            by_original.setdefault(pair.original_id, {})[pair.pk] = pair
    points = []
    for original_id, known in by_original.items():
        order = {name: place for place, name in enumerate(task.measures)}
        effects = [
            effect
            for effect in effects_of(list(known.values()), task, original_id)
            if not measure or measure_of(effect) == measure
        ]
        places = {pk: place for place, pk in enumerate(known)}
        effects.sort(key=lambda one: (order.get(measure_of(one), len(order)), places[one.pair_id]))
        points += [(known[effect.pair_id], effect) for effect in effects]
    return points


class Effects(ApiView):
    """Effects of the pairs of a task."""

    @extend_schema(
        operation_id="effects",
        tags=["boards"],
        parameters=[
            OpenApiParameter("measure", OpenApiTypes.STR, description="One measure alone"),
            OpenApiParameter("original", OpenApiTypes.STR, description="One original alone (slug)"),
            *PAGING,
        ],
        responses={200: page_of(Point), **problems(400, 401, 403, 404, 429)},
    )
    def get(self, request: Request, slug: str, task: str) -> Response:
        """List effect ratio, ΔRI and region of each pair and measure.

        While only your own scores are open, these are your teams' pairs.
        """
        found = self.task(slug, task)
        is_open = policies.may_see_board(self.viewer, found)
        if not is_open and not self._sees_own(found):
            raise ScoresClosedError
        original, measure = text_asked(request, "original"), text_asked(request, "measure")
        pages = RowPages()
        points = points_of(self.viewer, found, original, measure)
        page = pages.paginate_queryset(points, request, view=self) or []
        return pages.get_paginated_response(
            [effect_point(self.viewer, pair, effect) for pair, effect in page]
        )

    def _sees_own(self, task: Task) -> bool:
        return policies.takes_part(self.viewer, task.campaign_id) and policies.is_reached(
            task.own_scores_from, self.viewer.now
        )
