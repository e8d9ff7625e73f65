"""Runs, qrels and topic scores as frozen dataclasses over arrays.

Topics are kept in byte order of their ids. The rows of topic ``i`` are
``starts[i]:starts[i + 1]`` in every array of the same object, so a whole run is a
handful of arrays and no Python object per line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from evaluation.ids import Ids
from evaluation.lookup import Judgments

__all__ = ["Ids", "Qrels", "Run", "TopicScores", "byte_order"]


def byte_order(topic: str) -> bytes:
    """Sort key that puts ids in the order of their UTF-8 bytes."""
    return topic.encode()


@dataclass(frozen=True, slots=True)
class Run:
    """A run in evaluation order: score descending, ties by document id descending in byte order.

    ``scores`` are doubles and finite. ``lines`` counts the lines of the file that hold a row,
    ``sha256`` is of the decompressed text (empty for a run made in memory).
    """

    tag: str
    topics: tuple[str, ...]
    starts: NDArray[np.int64]
    documents: Ids
    scores: NDArray[np.float64]
    sha256: str = ""

    @classmethod
    def of(cls, topics: Mapping[str, Mapping[str, float]], tag: str = "run") -> Run:
        """Build a run from ``{topic: {document id: score}}``, sorting each topic."""
        names = tuple(sorted(topics, key=byte_order))
        ranked = [
            sorted(
                ((score, document.encode()) for document, score in topics[name].items()),
                reverse=True,
            )
            for name in names
        ]
        starts = np.zeros(len(names) + 1, dtype=np.int64)
        np.cumsum([len(rows) for rows in ranked], out=starts[1:])
        flat = [row for rows in ranked for row in rows]
        return cls(
            tag,
            names,
            starts,
            Ids.of(document for _, document in flat),
            np.array([score for score, _ in flat], dtype=np.float64),
        )

    def ranking(self, topic: str, depth: int | None = None) -> list[bytes]:
        """Document ids of a topic, best first; empty when the run lacks the topic."""
        try:
            index = self.topics.index(topic)
        except ValueError:
            return []
        start, stop = int(self.starts[index]), int(self.starts[index + 1])
        if depth is not None:
            stop = min(stop, start + depth)
        return self.documents.rows(start, stop)


@dataclass(frozen=True, slots=True)
class Qrels:
    """Judgments: a grade (or a real-valued utility) for each judged document of each topic.

    ``is_graded`` is false when the values are real-valued utilities of a pool task.
    """

    topics: tuple[str, ...]
    starts: NDArray[np.int64]
    documents: Ids
    grades: NDArray[np.float64]
    is_graded: bool = True
    sha256: str = ""
    _index: list[Judgments] = field(default_factory=list, repr=False, compare=False)

    @classmethod
    def of(cls, topics: Mapping[str, Mapping[str, float]], *, is_graded: bool = True) -> Qrels:
        """Build qrels from ``{topic: {document id: grade}}``."""
        names = tuple(sorted(topics, key=byte_order))
        starts = np.zeros(len(names) + 1, dtype=np.int64)
        np.cumsum([len(topics[name]) for name in names], out=starts[1:])
        flat = [item for name in names for item in topics[name].items()]
        return cls(
            names,
            starts,
            Ids.of(document.encode() for document, _ in flat),
            np.array([grade for _, grade in flat], dtype=np.float64),
            is_graded,
        )

    def __reduce__(self) -> tuple[type[Qrels], tuple[object, ...]]:
        # The index is made of keys, which belong to this process: another one makes its own.
        return Qrels, (
            self.topics,
            self.starts,
            self.documents,
            self.grades,
            self.is_graded,
            self.sha256,
        )

    def index(self) -> Judgments:
        """The judged documents ready to be looked up, prepared once; topics by their number."""
        if not self._index:
            self._index.append(Judgments.of(self.documents, self.starts))
        return self._index[0]

    def judged(self, topic: str) -> dict[bytes, float]:
        """``{document id: grade}`` of a topic; empty when the topic is not judged."""
        try:
            index = self.topics.index(topic)
        except ValueError:
            return {}
        start, stop = int(self.starts[index]), int(self.starts[index + 1])
        return dict(
            zip(self.documents.rows(start, stop), self.grades[start:stop].tolist(), strict=True)
        )


@dataclass(frozen=True, slots=True)
class TopicScores:
    """Scores of one measure, one value a topic; NaN means undefined, with its reason.

    ``reasons`` maps a topic to why its value is undefined.
    """

    measure: str
    topics: tuple[str, ...]
    values: NDArray[np.float64]
    reasons: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, measure: str, scores: Mapping[str, float]) -> TopicScores:
        """Build topic scores from ``{topic: score}``, in byte order of the topics."""
        names = tuple(sorted(scores, key=byte_order))
        return cls(measure, names, np.array([scores[name] for name in names], dtype=np.float64))

    def over(self, topics: Sequence[str], missing: float = 0.0) -> NDArray[np.float64]:
        """Values aligned to ``topics``; a topic without a row counts ``missing``."""
        by_topic = dict(zip(self.topics, self.values.tolist(), strict=True))
        return np.array([by_topic.get(topic, missing) for topic in topics], dtype=np.float64)
