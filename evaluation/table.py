"""All rows of a run while its file is read: arrays that grow in place, and steps for what repeats.

Memory stays near what the rows need: an array grows by an eighth, where it lies if the system
can, and topics and line numbers cost something only where they change.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.ids import Ids
from evaluation.tokens import Columns
from evaluation.words import Bytes, Keys, Places

_LEAST = 4096
_FEW = 32
_LINE_BYTES = 24  # of a short line of a run


class Growing:
    """An array that values are added to, with a wider type from when one needs it."""

    def __init__(self, dtype: type[np.generic], first: int | None = None, room: int = 0) -> None:
        # What is reserved costs nothing until it is used, and is then given in larger pages.
        self._values: NDArray[Any] = np.empty(room, dtype=dtype)
        self._size = 0
        if first is not None:
            self.extend(np.array([first]))

    def __len__(self) -> int:
        return self._size

    def extend(self, part: NDArray[Any]) -> None:
        """Add the values of a part."""
        if not len(part):
            return
        self._fit(part)
        end = self._size + len(part)
        if end > len(self._values):
            grown = max(end, len(self._values) * 9 // 8, _LEAST)
            self._values.resize(grown, refcheck=False)
        self._values[self._size : end] = part
        self._size = end

    def _fit(self, part: NDArray[Any]) -> None:
        kind = self._values.dtype
        if kind.kind == "f" or kind.itemsize == 8:
            return
        limits = np.iinfo(kind)
        if int(part.max()) > limits.max or int(part.min()) < limits.min:
            self._values = self._values.astype(np.int64)

    def taken(self) -> NDArray[Any]:
        """The array itself, cut to its size; it is given up, so that nothing keeps it alive."""
        self._values.resize(self._size, refcheck=False)
        taken, self._values = self._values, np.zeros(0, dtype=self._values.dtype)
        return taken


class Steps:
    """A column in which most values repeat the one before: where it changes, and to what."""

    def __init__(self) -> None:
        self._starts, self._values = Growing(np.int64), Growing(np.int64)
        self._rows = 0
        self._last: int | None = None

    def extend(self, part: NDArray[Any]) -> None:
        """Add the values of the rows that follow."""
        if not len(part):
            return
        changes = np.flatnonzero(part[1:] != part[:-1]) + 1
        if self._last is None or int(part[0]) != self._last:
            changes = np.concatenate(([0], changes))
        self._starts.extend(changes + self._rows)
        self._values.extend(part[changes])
        self._rows += len(part)
        self._last = int(part[-1])

    def taken(self) -> tuple[Places, Places]:
        """The rows at which a stretch of equal values starts, and these values."""
        return self._starts.taken(), self._values.taken()


class Table:
    """Rows of a run in the order of the file.

    ``topic_starts`` and ``topic_codes`` tell the stretches of lines of one topic. ``ranks``
    and ``scores`` may be let go once they are not needed any more.
    """

    def __init__(self, text_bytes: int = 0) -> None:
        """``text_bytes`` of the file, if they are known, tell how much room to reserve."""
        rows = text_bytes // _LINE_BYTES
        self._shifts, self._topics = Steps(), Steps()
        self._blob = Growing(np.uint8, room=text_bytes // 2)
        self._offsets = Growing(np.uint32, first=0, room=rows)
        self._keys, self._end = Growing(np.uint32, room=rows), 0
        self._ranks = Growing(np.int32, room=rows)
        self._scores = Growing(np.float64, room=rows)
        self.is_ascii = True

    def __len__(self) -> int:
        return len(self._scores)

    def extend(self, rows: Columns) -> None:
        """Add the rows of a chunk."""
        if not len(rows):
            return
        at = len(self)
        self._shifts.extend(rows.lines - np.arange(at, at + len(rows)))
        self._topics.extend(rows.topics)
        blob = rows.documents.array()
        self.is_ascii = self.is_ascii and int(blob.max(initial=0)) < 128
        self._blob.extend(blob)
        self._offsets.extend(rows.documents.offsets[1:] + self._end)
        self._end += len(blob)
        self._keys.extend(rows.documents.keys())
        self._ranks.extend(rows.ranks)
        self._scores.extend(rows.scores)

    def close(self) -> None:
        """Cut everything to size; no rows are added any more."""
        self.topic_starts, self.topic_codes = self._topics.taken()
        self._line_starts, self._line_shifts = self._shifts.taken()
        keys: Keys = self._keys.taken()
        blob: Bytes = self._blob.taken()
        self.documents = Ids(blob, self._offsets.taken(), [keys])
        self.ranks: NDArray[Any] = self._ranks.taken()
        self.scores: NDArray[np.float64] = self._scores.taken()
        self._order: Places | None = None

    def _stretches(self, order: Places) -> Sequence[slice | Places]:
        """Rows of an order as slices, if there are few enough to be worth it."""
        starts = self.topic_starts
        if len(starts) * _FEW > len(self):
            return [order]
        stops = np.append(starts[1:], len(self))
        by_code = np.argsort(self.topic_codes, kind="stable")
        return [slice(int(starts[at]), int(stops[at])) for at in by_code]

    def line(self, row: int) -> int:
        """The physical line of a row."""
        place = int(row) if self._order is None else int(self._order[row])
        step = int(np.searchsorted(self._line_starts, place, side="right")) - 1
        return place + int(self._line_shifts[step])

    def reorder(self, start: int, order: Places) -> None:
        """Let the rows from ``start`` on be those of ``order``, which lie in the same topic."""
        self.scores[start : start + len(order)] = self.scores[order]
        self.documents.reorder(start, order)

    def move(self, parts: Sequence[slice]) -> None:
        """Keep the rows of these stretches, one after the other.

        A column at a time, each into the memory that the one before has left: memory that was
        never touched costs more than the copy.
        """
        if not parts:
            parts = [slice(0, 0)]
        documents = self.documents
        blob, offsets, keys = documents.array(), documents.offsets, documents.keys()
        del self.documents, documents
        keys = np.concatenate([keys[part] for part in parts])
        bounds = [(int(offsets[part.start]), int(offsets[part.stop])) for part in parts]
        offsets = _joined_offsets(offsets, parts)
        blob = np.concatenate([blob[start:stop] for start, stop in bounds])
        self.documents = Ids(blob, offsets, [keys])
        del blob, offsets, keys
        self.scores = np.concatenate([self.scores[part] for part in parts])

    def group(self) -> None:
        """Put all rows of a topic together, topics by code, rows in the order of the file."""
        sizes = np.diff(self.topic_starts, append=len(self))
        topics = np.repeat(self.topic_codes, sizes)
        order = np.argsort(topics, kind="stable")
        self.documents = self.documents.gathered(self._stretches(order))
        self.ranks, self.scores = self.ranks[order], self.scores[order]
        ordered = topics[order]
        self.topic_starts = np.flatnonzero(np.diff(ordered, prepend=-1))
        self.topic_codes = ordered[self.topic_starts]
        self._order = order


def _joined_offsets(offsets: NDArray[Any], parts: Sequence[slice]) -> NDArray[Any]:
    """Offsets of the rows of stretches, one after the other."""
    found = np.zeros(1 + sum(part.stop - part.start for part in parts), dtype=offsets.dtype)
    row = end = 0
    for part in parts:
        # Kept as whole numbers of Python: offsets without a sign would not go below 0.
        shift = end - int(offsets[part.start])
        piece = offsets[part.start + 1 : part.stop + 1].astype(np.int64) + shift
        found[row + 1 : row + 1 + len(piece)] = piece
        row, end = row + len(piece), end + int(offsets[part.stop]) - int(offsets[part.start])
    return found
