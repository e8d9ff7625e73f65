"""The page of a pair: both runs, and how much of the original's effect came back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from campaigns import policies, recipes
from campaigns.models import Board, BoardState, BoardSubject, Effect, Job, JobKind, JobState, Pair
from campaigns.policies import Viewer
from campaigns.templatetags.numbers import P_VALUE, Style, style_of
from campaigns.views.lookups import pair_or_404, viewer_of
from campaigns.views.passports import passport_of
from campaigns.views.run_list import RunLine, lines_of
from campaigns.views.wording import kind_label, kind_sentence
from evaluation.regions import READING_CAVEAT, REGION_READINGS, effect_reading


@dataclass(frozen=True, slots=True)
class Cell:
    """A number of the table, or a dash with its reason."""

    text: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class EffectLine:
    """One measure of a pair."""

    measure: str
    is_primary: bool
    cells: list[Cell]
    region: str
    reading: str
    warnings: list[str]


HEADS = (
    "Original effect", "p", "Submitted effect", "ER", "RI original", "RI submitted", "ΔRI",
    "Distance", "p, b′", "p, a′",
)  # fmt: skip


def _cell(value: float | None, style: Style, reason: str = "") -> Cell:
    return Cell(style.text(value), "" if value is not None else reason or "undefined")


def _line(effect: Effect, measure: str, primary: str) -> EffectLine:
    reasons: Mapping[str, Any] = effect.reasons
    difference = style_of(f"original_effect({measure})")
    relative = style_of("relative_improvement")
    cells = [
        _cell(effect.original_effect, difference),
        _cell(effect.original_effect_p, P_VALUE, reasons.get("original_effect_p", "")),
        _cell(effect.submitted_effect, difference),
        _cell(effect.effect_ratio, style_of("effect_ratio"), reasons.get("effect_ratio", "")),
        *(
            _cell(getattr(effect, name), relative, reasons.get(name, ""))
            for name in ("relative_improvement_original", "relative_improvement_submitted")
        ),
        _cell(effect.delta_ri, style_of("delta_ri"), reasons.get("delta_ri", "")),
        _cell(effect.distance, style_of("distance"), reasons.get("delta_ri", "")),
        _cell(effect.p_baseline, P_VALUE),
        _cell(effect.p_advanced, P_VALUE),
    ]
    region = f"Region {effect.region}" if effect.region else "In no region"
    reading = REGION_READINGS.get(effect.region or 0, "")
    texts = [
        str(one.get("text", "")) if isinstance(one, Mapping) else str(one)
        for one in effect.warnings
    ]
    if found := effect_reading(effect.effect_ratio):
        region += f", {found}" if found not in reading else ""
    return EffectLine(measure, measure == primary, cells, region, reading, texts)


def _effects(pair: Pair) -> tuple[Board | None, list[EffectLine]]:
    """Effects under the qrels of the current board; allowed by ``may_see_pair_scores`` only."""
    task = pair.task
    board = (
        Board.objects.filter(
            task=task,
            original=pair.original_id,
            subject=BoardSubject.PAIRS,
            state=BoardState.CURRENT,
        )
        .select_related("qrels__file", "original_qrels__file")
        .first()
    )
    if board is None:
        return None, []
    rows = Effect.objects.filter(
        pair=pair, qrels=board.qrels, original_qrels=board.original_qrels or board.qrels
    ).select_related("recipe")
    by_digest = {row.recipe.digest: row for row in rows}
    lines = [
        _line(by_digest[digest], measure, task.primary)
        for measure in task.measures
        if (digest := recipes.effect_recipe(task, measure).digest) in by_digest
    ]
    return board, lines


def _failure(viewer: Viewer, pair: Pair) -> str:
    """Why the comparison failed, for those who see reports."""
    job = Job.objects.filter(kind=JobKind.COMPARE, pair=pair).order_by("-created_at").first()
    may_know = policies.is_own_pair(viewer, pair) or policies.oversees(
        viewer, pair.task.campaign_id
    )
    return job.reason if job and job.state == JobState.FAILED and may_know else ""


def _runs(pair: Pair) -> list[tuple[str, RunLine | None]]:
    members = [("Baseline b′", pair.baseline), ("Advanced a′", pair.advanced)]
    lines = iter(lines_of(run for _, run in members if run is not None))
    return [(name, next(lines) if run is not None else None) for name, run in members]


@require_safe
def pair(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The page of a pair."""
    viewer = viewer_of(request)
    found = pair_or_404(viewer, pk)
    may_see_scores = policies.may_see_pair_scores(viewer, found)
    board, lines = _effects(found) if may_see_scores else (None, [])
    return render(
        request,
        "pages/pair.html",
        {
            "section": "campaigns",
            "campaign": found.task.campaign,
            "task": found.task,
            "pair": found,
            "runs": _runs(found),
            "may_see_scores": may_see_scores,
            "may_see_team": policies.may_see_team_name(viewer, found.task, found.team_id),
            "is_own": policies.is_own_pair(viewer, found),
            "effects": lines,
            "heads": HEADS,
            "caveat": READING_CAVEAT,
            "board": board,
            "passport": passport_of(found.task, board.qrels) if board else None,
            "failure": _failure(viewer, found),
            "kind_label": kind_label(found.task),
            "kind_sentence": kind_sentence(found.task),
        },
    )
