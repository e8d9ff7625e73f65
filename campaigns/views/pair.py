"""The page of a pair: both runs, and how much of the original's effect came back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from campaigns import policies, recipes
from campaigns.models import (
    Board,
    BoardState,
    BoardSubject,
    Effect,
    Job,
    JobKind,
    JobState,
    Pair,
)
from campaigns.policies import Viewer
from campaigns.services.pair_remarks import remarks_of
from campaigns.services.pair_summary import summaries_of
from campaigns.services.shown_runs import comparisons_of
from campaigns.templatetags.numbers import P_VALUE, Style, style_of
from campaigns.views.live import live_answer, with_live_part
from campaigns.views.lookups import pair_or_404, viewer_of
from campaigns.views.passports import passport_of
from campaigns.views.published_series import published_of
from campaigns.views.run_list import RunLine, lines_of
from campaigns.views.run_steps import poll_seconds
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
    summary: list[str]


LIVE = "pages/pair_live.html"
HEADS = (
    "Original effect", "p", "Submitted effect", "ER", "RI original", "RI submitted", "ΔRI",
    "Distance", "p, b′", "p, a′",
)  # fmt: skip


def _cell(value: float | None, style: Style, reason: str = "") -> Cell:
    return Cell(style.text(value), "" if value is not None else reason or "undefined")


def _line(effect: Effect, measure: str, primary: str, summary: list[str]) -> EffectLine:
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
    return EffectLine(measure, measure == primary, cells, region, reading, texts, summary)


def _effects(pair: Pair) -> tuple[Board | None, list[EffectLine], list[str]]:
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
        return None, [], remarks_of(pair, [])
    rows = Effect.objects.filter(
        pair=pair, qrels=board.qrels, original_qrels=board.original_qrels or board.qrels
    ).select_related("recipe")
    by_digest = {row.recipe.digest: row for row in rows}
    effects = {
        measure: by_digest[digest]
        for measure in task.measures
        if (digest := recipes.effect_recipe(task, measure).digest) in by_digest
    }
    compared = comparisons_of(pair.baseline) if effects and pair.baseline else []
    summaries = summaries_of(task, effects, compared)
    lines = [
        _line(effect, measure, task.primary, summaries[measure])
        for measure, effect in effects.items()
    ]
    return board, lines, remarks_of(pair, effects.values())


def _job(pair: Pair) -> Job | None:
    """The newest comparison."""
    return Job.objects.filter(kind=JobKind.COMPARE, pair=pair).order_by("-created_at").first()


def _failure(viewer: Viewer, pair: Pair, job: Job | None) -> str:
    """Why the comparison failed, for those who see reports."""
    may_know = policies.is_own_pair(viewer, pair) or policies.oversees(
        viewer, pair.task.campaign_id
    )
    return job.reason if job and job.state == JobState.FAILED and may_know else ""


def _runs(viewer: Viewer, pair: Pair) -> list[tuple[str, RunLine | None]]:
    members = [("Baseline b′", pair.baseline), ("Advanced a′", pair.advanced)]
    found = [run for _, run in members if run is not None]
    for run in found:
        run.task = pair.task
    lines = iter(lines_of(viewer, found))
    return [(name, next(lines) if run is not None else None) for name, run in members]


def _poll_seconds(lines: list[RunLine], job: Job | None, *, is_compared: bool) -> int | None:
    """When to look again: as the runs need it, then until the comparison has ended."""
    waits = [seconds for line in lines if (seconds := poll_seconds(line.status)) is not None]
    if waits:
        return min(waits)
    if job is not None and job.state in (JobState.WAITING, JobState.RUNNING):
        return 2
    is_over = is_compared or any(line.status.state != "scored" for line in lines)
    return None if is_over or (job is not None and job.state == JobState.FAILED) else 30


def _heading(pair: Pair) -> str:
    """Its name; until the check has read the tags, the names of the files stand for them."""
    members = (pair.baseline, pair.advanced)
    if pair.title or not any(run and not run.tag for run in members):
        return str(pair)
    return " / ".join("–" if run is None else run.shown_name for run in members)


def _live_context(viewer: Viewer, pair: Pair) -> dict[str, Any]:
    """Everything on the page that changes by itself."""
    may_see_scores = policies.may_see_pair_scores(viewer, pair)
    runs = _runs(viewer, pair)
    board, lines, remarks = _effects(pair) if may_see_scores else (None, [], [])
    job = _job(pair)
    words = [line.word for _, line in runs if line is not None]
    return {
        "campaign": pair.task.campaign,
        "task": pair.task,
        "pair": pair,
        "heading": _heading(pair),
        "word": "Compared" if lines else ", ".join(words),
        "runs": runs,
        "may_see_scores": may_see_scores,
        "is_own": policies.is_own_pair(viewer, pair),
        "effects": lines,
        "remarks": remarks,
        "heads": HEADS,
        "caveat": READING_CAVEAT,
        "board": board,
        "passport": passport_of(pair.task, board.qrels) if board else None,
        "published": published_of(pair) if may_see_scores else [],
        "failure": _failure(viewer, pair, job),
        "live_url": reverse("pages:pair-live", args=[pair.pk]),
        "poll_seconds": _poll_seconds(
            [line for _, line in runs if line is not None],
            job,
            is_compared=bool(lines) or not may_see_scores,
        ),
    }


@require_safe
def pair(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The page of a pair."""
    viewer = viewer_of(request)
    found = pair_or_404(viewer, pk)
    context = with_live_part(request, LIVE, _live_context(viewer, found))
    context |= {
        "section": "campaigns",
        "may_see_team": policies.may_see_team_name(viewer, found.task, found.team_id),
        "kind_label": kind_label(found.task),
        "kind_sentence": kind_sentence(found.task),
    }
    return render(request, "pages/pair.html", context)


@require_safe
def pair_live(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The part of the page that changes by itself."""
    viewer = viewer_of(request)
    return live_answer(request, LIVE, _live_context(viewer, pair_or_404(viewer, pk)))
