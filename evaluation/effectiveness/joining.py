"""A run joined with judgments: the arrays that every effectiveness measure starts from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.data import Qrels, Run

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Joined:
    """Rows of a run with their grades, and all grades of the judgments, topic by topic.

    ``topic`` and ``judged_topic`` hold the number of the row's topic in ``topics``, ascending.
    ``grades`` is NaN where a retrieved document is not judged. ``max_grade`` is the highest grade
    of the whole qrels, 0 for none.
    """

    topics: tuple[str, ...]
    topic: Integers
    rank: Integers
    grades: Floats
    judged_topic: Integers
    judged: Floats
    max_grade: float = 0.0

    def total(self, weights: Floats) -> Floats:
        """Sum of row weights for each topic, added in rank order."""
        return sums(self.topic, weights, len(self.topics))

    def retrieved(self) -> Integers:
        """Number of rows of each topic."""
        return np.bincount(self.topic, minlength=len(self.topics)).astype(np.int64)

    def is_relevant(self, rel: float) -> Flags:
        """For each row, whether its document is relevant (grade ``rel`` or more)."""
        return self.grades >= rel

    def relevant(self, rel: float) -> Floats:
        """R: number of relevant documents of each topic in the judgments."""
        return np.bincount(
            self.judged_topic[self.judged >= rel], minlength=len(self.topics)
        ).astype(np.float64)

    def within(self, cutoff: int | None) -> Flags:
        """For each row, whether its rank is within the cutoff."""
        return np.ones(len(self.rank), dtype=np.bool_) if cutoff is None else self.rank <= cutoff

    def running(self, flags: Flags) -> Integers:
        """For each row, how many flagged rows of its topic come at or above it."""
        counts = np.cumsum(flags, dtype=np.int64)
        starts = np.searchsorted(self.topic, np.arange(len(self.topics)))
        before = np.concatenate(([0], counts))[starts]
        return np.asarray(counts - before[self.topic], dtype=np.int64)


def sums(groups: Integers, weights: Floats, number: int) -> Floats:
    """Sum of the weights of each group, added in the order of the rows."""
    return np.asarray(np.bincount(groups, weights, number), dtype=np.float64)


def positions(groups: Integers) -> Integers:
    """1, 2, 3, ... within each stretch of equal numbers of an ascending array."""
    rows = np.arange(len(groups), dtype=np.int64)
    return np.asarray(rows - np.searchsorted(groups, groups) + 1, dtype=np.int64)


def divide(numerator: Floats, denominator: Floats) -> Floats:
    """Quotient that is 0 where the denominator is not positive."""
    positive = denominator > 0
    return np.where(positive, numerator / np.where(positive, denominator, 1.0), 0.0)


def join(
    run: Run, qrels: Qrels, topics: Sequence[str] | None = None, depth: int | None = None
) -> Joined:
    """Look up the grade of every retrieved document of the judged topics.

    ``topics`` restricts the judged topics, ``depth`` cuts each list. A judged topic that the run
    lacks has no rows.
    """
    kept = None if topics is None else set(topics)
    names = tuple(name for name in qrels.topics if kept is None or name in kept)
    in_run = {name: index for index, name in enumerate(run.topics)}
    in_qrels = {name: index for index, name in enumerate(qrels.topics)}
    grades: list[Floats] = []
    judged: list[Floats] = []
    missing = float("nan")
    for name in names:
        place = in_qrels[name]
        first, last = int(qrels.starts[place]), int(qrels.starts[place + 1])
        judged.append(qrels.grades[first:last])
        if name not in in_run:
            grades.append(np.empty(0))
            continue
        known = dict(
            zip(qrels.documents.rows(first, last), qrels.grades[first:last].tolist(), strict=True)
        )
        start, stop = int(run.starts[in_run[name]]), int(run.starts[in_run[name] + 1])
        stop = stop if depth is None else min(stop, start + depth)
        rows = run.documents.rows(start, stop)
        grades.append(np.array([known.get(row, missing) for row in rows], dtype=np.float64))
    topic = _numbers(grades)
    return Joined(
        names,
        topic,
        positions(topic),
        _flat(grades),
        _numbers(judged),
        _flat(judged),
        float(qrels.grades.max()) if len(qrels.grades) else 0.0,
    )


def _numbers(parts: Sequence[Floats]) -> Integers:
    return np.repeat(
        np.arange(len(parts), dtype=np.int64),
        np.array([len(part) for part in parts], dtype=np.int64),
    )


def _flat(parts: Sequence[Floats]) -> Floats:
    return np.concatenate(parts) if parts else np.empty(0)
