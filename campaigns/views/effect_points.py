"""Points of the ER–ΔRI chart with their texts: exactly the pairs that stand on the board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from campaigns import recipes
from campaigns.charts.plane import Point, in_order
from campaigns.models import Board, Effect, Evaluation, Pair, Task
from campaigns.templatetags.numbers import DASH, P_VALUE, style_of

LIMIT_P = 0.05
RELATIVE = ("relative_improvement_original", "relative_improvement_submitted")
ROLES = ("baseline", "advanced")
_FIELDS = (
    "pair_id", "recipe__digest", "effect_ratio", "delta_ri", "region", "distance", *RELATIVE,
    "original_effect", "original_effect_p", "reasons",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Told:
    """A point and everything its card and its line in the table say."""

    point: Point
    href: str
    texts: Mapping[str, str]
    reason: str


def families(pairs: Mapping[Any, Pair]) -> dict[Any, str]:
    """Family by pair; the same word of two teams means two families."""
    numbers: dict[str, dict[int, int]] = {}
    found: dict[Any, str] = {}
    for pk, pair in sorted(pairs.items(), key=lambda item: (item[1].created_at, str(item[0]))):
        if not pair.family:
            found[pk] = ""
            continue
        teams = numbers.setdefault(pair.family, {})
        number = teams.setdefault(pair.team_id, len(teams) + 1)
        found[pk] = pair.family if number == 1 else f"{pair.family} ({number})"
    return found


def _scores(task: Task, board: Board, pairs: Mapping[Any, Pair], measures: Sequence[str]) -> Any:
    """(run, measure) -> mean."""
    digests = {recipes.evaluation_recipe(task, measure).digest: measure for measure in measures}
    runs = [run for pair in pairs.values() for run in (pair.baseline_id, pair.advanced_id) if run]
    rows = Evaluation.objects.filter(
        run__in=runs, qrels=board.qrels_id, recipe__digest__in=list(digests)
    ).values_list("run_id", "recipe__digest", "mean")
    return {(run, digests[digest]): mean for run, digest, mean in rows}


def _both(name: str, values: Sequence[float | None]) -> str:
    if all(value is None for value in values):
        return DASH
    return " / ".join(style_of(name).text(value) for value in values)


def _texts(
    measure: str,
    effect: Mapping[str, Any],
    means: Sequence[float | None],
    errors: Sequence[float | None],
) -> dict[str, str]:
    relative = style_of("relative_improvement")
    region = effect["region"]
    return {
        "ER": style_of("effect_ratio").text(effect["effect_ratio"]),
        "ΔRI": style_of("delta_ri").text(effect["delta_ri"]),
        "RI original": relative.text(effect[RELATIVE[0]]),
        "RI submitted": relative.text(effect[RELATIVE[1]]),
        "ARP b′ / a′": _both(measure, means),
        "RMSE b′ / a′": _both(f"rmse({measure})", errors),
        "Region": str(region) if region else DASH,
        "Distance": style_of("distance").text(effect["distance"]),
        "p": P_VALUE.text(effect["original_effect_p"]),
    }


def points_of(
    task: Task, board: Board, cells: Mapping[Any, Mapping[str, Any]], measures: Sequence[str]
) -> list[Told]:
    """Points of the pairs in ``cells`` (pair -> cells of its row), in the order of the chart.

    A pair without an effect has no point: the board says what it waits for.
    """
    pairs: dict[Any, Pair] = Pair.objects.select_related("baseline", "advanced").in_bulk(
        list(cells)
    )
    digests = {recipes.effect_recipe(task, measure).digest: measure for measure in measures}
    scores = _scores(task, board, pairs, measures)
    family = families(pairs)
    told: dict[tuple[str, str], Told] = {}
    rows = Effect.objects.filter(
        pair__in=list(pairs),
        qrels=board.qrels_id,
        original_qrels=board.original_qrels_id or board.qrels_id,
        recipe__digest__in=list(digests),
    )
    for row in rows.values(*_FIELDS):
        pk, measure = row["pair_id"], digests[row["recipe__digest"]]
        pair = pairs[pk]
        p = row["original_effect_p"]
        point = Point(
            str(pk), str(pair), family[pk], pair.family_order, measure,
            row["effect_ratio"], row["delta_ri"], row["region"], row["distance"],
            is_unclear=p is not None and p > LIMIT_P,
        )  # fmt: skip
        means = [scores.get((run, measure)) for run in (pair.baseline_id, pair.advanced_id)]
        errors = [(cells[pk].get(f"{role}:rmse({measure})") or {}).get("value") for role in ROLES]
        missing = [name for name in ("effect_ratio", "delta_ri") if row[name] is None]
        reasons = [row["reasons"].get(name) or "undefined" for name in missing]
        told[str(pk), measure] = Told(
            point,
            reverse("pages:pair", args=[pk]),
            _texts(measure, row, means, errors),
            "; ".join(dict.fromkeys(reasons)),
        )
    ordered = in_order([one.point for one in told.values()], measures)
    return [told[point.pair, point.measure] for point in ordered]
