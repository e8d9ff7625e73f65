"""Where the documents of one run stand in another: what all comparisons of rankings start from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.data import Run
from evaluation.ids import Ids

Integers = NDArray[np.int64]

_KEY_BITS = 32
_ABSENT = -1

_AT_ONCE = 1 << 13
"""Rows matched at a time, so that what is computed of them stays in the processor's cache."""


@dataclass(frozen=True, slots=True)
class Side:
    """Rows of one of two runs: topic i has ``starts[i]:starts[i + 1]``, best first.

    ``rows`` are those of ``ids``; ``places`` the rank, from 0, of the same document in the other
    run, -1 where it is absent there.
    """

    ids: Ids
    starts: Integers
    rows: Integers
    places: Integers

    def topic(self, number: int) -> Integers:
        """Places of the documents of a topic."""
        return self.places[self.starts[number] : self.starts[number + 1]]

    def topics(self, start: int, stop: int) -> Side:
        """The side with topics ``start`` to ``stop - 1`` alone."""
        begin, end = self.starts[start], self.starts[stop]
        starts = self.starts[start : stop + 1] - begin
        return Side(self.ids, starts, self.rows[begin:end], self.places[begin:end])

    def sizes(self) -> Integers:
        """Documents of each topic."""
        return np.diff(self.starts)

    def documents(self, number: int) -> list[bytes]:
        """Ids of a topic, best first."""
        start, stop = int(self.starts[number]), int(self.starts[number + 1])
        if start == stop:
            return []
        first = int(self.rows[start])
        return self.ids.rows(first, first + stop - start)


@dataclass(frozen=True, slots=True)
class Matching:
    """Two runs over the same topics, with where each document stands in the other."""

    first: Side
    second: Side

    def __len__(self) -> int:
        return len(self.first.starts) - 1

    def parts(self) -> Iterator[Matching]:
        """The same topics, some at a time, few enough to stay in the processor's cache."""
        sizes = np.maximum(self.first.sizes(), self.second.sizes())
        step = max(1, _AT_ONCE // max(1, int(sizes.max(initial=0))))
        for start in range(0, len(self), step):
            stop = min(start + step, len(self))
            yield Matching(self.first.topics(start, stop), self.second.topics(start, stop))

    @classmethod
    def of(
        cls, first: Run, second: Run, topics: Sequence[str], depth: int | None = None
    ) -> Matching:
        """Match the rankings of topics, cut to ``depth``; a topic that a run lacks is empty.

        Documents are the same when their bytes are.

        >>> one = Run.of({"1": {"a": 3.0, "b": 2.0}})
        >>> two = Run.of({"1": {"b": 3.0, "c": 2.0, "a": 1.0}})
        >>> found = Matching.of(one, two, ["1"])
        >>> found.first.places.tolist(), found.second.places.tolist()
        ([2, 0], [1, -1, 0])
        """
        found = cls(_side(first, topics, depth), _side(second, topics, depth))
        _match(found)
        return found


def _side(run: Run, topics: Sequence[str], depth: int | None) -> Side:
    place = {topic: number for number, topic in enumerate(run.topics)}
    numbers = np.array([place.get(topic, _ABSENT) for topic in topics], dtype=np.int64)
    held = numbers != _ABSENT
    begins = np.zeros(len(topics), dtype=np.int64)
    sizes = np.zeros(len(topics), dtype=np.int64)
    begins[held] = run.starts[numbers[held]]
    sizes[held] = np.diff(run.starts)[numbers[held]]
    if depth is not None:
        sizes = np.minimum(sizes, depth)
    starts = np.concatenate(([0], np.cumsum(sizes)))
    rows = np.arange(starts[-1]) + np.repeat(begins - starts[:-1], sizes)
    return Side(run.documents, starts, rows, np.full(len(rows), _ABSENT, dtype=np.int64))


def _match(found: Matching) -> None:
    longest = int(max(found.first.sizes().max(initial=0), found.second.sizes().max(initial=0)))
    rank_bits = max(1, longest.bit_length())
    # Topic, key, side and rank of a row share one word of 64 bits.
    many = max(1, min(1 << (_KEY_BITS - rank_bits - 1), _AT_ONCE // max(1, longest)))
    for start in range(0, len(found), many):
        _match_topics(found, start, min(start + many, len(found)), rank_bits)


def _match_topics(found: Matching, start: int, stop: int, rank_bits: int) -> None:
    low = np.uint64(rank_bits + 1)
    words = np.concatenate(
        [
            _words(found.first, start, stop, low, np.uint64(0)),
            _words(found.second, start, stop, low, np.uint64(1)),
        ]
    )
    words.sort()
    named = words >> low
    repeats = named[1:] == named[:-1]
    at = np.flatnonzero(repeats)
    # Three of a key, or two of one side, are different documents by chance or by design.
    odd = at[1:][np.diff(at) == 1]
    sides = (words >> (low - np.uint64(1))) & np.uint64(1)
    odd = np.concatenate((odd, at[sides[at] == sides[at + 1]]))
    _join(found, start, words[at], words[at + 1], low)
    topics = (named[odd] >> np.uint64(_KEY_BITS)).astype(np.int64) + start
    for topic in set(topics.tolist()):
        _match_exactly(found, topic)


def _words(
    side: Side, start: int, stop: int, low: np.uint64, flag: np.uint64
) -> NDArray[np.uint64]:
    begin, end = int(side.starts[start]), int(side.starts[stop])
    sizes = side.sizes()[start:stop]
    topics = np.repeat(np.arange(stop - start, dtype=np.uint64), sizes)
    ranks = np.arange(begin, end) - np.repeat(side.starts[start:stop], sizes)
    words = (topics << np.uint64(_KEY_BITS)) | side.ids.keys()[side.rows[begin:end]]
    return (words << low) | (flag << (low - np.uint64(1))) | ranks.astype(np.uint64)


def _join(
    found: Matching, start: int, one: NDArray[np.uint64], two: NDArray[np.uint64], low: np.uint64
) -> None:
    """Note the places of pairs of words of one key whose bytes are equal too."""
    side = np.uint64(1) << (low - np.uint64(1))
    # Of two of one side, a row may lie beyond the other's end: its topic is matched exactly.
    is_pair = ((one ^ two) & side) != 0
    if not is_pair.all():
        one, two = one[is_pair], two[is_pair]
    topics = (one >> (low + np.uint64(_KEY_BITS))).astype(np.int64) + start
    ranks = [(word & (side - np.uint64(1))).astype(np.int64) for word in (one, two)]
    here = found.first.starts[topics] + ranks[0]
    there = found.second.starts[topics] + ranks[1]
    same = found.first.ids.match(found.first.rows[here], found.second.ids, found.second.rows[there])
    found.first.places[here[same]] = ranks[1][same]
    found.second.places[there[same]] = ranks[0][same]


def _match_exactly(found: Matching, topic: int) -> None:
    for one, two in ((found.first, found.second), (found.second, found.first)):
        there = {document: rank for rank, document in enumerate(two.documents(topic))}
        one.topic(topic)[:] = [there.get(document, _ABSENT) for document in one.documents(topic)]
