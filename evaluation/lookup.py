"""Finds the judged documents among the rows of a run: a filter on keys, then the bytes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.ids import Ids
from evaluation.words import Flags, Keys, Places, Words

_BLOCK = 1 << 17
_BITS = 22
_SPREAD = np.uint32(0x9E3779B1)
_SHIFT = np.uint32(32 - _BITS)
_UPPER = np.uint64(32)


@dataclass(frozen=True, slots=True)
class Judgments:
    """The judged documents of numbered topics, ready to be looked up.

    ``named`` holds topic number and key of each document in ascending order, ``rows`` its row
    in ``documents``, and ``filter`` tells for most other pairs that they are not among them.
    """

    documents: Ids
    named: Words
    rows: Places
    filter: Flags

    @classmethod
    def of(cls, documents: Ids, starts: Places) -> Judgments:
        """Prepare documents of topics 0, 1, ...; those of topic i are ``starts[i]`` onwards."""
        topics = np.repeat(np.arange(len(starts) - 1, dtype=np.uint32), np.diff(starts))
        keys = documents.keys()
        found = np.zeros(1 << _BITS, dtype=np.bool_)
        found[_slots(topics, keys)] = True
        named = (topics.astype(np.uint64) << _UPPER) | keys
        order = np.argsort(named)
        return cls(documents, named[order], order, found)

    def rows_of(self, topics: NDArray[np.uint32], ids: Ids, first: int) -> tuple[Places, Places]:
        """Rows of ``ids`` from ``first`` on that are judged in their topics, and their judgments.

        The result counts rows of ``ids``, ascending, and rows of ``documents``.
        """
        keys = ids.keys()[first : first + len(topics)]
        hits = np.flatnonzero(self.filter[_slots(topics, keys)])
        wanted = (topics[hits].astype(np.uint64) << _UPPER) | keys[hits]
        places = np.searchsorted(self.named, wanted)
        hits += first
        rows, judged = [], []
        while len(hits):
            # Documents that share a key stand one after the other.
            is_near = places < len(self.named)
            is_near[is_near] = self.named[places[is_near]] == wanted[is_near]
            hits, places, wanted = hits[is_near], places[is_near], wanted[is_near]
            candidates = self.rows[places]
            is_same = ids.match(hits, self.documents, candidates)
            rows.append(hits[is_same])
            judged.append(candidates[is_same])
            hits, places, wanted = hits[~is_same], places[~is_same] + 1, wanted[~is_same]
        if not rows:
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
        found = np.concatenate(rows)
        order = np.argsort(found)
        return found[order], np.concatenate(judged)[order]


def _slots(topics: NDArray[np.uint32], keys: Keys) -> NDArray[np.uint32]:
    return (keys ^ (topics * _SPREAD)) >> _SHIFT


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
