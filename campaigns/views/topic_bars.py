"""Bars by topic on the page of a run: against its original, a baseline, or the scores alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from django.utils.html import json_script

from campaigns import kinds, policies, recipes
from campaigns.charts import bars
from campaigns.charts.bars import Bar
from campaigns.charts.style import CONFIG
from campaigns.models import Evaluation, Origin, Qrels, Run, RunState
from campaigns.policies import Viewer
from campaigns.services.topic_values import by_topic
from campaigns.templatetags.numbers import style_of
from campaigns.views.run_numbers import current_board, qrels_of

LISTED = (RunState.ACCEPTED, RunState.SCORED)


@dataclass(frozen=True, slots=True)
class Line:
    """A topic in the table."""

    topic: str
    score: str
    reference: str
    difference: str


def _evaluations(run: Run, qrels: Qrels | None) -> dict[str, Evaluation]:
    digests = {
        recipes.evaluation_recipe(run.task, measure).digest: measure
        for measure in run.task.measures
    }
    rows = Evaluation.objects.filter(run=run, qrels=qrels, recipe__digest__in=list(digests))
    rows = rows.select_related("recipe", "topic_order").defer("detail")
    found = {digests[row.recipe.digest]: row for row in rows}
    return {measure: found[measure] for measure in run.task.measures if measure in found}


def _original(run: Run) -> Run | None:
    """The original run of the same role, where both stand on the same topics."""
    if run.original_id is None or not kinds.of(run.task).compares_rankings:
        return None
    return Run.objects.filter(
        original=run.original_id,
        origin=Origin.ORIGINAL,
        role=run.role,
        deleted_at__isnull=True,
    ).first()


def _reference(viewer: Viewer, run: Run, own: Evaluation) -> tuple[str, Evaluation | None]:
    """What the run is set against, as far as the viewer may know its topic scores."""
    rows = Evaluation.objects.filter(qrels=own.qrels_id, recipe=own.recipe_id)
    rows = rows.exclude(run=run.pk).select_related("run", "topic_order").defer("detail")
    if run.origin == Origin.ORIGINAL:
        return "", None
    if run.original_id is not None:
        original = _original(run)
        candidates = list(rows.filter(run=original)[:1]) if original else []
        name = "original"
    else:
        listed = rows.filter(
            run__task=run.task_id,
            run__team__is_organizers=True,
            run__state__in=LISTED,
            run__withdrawn_at__isnull=True,
            run__disqualified_at__isnull=True,
            run__deleted_at__isnull=True,
            mean__isnull=False,
        )
        candidates = list(listed.order_by("-mean", "run__received_at")[:1])
        name = "best baseline"
    for row in candidates:
        row.run.task = run.task
        if policies.may_see_topic_scores(viewer, row.run):
            return f"{name}, {row.run.tag or row.run.title}".rstrip(", "), row
    return "", None


def _bars(own: Evaluation, reference: Evaluation | None) -> tuple[list[Bar], list[str]]:
    """Bars in order, and the topics without a value in one of both."""
    scores = by_topic(own.topic_order.topics, own.topic_values)
    others: dict[str, float | None] = {}
    if reference is not None:
        others = by_topic(reference.topic_order.topics, reference.topic_values)
    found, missing = [], []
    for topic, score in scores.items():
        other = others.get(topic)
        if score is None or (reference is not None and other is None):
            missing.append(topic)
        else:
            found.append(Bar(topic, score, other))
    return bars.in_order(found), missing


def topic_bars(viewer: Viewer, run: Run, query: QueryDict) -> dict[str, Any] | None:
    """Everything the chart needs; None where topic scores are closed or there are none."""
    if not policies.may_see_topic_scores(viewer, run):
        return None
    board = current_board(run.task, run)
    if board is None:
        return None
    evaluations = _evaluations(run, qrels_of(board, run))
    if not evaluations:
        return None
    measure = query.get("measure", "")
    if measure not in evaluations:
        measure = run.task.primary if run.task.primary in evaluations else next(iter(evaluations))
    own = evaluations[measure]
    against, reference = _reference(viewer, run, own)
    listed, missing = _bars(own, reference)
    if not listed:
        return None
    lines = [_line(bar, measure) for bar in listed]
    return {
        "script": json_script(
            _payload(listed, lines, measure, is_difference=reference is not None), "topic-data"
        ),
        "measure": measure,
        "measures": list(evaluations),
        "against": against,
        "lines": lines,
        "missing": missing,
        "summary": _summary(listed, is_difference=reference is not None),
        "count": len(listed),
    }


def _line(bar: Bar, measure: str) -> Line:
    style, difference = style_of(measure), style_of(f"difference({measure})")
    has_other = bar.reference is not None
    return Line(
        bar.topic,
        style.text(bar.score),
        style.text(bar.reference) if has_other else "",
        difference.text(bar.height) if has_other else "",
    )


def _payload(
    listed: list[Bar], lines: list[Line], measure: str, *, is_difference: bool
) -> dict[str, Any]:
    points = []
    for line in lines:
        card = [["This run", line.score]]
        if is_difference:
            card += [["Reference", line.reference], ["Difference", line.difference]]
        points.append({"name": f"Topic {line.topic}", "measure": measure, "card": card})
    return {
        **bars.figure(listed, measure, is_difference=is_difference),
        "config": CONFIG,
        "points": points,
    }


def _summary(listed: list[Bar], *, is_difference: bool) -> str:
    if not is_difference:
        first, last = listed[0], listed[-1]
        return f"The highest of {len(listed)} is topic {first.topic}, the lowest {last.topic}."
    gains = sum(bar.height > 0 for bar in listed)
    losses = sum(bar.height < 0 for bar in listed)
    equal = len(listed) - gains - losses
    words = f"It gains on {gains} topic{'' if gains == 1 else 's'} and loses on {losses}"
    return f"{words}{f'; {equal} are equal' if equal else ''}. The mean hides both."
