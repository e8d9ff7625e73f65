"""Runs by topics below a board: topics from easy to hard, runs in the order shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from django.utils.safestring import SafeString

from campaigns import policies, recipes
from campaigns.models import Board, BoardSubject, Evaluation, Task, TopicOrder
from campaigns.policies import Viewer
from campaigns.services.topic_values import by_topic
from campaigns.templatetags.numbers import DASH, style_of

MOST_RUNS = 20
MOST_TOPICS = 200
SHADES = 6
OF_VALUES = ("run", "topic_order", "topic_values")
# What the rules ask of a run.
OF_RUN = ("run__state", "run__team", "run__origin", "run__withdrawn_at", "run__deleted_at")

Values = dict[str, float | None]


@dataclass(frozen=True, slots=True)
class HeatMap:
    """What the template puts together."""

    measure: str
    runs: int
    topics: list[str]
    left_out: int
    is_percent: bool
    most: str
    has_empty: bool
    rows: SafeString


def _easy_first(runs: Sequence[Values]) -> list[str]:
    """Topics by their mean over the runs; those without a value last, ids decide between equals."""
    sums: dict[str, list[float]] = {}
    for values in runs:
        for topic, value in values.items():
            sums.setdefault(topic, []).extend([] if value is None else [value])

    def place(topic: str) -> tuple[bool, float, str]:
        found = sums[topic]
        return not found, -sum(found) / len(found) if found else 0.0, topic

    return sorted(sums, key=place)


def _cell(value: float | None, most: float, *, is_empty: bool, is_percent: bool, name: str) -> str:
    if is_empty:
        return '<td class="qx">·<span class="vh">no relevant document</span></td>'
    if value is None:
        return f'<td class="undef">{DASH}<span class="vh">undefined</span></td>'
    share = value / most if most > 0 else 0.0
    shade = "qn" if value < 0 else f"q{min(SHADES - 1, int(share * SHADES))}"
    text = str(int(value * 100 + 0.5)) if is_percent else style_of(name).text(value)
    return f'<td class="{shade}">{text}</td>'


def _topic_values(
    viewer: Viewer, task: Task, board: Board, rows: Sequence[Mapping[str, Any]]
) -> dict[Any, Values]:
    """Topic scores of the runs that the viewer may see them of."""
    digest = recipes.evaluation_recipe(task, task.primary).digest
    rows_of_runs = Evaluation.objects.filter(
        run__in=[row["run_id"] for row in rows], qrels=board.qrels_id, recipe__digest=digest
    )
    evaluations = list(rows_of_runs.select_related("run").only(*OF_VALUES, *OF_RUN))
    orders = TopicOrder.objects.in_bulk({one.topic_order_id for one in evaluations})
    found = {}
    for one in evaluations:
        one.run.task = task
        if policies.may_see_topic_scores(viewer, one.run):
            topics = orders[one.topic_order_id].topics
            found[one.run_id] = by_topic(topics, one.topic_values)
    return found


def heat_map(
    viewer: Viewer, task: Task, board: Board, rows: Sequence[Mapping[str, Any]]
) -> HeatMap | None:
    """The first runs shown; None where topic scores are closed, or for boards of pairs."""
    is_open = policies.oversees(viewer, task.campaign_id) or policies.is_reached(
        task.topic_scores_from, viewer.now
    )
    if board.subject != BoardSubject.RUNS or board.qrels is None or not is_open or not rows:
        return None
    # Disqualified runs have topic scores too; they stand without numbers above.
    ranked = [row for row in rows if row["rank"] is not None][:MOST_RUNS]
    values = _topic_values(viewer, task, board, ranked)
    listed = [row for row in ranked if row["run_id"] in values]
    if not listed:
        return None
    topics = _easy_first(list(values.values()))
    empty = set(board.qrels.topics_without_relevant)
    style = style_of(task.primary)
    every = [v for own in values.values() for v in own.values() if v is not None]
    most = 1.0 if style.is_bounded else max(every, default=0.0)
    shown = topics[:MOST_TOPICS]
    lines = []
    for row in listed:
        own = values[row["run_id"]]
        cells = "".join(
            _cell(
                own.get(topic), most,
                is_empty=topic in empty, is_percent=style.is_bounded, name=task.primary,
            )
            for topic in shown
        )  # fmt: skip
        name = escape(row["run__tag"] or row["run__title"] or str(row["run_id"]))
        lines.append(f'<tr><th scope="row" class="stick mono">{name}</th>{cells}</tr>')
    return HeatMap(
        task.primary,
        len(listed),
        shown,
        len(topics) - len(shown),
        style.is_bounded,
        "100" if style.is_bounded else style.text(most),
        bool(empty.intersection(shown)),
        # Names are escaped, the rest is formatted from numbers.
        SafeString("\n".join(lines)),
    )
