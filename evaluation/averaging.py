"""Which topics a mean is taken over, and the mean."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.data import Qrels, Run, TopicScores

RULES = ("judged", "judged_with_relevant", "retrieved")
"""``judged``: all judged topics; ``judged_with_relevant``: those with a relevant document;
``retrieved``: judged topics that the run has (never on a board: it rewards leaving topics out)."""


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over ``count`` topics; NaN with its reason when it is undefined."""

    value: float
    count: int
    reason: str | None = None


def averaged_topics(
    rule: str,
    qrels: Qrels,
    runs: Iterable[Run] = (),
    *,
    topics: Sequence[str] | None = None,
    rel: float = 1,
) -> tuple[str, ...]:
    """Topics that a rule averages over, in byte order.

    ``topics`` restricts them to the topics of a task. ``retrieved`` needs the runs and keeps the
    topics that all of them have. ``rel`` is the lowest relevant grade; utilities count as relevant
    above 0.

    >>> qrels = Qrels.of({"1": {"a": 1}, "2": {"b": 0}, "3": {"c": 2}})
    >>> averaged_topics("judged_with_relevant", qrels)
    ('1', '3')
    >>> averaged_topics("retrieved", qrels, [Run.of({"2": {"x": 1.0}})])
    ('2',)
    """
    if rule not in RULES:
        raise ValueError(f"Unknown averaging rule {rule!r}. Accepted: {', '.join(RULES)}.")
    kept = set(qrels.topics) if topics is None else set(topics)
    if rule == "judged_with_relevant":
        kept &= set(_with_relevant(qrels, rel))
    if rule == "retrieved":
        for run in runs:
            kept &= set(run.topics)
    return tuple(topic for topic in qrels.topics if topic in kept)


def _with_relevant(qrels: Qrels, rel: float) -> Iterable[str]:
    relevant = qrels.grades >= rel if qrels.is_graded else qrels.grades > 0
    before = np.concatenate(([0], np.cumsum(relevant)))
    found = before[qrels.starts[1:]] - before[qrels.starts[:-1]]
    return (topic for topic, count in zip(qrels.topics, found.tolist(), strict=True) if count)


def average(values: Iterable[float]) -> float:
    """Mean rounded once, so that it does not depend on the order of the values; NaN if empty.

    >>> average([0.25, 0.5, 0.75]), average([])
    (0.5, nan)
    """
    listed = [float(value) for value in values]
    return math.fsum(listed) / len(listed) if listed else math.nan


def mean(scores: TopicScores, topics: Sequence[str] | None = None, missing: float = 0.0) -> Mean:
    """Mean of topic scores over the topics given (default: all of the scores).

    A topic without a row counts ``missing``; undefined (NaN) values are left out and not counted.
    Without any value the mean is NaN with a reason.

    >>> mean(TopicScores.of("AP", {"1": 0.5, "2": 0.25}), ["1", "2", "3"])
    Mean(value=0.25, count=3, reason=None)
    """
    chosen = scores.topics if topics is None else topics
    defined = [value for value in scores.over(chosen, missing).tolist() if not math.isnan(value)]
    if defined:
        return Mean(average(defined), len(defined))
    reason = "no topic to average over" if not len(chosen) else "undefined for every topic"
    return Mean(math.nan, 0, reason)
