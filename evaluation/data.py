"""Runs, qrels and topic scores as frozen dataclasses over arrays.

Topics are kept in byte order of their ids. The rows of topic ``i`` are
``starts[i]:starts[i + 1]`` in every array of the same object, so a whole run is a
handful of arrays and no Python object per line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray


def byte_order(topic: str) -> bytes:
    """Sort key that puts ids in the order of their UTF-8 bytes."""
    return topic.encode()


@dataclass(frozen=True, slots=True)
class Ids:
    """Document ids, byte for byte: one blob and ``len + 1`` offsets into it."""

    blob: bytes
    offsets: NDArray[np.int64]

    @classmethod
    def of(cls, ids: Iterable[bytes]) -> Ids:
        """Pack ids in the order given."""
        listed = list(ids)
        offsets = np.zeros(len(listed) + 1, dtype=np.int64)
        np.cumsum([len(one) for one in listed], out=offsets[1:])
        return cls(b"".join(listed), offsets)

    @classmethod
    def joined(cls, parts: Sequence[Ids]) -> Ids:
        """All ids of several packs, one after the other."""
        if len(parts) == 1:
            return parts[0]
        offsets = np.zeros(sum(map(len, parts)) + 1, dtype=np.int64)
        row, end = 1, 0
        for part in parts:
            np.add(part.offsets[1:], end, out=offsets[row : row + len(part)])
            row, end = row + len(part), end + len(part.blob)
        return cls(b"".join(part.blob for part in parts), offsets)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, row: int) -> bytes:
        return self.blob[self.offsets[row] : self.offsets[row + 1]]

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.rows(0, len(self)))

    def rows(self, start: int, stop: int) -> list[bytes]:
        """The ids of rows ``start`` to ``stop - 1``."""
        ends = self.offsets[start : stop + 1].tolist()
        return [self.blob[a:b] for a, b in pairwise(ends)]


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
