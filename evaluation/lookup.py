"""Finds the judged documents among the rows of a run: a table of slots by key, then the bytes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.ids import Ids
from evaluation.words import Keys, Places, Words

_BLOCK = 1 << 17
_LEAST_BITS, _MOST_BITS = 12, 22
_SLOTS_EACH = 64
_SPREAD = np.uint32(0x9E3779B1)
_UPPER = np.uint64(32)


@dataclass(frozen=True, slots=True)
class Judgments:
    """The judged documents of numbered topics, ready to be looked up.

    All arrays but the first are ordered by slot, a number made of topic and key: ``slots``,
    topic and key as one ``named``, and the row in ``documents``. ``first`` is where a slot
    begins there, -1 for the many that are empty.
    """

    documents: Ids
    slots: NDArray[np.uint32]
    named: Words
    rows: Places
    first: NDArray[np.int32]
    shift: np.uint32

    @classmethod
    def of(cls, documents: Ids, starts: Places) -> Judgments:
        """Prepare documents of topics 0, 1, ...; those of topic i are ``starts[i]`` onwards."""
        topics = np.repeat(np.arange(len(starts) - 1, dtype=np.uint32), np.diff(starts))
        keys = documents.keys()
        wanted = (len(keys) * _SLOTS_EACH).bit_length()
        bits = min(max(wanted, _LEAST_BITS), _MOST_BITS)
        shift = np.uint32(32 - bits)
        slots = _slots(topics, keys, shift)
        order = np.argsort(slots)
        slots = slots[order]
        first = np.full(1 << bits, -1, dtype=np.int32)
        begins = np.flatnonzero(np.diff(slots, prepend=slots[:1] + np.uint32(1)))
        first[slots[begins]] = begins
        return cls(documents, slots, _named(topics, keys)[order], order, first, shift)

    def rows_of(self, topics: NDArray[np.uint32], ids: Ids, begin: int) -> tuple[Places, Places]:
        """Rows of ``ids`` from ``begin`` on that are judged in their topics, and their judgments.

        The result counts rows of ``ids``, ascending, and rows of ``documents``.
        """
        keys = ids.keys()[begin : begin + len(topics)]
        slots = _slots(topics, keys, self.shift)
        places = self.first[slots]
        hits = np.flatnonzero(places >= 0)
        places, slots = places[hits].astype(np.int64), slots[hits]
        wanted = _named(topics[hits], keys[hits])
        hits += begin
        rows, judged = [hits[:0]], [hits[:0]]
        while len(hits):
            alike = np.flatnonzero(self.named[places] == wanted)
            candidates = self.rows[places[alike]]
            is_same = ids.match(hits[alike], self.documents, candidates)
            rows.append(hits[alike[is_same]])
            judged.append(candidates[is_same])
            # The others may match the next document of their slot.
            is_left = places + 1 < len(self.slots)
            is_left[alike[is_same]] = False
            is_left[is_left] = self.slots[places[is_left] + 1] == slots[is_left]
            hits, wanted, slots = hits[is_left], wanted[is_left], slots[is_left]
            places = places[is_left] + 1
        found = np.concatenate(rows)
        order = np.argsort(found)
        return found[order], np.concatenate(judged)[order]


def _slots(topics: NDArray[np.uint32], keys: Keys, shift: np.uint32) -> NDArray[np.uint32]:
    return (keys ^ (topics * _SPREAD)) >> shift


def _named(topics: NDArray[np.uint32], keys: Keys) -> Words:
    return (topics.astype(np.uint64) << _UPPER) | keys


def judged_rows(
    ids: Ids, starts: Places, numbers: Places, judgments: Judgments
) -> tuple[Places, Places]:
    """All judged rows of a run whose topic i has number ``numbers[i]``, -1 for one not judged."""
    rows, judged = [], []
    first = 0
    while first < len(numbers):
        last = int(np.searchsorted(starts, starts[first] + _BLOCK, side="right")) - 1
        last = min(max(last, first + 1), len(numbers))
        sizes = np.diff(starts[first : last + 1])
        # The number of no topic: nothing is judged there.
        topics = np.repeat(numbers[first:last].astype(np.uint32), sizes)
        found = judgments.rows_of(topics, ids, int(starts[first]))
        rows.append(found[0])
        judged.append(found[1])
        first = last
    if not rows:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    return np.concatenate(rows), np.concatenate(judged)
