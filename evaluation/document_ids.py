"""The ids of a collection by the million: packed bytes, and a sorted index of 64-bit numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.ids import Ids
from evaluation.lines import LineReader
from evaluation.report import Report
from evaluation.words import Places, Words, keys_in

_UPPER = np.uint64(32)
_ROW = np.uint64((1 << 32) - 1)
_BLOCK = 1 << 13
_STRETCH = 1 << 18
# What a line has to be without to be taken as it is: controls, and blanks but the line's end.
_NOT_PLAIN = bytes((*range(33), 127))


@dataclass(frozen=True, slots=True)
class DocumentIds(Collection[bytes]):
    """A set of ids, byte for byte; 4.6 million of 36 bytes take about 220 MB.

    ``ids`` are in the order of the file, some perhaps twice. ``index`` holds for each different
    id its key in this process (upper half) and its row, ascending.
    """

    ids: Ids
    index: Words

    @classmethod
    def of(cls, ids: Ids) -> DocumentIds:
        """Prepare ids for look-ups, at most 2**32."""
        index = np.empty(len(ids), dtype=np.uint64)
        blob, offsets = ids.array(), ids.offsets
        for at in range(0, len(ids), _BLOCK):
            ends = offsets[at : at + _BLOCK + 1].astype(np.int64)
            rows = np.arange(at, at + len(ends) - 1, dtype=np.uint64)
            keys = keys_in(blob, ends[:-1], np.diff(ends)).astype(np.uint64)
            index[at : at + len(rows)] = (keys << _UPPER) | rows
        index.sort()
        repeated = _repeated(ids, index)
        return cls(ids, np.delete(index, repeated) if len(repeated) else index)

    def __len__(self) -> int:
        return len(self.index)

    def __iter__(self) -> Iterator[bytes]:
        return (self.ids[int(row)] for row in self.index & _ROW)

    def __contains__(self, document: object) -> bool:
        return isinstance(document, bytes) and not len(self.absent(Ids.of([document]), 0, 1))

    def absent(self, ids: Ids, start: int, stop: int) -> Places:
        """Rows from ``start`` to ``stop - 1`` that are not in the set, counted from ``start``."""
        keys = ids.keys()[start:stop].astype(np.uint64)
        places = np.searchsorted(self.index, keys << _UPPER)
        is_absent = np.ones(len(keys), dtype=np.bool_)
        left = np.flatnonzero(places < len(self.index))
        while len(left):
            left = left[self.index[places[left]] >> _UPPER == keys[left]]
            rows = (self.index[places[left]] & _ROW).astype(np.int64)
            is_same = ids.match(left + start, self.ids, rows)
            is_absent[left[is_same]] = False
            left = left[~is_same]
            places[left] += 1
            left = left[places[left] < len(self.index)]
        return np.flatnonzero(is_absent)


def _repeated(ids: Ids, index: Words) -> Places:
    """Places of the index whose id stands at an earlier place as well."""
    repeated: list[int] = []
    for at in range(0, len(index), _STRETCH):
        piece = index[at : at + _STRETCH + 1]
        alike = at + np.flatnonzero((piece[1:] ^ piece[:-1]) <= _ROW)
        rows = (index[alike + 1] & _ROW).astype(np.int64)
        is_same = ids.match(rows, ids, (index[alike] & _ROW).astype(np.int64))
        repeated += (alike[is_same] + 1).tolist()
        for place in alike[~is_same].tolist():
            # Two ids share a key, so that a third one may be either of them.
            repeated += _repeats_before(ids, index, place + 1)
    return np.unique(np.array(repeated, dtype=np.int64))


def _repeats_before(ids: Ids, index: Words, place: int) -> list[int]:
    mine, key = ids[int(index[place] & _ROW)], index[place] >> _UPPER
    before = place - 1
    while before >= 0 and index[before] >> _UPPER == key:
        if ids[int(index[before] & _ROW)] == mine:
            return [place]
        before -= 1
    return []


class IdReader(LineReader):
    """Document ids, a line each."""

    def __init__(self, report: Report) -> None:
        super().__init__(report)
        self._blob = bytearray()
        self._lengths: list[NDArray[np.int32]] = []

    @property
    def is_empty(self) -> bool:
        """Whether no id was read."""
        return not self._lengths

    def ids(self) -> Ids:
        """All ids in the order of the file; the reader gives them up."""
        size = sum(map(len, self._lengths))
        offsets: NDArray[Any] = np.zeros(
            size + 1, dtype=np.int32 if len(self._blob) < 1 << 31 else np.int64
        )
        at = 0
        for lengths in self._lengths:
            np.cumsum(lengths, out=offsets[at + 1 : at + 1 + len(lengths)])
            offsets[at + 1 : at + 1 + len(lengths)] += offsets[at]
            at += len(lengths)
        blob, self._blob, self._lengths = self._blob, bytearray(), []
        return Ids(np.frombuffer(blob, dtype=np.uint8), offsets)

    def read(self, chunk: bytes, first_line: int) -> None:
        """Take the ids of a chunk, as a whole when nothing in it needs a second look."""
        if self.has_started and chunk.isascii() and self._take_plain(chunk):
            return
        for number, line in enumerate(chunk.split(b"\n"), first_line):
            fields = self.fields(number, line)
            if fields is None:
                continue
            if len(fields) == 1:
                self._blob += fields[0]
                self._lengths.append(np.array([len(fields[0])], dtype=np.int32))
            else:
                self.fault("wrong_column_count", number, line, "{} columns, not one", len(fields))

    def _take_plain(self, chunk: bytes) -> bool:
        ends = np.flatnonzero(np.frombuffer(chunk, dtype=np.uint8) == ord("\n"))
        if not chunk.endswith(b"\n"):
            ends = np.append(ends, len(chunk))
        lengths = np.diff(ends, prepend=-1) - 1
        compact = chunk.translate(None, _NOT_PLAIN)
        is_plain = (
            len(compact) == int(lengths.sum())
            and int(lengths.min()) > 0
            and int(lengths.max()) < self.limit
            and not chunk.startswith(b"#")
            and b"\n#" not in chunk
        )
        if is_plain:
            self._blob += compact
            self._lengths.append(lengths.astype(np.int32))
        return is_plain
