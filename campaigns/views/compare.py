"""Two runs of a task side by side: scores, differences, topics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import json_script
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from campaigns import policies, recipes
from campaigns.charts import bars
from campaigns.charts.bars import Bar
from campaigns.charts.style import CONFIG
from campaigns.models import Evaluation, Qrels, Run, RunState, Task
from campaigns.policies import Viewer
from campaigns.querysets import visible_runs
from campaigns.services.topic_values import by_topic
from campaigns.templatetags.numbers import style_of
from campaigns.views.lookups import task_or_404, viewer_of
from campaigns.views.passports import passport_of
from campaigns.views.run_numbers import current_board, qrels_of
from campaigns.views.wording import kind_label

MOST_RUNS = 500


@dataclass(frozen=True, slots=True)
class Line:
    """One measure or topic: both values and b minus a."""

    name: str
    a: str
    b: str
    difference: str
    is_better: bool = False
    is_worse: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Topics:
    """Both runs topic by topic, from b's greatest gain to its greatest loss."""

    measure: str
    lines: list[Line]
    gains: int
    losses: int
    equal: int
    chart: SafeString | None


def _shown_runs(viewer: Viewer, task: Task) -> list[Run]:
    """Scored runs whose scores the viewer may see, by tag."""
    rows = visible_runs(viewer).filter(
        task=task, state=RunState.SCORED, withdrawn_at__isnull=True, disqualified_at__isnull=True
    )
    found = []
    heavy = ("messages", "organizer_messages", "description", "metadata")
    for run in rows.defer(*heavy).order_by("tag", "id")[:MOST_RUNS]:
        run.task = task
        if policies.may_see_scores(viewer, run):
            found.append(run)
    return found


def _label(viewer: Viewer, task: Task, run: Run) -> str:
    name = run.tag or run.title or str(run.pk)
    if run.team is None:
        return f"{name} (original)"
    may = run.team.is_organizers or policies.may_see_team_name(viewer, task, run.team.pk)
    return f"{name} ({run.team.name})" if may else name


def _chosen(viewer: Viewer, task: Task, asked: str, listed: Sequence[Run]) -> Run | None:
    """The run of an address; 404 for one that is not there or not for the viewer."""
    if not asked:
        return None
    try:
        pk = UUID(asked)
    except ValueError as error:
        raise Http404 from error
    run = next((one for one in listed if one.pk == pk), None)
    if run is None:
        run = visible_runs(viewer).filter(task=task, pk=pk).first()
    if run is None:
        raise Http404
    run.task = task
    if not policies.may_see_scores(viewer, run):
        raise Http404
    return run


def _qrels(task: Task, run: Run) -> Qrels | None:
    board = current_board(task, run)
    return None if board is None else qrels_of(board, run)


def _evaluations(
    task: Task, qrels: Qrels, runs: Sequence[Run]
) -> dict[UUID, dict[str, Evaluation]]:
    digests = {recipes.evaluation_recipe(task, name).digest: name for name in task.measures}
    rows = Evaluation.objects.filter(run__in=runs, qrels=qrels, recipe__digest__in=list(digests))
    found: dict[UUID, dict[str, Evaluation]] = {run.pk: {} for run in runs}
    for row in rows.select_related("recipe", "topic_order").defer("detail"):
        found[row.run_id][digests[row.recipe.digest]] = row
    return found


def _line(name: str, measure: str, a: float | None, b: float | None, reason: str = "") -> Line:
    style = style_of(measure)
    gap = None if a is None or b is None else b - a
    return Line(
        name,
        style.text(a),
        style.text(b),
        style_of(f"difference({measure})").text(gap),
        gap is not None and gap > 0,
        gap is not None and gap < 0,
        reason,
    )


def _scores(task: Task, a: Mapping[str, Evaluation], b: Mapping[str, Evaluation]) -> list[Line]:
    lines = []
    for name in task.measures:
        one, other = a.get(name), b.get(name)
        if one is None and other is None:
            continue
        reason = next((row.reason for row in (one, other) if row and row.reason), "")
        if one is None or other is None:
            reason = "one of the two is not scored yet"
        lines.append(
            _line(name, name, one.mean if one else None, other.mean if other else None, reason)
        )
    return lines


def _topics(measure: str, one: Evaluation, other: Evaluation) -> Topics:
    a = by_topic(one.topic_order.topics, one.topic_values)
    b = by_topic(other.topic_order.topics, other.topic_values)

    def gap(topic: str) -> float | None:
        left, right = a.get(topic), b.get(topic)
        return None if left is None or right is None else right - left

    gaps = {topic: gap(topic) for topic in sorted({*a, *b})}
    order = sorted(gaps, key=lambda topic: (gaps[topic] is None, -(gaps[topic] or 0.0)))
    known = [value for value in gaps.values() if value is not None]
    lines = [_line(topic, measure, a.get(topic), b.get(topic)) for topic in order]
    return Topics(
        measure,
        lines,
        sum(value > 0 for value in known),
        sum(value < 0 for value in known),
        sum(value == 0 for value in known),
        _chart(measure, lines[: len(known)], a, b),
    )


def _chart(
    measure: str,
    lines: Sequence[Line],
    a: Mapping[str, float | None],
    b: Mapping[str, float | None],
) -> SafeString | None:
    """Bars of b minus a in the order of the table; None where no topic has both values."""
    found = []
    for line in lines:
        left, right = a.get(line.name), b.get(line.name)
        if left is not None and right is not None:
            found.append(Bar(line.name, right, left))
    if not found:
        return None
    points = [
        {
            "name": f"Topic {line.name}",
            "measure": measure,
            "card": [["A", line.a], ["B", line.b], ["B \u2212 A", line.difference]],
        }
        for line in lines
    ]
    figure = bars.figure(found, measure, is_difference=True, subject="B")
    return json_script({**figure, "config": CONFIG, "points": points}, "compare-data")


def _side_by_side(viewer: Viewer, task: Task, a: Run, b: Run, measure: str) -> dict[str, Any]:
    qrels = _qrels(task, a)
    if qrels is None or qrels != _qrels(task, b):
        return {"is_apart": True}
    found = _evaluations(task, qrels, [a, b])
    scores = _scores(task, found[a.pk], found[b.pk])
    both = [name for name in task.measures if name in found[a.pk] and name in found[b.pk]]
    topics = None
    if both and all(policies.may_see_topic_scores(viewer, run) for run in (a, b)):
        name = measure if measure in both else (task.primary if task.primary in both else both[0])
        topics = _topics(name, found[a.pk][name], found[b.pk][name])
    return {
        "scores": scores,
        "measures": both,
        "topics": topics,
        "qrels": qrels,
        "passport": passport_of(task, qrels),
    }


@require_safe
def compare(request: HttpRequest, campaign: str, task: str) -> HttpResponse:
    """The form with two runs, and once both are chosen, how they differ."""
    viewer = viewer_of(request)
    found = task_or_404(viewer, campaign, task)
    listed = _shown_runs(viewer, found)
    a = _chosen(viewer, found, request.GET.get("a", ""), listed)
    b = _chosen(viewer, found, request.GET.get("b", ""), listed)
    extra = [run for run in (a, b) if run is not None and run not in listed]
    context: dict[str, Any] = {
        "section": "campaigns",
        "campaign": found.campaign,
        "task": found,
        "kind_label": kind_label(found),
        "runs": [(str(run.pk), _label(viewer, found, run)) for run in [*extra, *listed]],
        "a": a,
        "b": b,
        "chosen_a": str(a.pk) if a else "",
        "chosen_b": str(b.pk) if b else "",
        "is_same": a is not None and a == b,
        "may_see_board": policies.may_see_board(viewer, found),
    }
    if a is not None and b is not None and a != b:
        context |= {
            "label_a": _label(viewer, found, a),
            "label_b": _label(viewer, found, b),
            **_side_by_side(viewer, found, a, b, request.GET.get("measure", "")),
        }
    return render(request, "pages/compare.html", context)
