"""Scores of a run and its comparison with the original, under the qrels of the current board."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from campaigns import policies, recipes
from campaigns.models import (
    Board,
    BoardState,
    BoardSubject,
    Comparison,
    Evaluation,
    Origin,
    Qrels,
    Run,
    Task,
)
from campaigns.policies import Viewer
from campaigns.templatetags.numbers import DASH, P_VALUE, style_of
from evaluation.pair_measures import PAIR_MEASURES


@dataclass(frozen=True, slots=True)
class Quantity:
    """One number with its label; the dash has a reason."""

    label: str
    title: str
    text: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One measure of a run, and its deviation from the original where there is one."""

    measure: str
    is_primary: bool
    score: Quantity
    interval: str
    topics: int
    deviation: dict[str, Quantity]


@dataclass(frozen=True, slots=True)
class Numbers:
    """Everything a run's page says in numbers."""

    qrels: Qrels | None
    lines: list[ScoreLine]
    rankings: list[Quantity]
    has_deviations: bool
    has_original: bool


def current_board(task: Task, run: Run) -> Board | None:
    """The board that decides which version of the qrels is shown."""
    boards = Board.objects.filter(
        task=task, state=BoardState.CURRENT, subject=BoardSubject.RUNS
    ).select_related("qrels__file", "original_qrels__file")
    if run.original_id is not None:
        boards = boards.filter(original=run.original_id)
    return boards.first()


def qrels_of(board: Board, run: Run) -> Qrels | None:
    """An original of a new-collection task is scored on its own collection."""
    if run.origin == Origin.ORIGINAL and board.original_qrels is not None:
        return board.original_qrels
    return board.qrels


def _quantity(name: str, value: float | None, reason: str = "") -> Quantity:
    plain = name.partition("(")[0]
    known = PAIR_MEASURES.get(plain)
    label, title = (known.label, known.title) if known else (plain, "")
    return Quantity(label, title, style_of(name).text(value), reason if value is None else "")


def _deviation(measure: str, row: Comparison, *, with_original: bool) -> dict[str, Quantity]:
    detail: Mapping[str, Any] = row.detail
    reasons = detail.get("reasons") or {}
    found = {
        name: _quantity(f"{name}({measure})", detail.get(name), reasons.get(name, row.reason))
        for name in ("rmse", "nrmse", "delta_arp")
    }
    found["t"] = _quantity("t", detail.get("t"), reasons.get("t", ""))
    p = detail.get("p_value")
    found["p_value"] = Quantity("p", "p-value of the t-test", P_VALUE.text(p),
                                "" if p is not None else reasons.get("p_value", ""))  # fmt: skip
    if with_original:
        found["original"] = _quantity(measure, detail.get("arp_original"))
        found["difference"] = _quantity(f"difference({measure})", detail.get("difference"))
    return found


def _comparisons(task: Task, run: Run, board: Board) -> dict[str, Comparison]:
    rows = Comparison.objects.filter(
        run=run, qrels=board.qrels, original_qrels=board.original_qrels or board.qrels
    )
    rows = rows.select_related("recipe", "original_run__task__campaign").defer("topic_values")
    return {row.recipe.digest: row for row in rows}


def numbers_of(viewer: Viewer, run: Run) -> Numbers:
    """Call it only when ``may_see_scores`` allows it."""
    task = run.task
    board = current_board(task, run)
    if board is None:
        return Numbers(None, [], [], False, False)
    qrels = qrels_of(board, run)
    evaluations = {
        row.recipe.digest: row
        for row in Evaluation.objects.filter(run=run, qrels=qrels)
        .select_related("recipe")
        .defer("topic_values", "detail")
    }
    compared = _comparisons(task, run, board) if run.original_id and run.team_id else {}
    original = next((row.original_run for row in compared.values()), None)
    with_original = original is not None and policies.may_see_scores(viewer, original)
    lines = []
    for measure in task.measures:
        score = evaluations.get(recipes.evaluation_recipe(task, measure).digest)
        if score is None:
            continue
        style = style_of(measure)
        has_ends = score.interval_low is not None and score.interval_high is not None
        deviation = compared.get(recipes.deviation_recipe(task, measure).digest)
        lines.append(
            ScoreLine(
                measure,
                measure == task.primary,
                Quantity(measure, "", style.text(score.mean), score.reason),
                f"{style.text(score.interval_low)} to {style.text(score.interval_high)}"
                if has_ends
                else DASH,
                score.topics_averaged,
                _deviation(measure, deviation, with_original=with_original) if deviation else {},
            )
        )
    rankings = [
        _quantity(name, row.value, row.reason)
        for name in recipes.rankings_compared(task)
        if (row := compared.get(recipes.ranking_recipe(task, name).digest)) is not None
    ]
    return Numbers(qrels, lines, rankings, any(line.deviation for line in lines), with_original)
