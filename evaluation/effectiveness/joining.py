"""A run joined with judgments: the arrays that every effectiveness measure starts from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.data import Qrels, Run
from evaluation.lookup import judged_rows

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Joined:
    """The judged rows of a run with their grades, and all grades of the judgments, by topic.

    ``topic`` and ``judged_topic`` hold the number of the row's topic in ``topics``, ascending;
    rows are in rank order. Rows whose document is not judged are only counted: ``lengths`` is the
    number of all rows of each topic. ``max_grade`` is the highest grade of the whole qrels, 0 for
    none.
    """

    topics: tuple[str, ...]
    topic: Integers
    rank: Integers
    grades: Floats
    lengths: Integers
    judged_topic: Integers
    judged: Floats
    max_grade: float = 0.0

    def total(self, weights: Floats) -> Floats:
        """Sum of row weights for each topic, added in rank order."""
        return sums(self.topic, weights, len(self.topics))

    def retrieved(self) -> Integers:
        """Number of documents of each topic, judged or not."""
        return self.lengths

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
    edges = np.flatnonzero(groups[1:] != groups[:-1]) + 1
    starts = np.concatenate(([0], edges))[: len(groups)]
    sizes = np.diff(starts, append=len(groups))
    ranks: Integers = np.arange(1, len(groups) + 1, dtype=np.int64) - np.repeat(starts, sizes)
    return ranks


def divide(numerator: Floats, denominator: Floats) -> Floats:
    """Quotient that is 0 where the denominator is not positive."""
    positive = denominator > 0
    return np.where(positive, numerator / np.where(positive, denominator, 1.0), 0.0)


def join(
    run: Run, qrels: Qrels, topics: Sequence[str] | None = None, depth: int | None = None
) -> Joined:
    """Look up the grades of the retrieved documents of the judged topics.

    ``topics`` restricts the judged topics, ``depth`` cuts each list. A judged topic that the run
    lacks has no rows. Topics of both are in byte order.
    """
    kept = None if topics is None else set(topics)
    names = tuple(name for name in qrels.topics if kept is None or name in kept)
    number = {name: place for place, name in enumerate(names)}
    in_qrels = np.array([number.get(name, -1) for name in qrels.topics], dtype=np.int64)
    in_run = np.array([number.get(name, -1) for name in run.topics], dtype=np.int64)
    lengths = np.zeros(len(names), dtype=np.int64)
    given = np.diff(run.starts)
    lengths[in_run[in_run >= 0]] = given[in_run >= 0]
    topic, rank, grades = _retrieved(run, qrels, in_run >= 0)
    rows = np.ones(len(rank), dtype=np.bool_) if depth is None else rank <= depth
    owner = np.repeat(in_qrels, np.diff(qrels.starts))
    return Joined(
        names,
        in_run[topic[rows]],
        rank[rows],
        grades[rows],
        lengths if depth is None else np.minimum(lengths, depth),
        owner[owner >= 0],
        qrels.grades[owner >= 0],
        float(qrels.grades.max()) if len(qrels.grades) else 0.0,
    )


def _retrieved(run: Run, qrels: Qrels, is_kept: Flags) -> tuple[Integers, Integers, Floats]:
    """Topic number in the run, rank and grade of all judged rows of the topics kept."""
    place = {name: place for place, name in enumerate(qrels.topics)}
    numbers = np.array([place.get(name, -1) for name in run.topics], dtype=np.int64)
    numbers[~is_kept] = -1
    rows, judged = judged_rows(run.documents, run.starts, numbers, qrels.index())
    topic = np.searchsorted(run.starts, rows, side="right") - 1
    return topic, rows - run.starts[topic] + 1, qrels.grades[judged]
