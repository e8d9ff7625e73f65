"""Documents of two runs in the order of their bytes, for tau over a sorted union."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from evaluation.matching import Side
from evaluation.words import WORD, Words, words_in

Integers = NDArray[np.int64]


def in_byte_order(first: Side, second: Side, rows: Integers, starts: Integers) -> Integers:
    """Places in ``rows`` so that each stretch of it is in the order of the bytes of its ids.

    Stretch i is ``rows[starts[i]:starts[i + 1]]``, whose ids all differ. Rows count those of
    the first side, then those of the second.
    """
    ids = _Union(first, second, rows)
    skipped, words = ids.varying()
    order = np.empty(len(rows), dtype=np.int64)
    for start, stop in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        order[start:stop] = np.argsort(words[start:stop]) + start
    ranked = words[order]
    is_same = ranked[1:] == ranked[:-1]
    inner = starts[(starts > 0) & (starts < len(rows))]
    is_same[inner - 1] = False
    is_tied = np.zeros(len(rows), dtype=np.bool_)
    is_tied[1:] = is_same
    is_tied[:-1] |= is_same
    tied = np.flatnonzero(is_tied)
    if len(tied):
        stretch = np.searchsorted(starts, tied, side="right")
        order[tied] = ids.sorted(order[tied], stretch, skipped)
    return order


class _Union:
    def __init__(self, first: Side, second: Side, rows: Integers) -> None:
        self._is_first = rows < len(first.rows)
        self._begins = np.empty(len(rows), dtype=np.int64)
        self._lengths = np.empty(len(rows), dtype=np.int64)
        self._parts = []
        for is_own, side, shift in (
            (self._is_first, first, 0),
            (~self._is_first, second, len(first.rows)),
        ):
            own = np.flatnonzero(is_own)
            chosen = side.rows[rows[own] - shift]
            begins = side.ids.offsets[chosen].astype(np.int64)
            lengths = side.ids.offsets[chosen + 1].astype(np.int64) - begins
            self._parts.append((own, side.ids.array(), begins, lengths))
            self._begins[own], self._lengths[own] = begins, lengths

    def varying(self) -> tuple[int, Words]:
        """Number of bytes that all ids begin with, and the words after them."""
        skipped, longest = 0, int(self._lengths.max(initial=0))
        while True:
            words = np.empty(len(self._begins), dtype=np.uint64)
            for own, blob, begins, lengths in self._parts:
                words[own] = words_in(blob, begins, lengths, skipped)
            words.byteswap(inplace=True)
            common = _common_bytes(words)
            if not common or skipped >= longest:
                return skipped, words
            skipped += common

    def sorted(self, rows: Integers, stretch: Integers, skipped: int) -> Integers:
        """The rows by stretch, then by the bytes of their ids."""
        lengths = self._lengths[rows]
        keys = [self._words(rows, at) for at in range(skipped, int(lengths.max()), WORD)]
        # Zero bytes fill a word: of two that differ in nothing else the shorter one comes first.
        return rows[np.lexsort([lengths, *reversed(keys), stretch])]

    def _words(self, rows: Integers, at: int) -> Words:
        found = np.empty(len(rows), dtype=np.uint64)
        is_first = self._is_first[rows]
        for own, (_, blob, _, _) in zip((is_first, ~is_first), self._parts, strict=True):
            chosen = rows[own]
            found[own] = words_in(blob, self._begins[chosen], self._lengths[chosen], at)
        return found.byteswap()


def _common_bytes(words: Words) -> int:
    if not len(words):
        return 0
    differ = int(np.bitwise_or.reduce(words ^ words[0]))
    return (WORD * 8 - differ.bit_length()) // 8
