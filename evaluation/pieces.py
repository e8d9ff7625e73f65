"""Rows of one topic as a stretch of the table, or as a list when their order is another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

from evaluation.ids import Ids
from evaluation.words import Places

# Up to here ids are fetched one by one, beyond it all at once.
_SINGLY = 50


class LazyRows(Sequence[bytes]):
    """The ids of a stretch of rows, made when they are asked for."""

    def __init__(self, ids: Ids, start: int, stop: int) -> None:
        self._ids, self._start, self._stop = ids, start, stop
        self._all: list[bytes] | None = None
        self._fetched = 0

    def __len__(self) -> int:
        return self._stop - self._start

    @overload
    def __getitem__(self, row: int) -> bytes: ...
    @overload
    def __getitem__(self, row: slice) -> list[bytes]: ...
    def __getitem__(self, row: int | slice) -> bytes | list[bytes]:
        if isinstance(row, int) and self._all is None and self._fetched < _SINGLY:
            self._fetched += 1
            return self._ids[self._start + range(len(self))[row]]
        return self.all()[row]

    def all(self) -> list[bytes]:
        """All of them."""
        if self._all is None:
            self._all = self._ids.rows(self._start, self._stop)
        return self._all


@dataclass(frozen=True, slots=True)
class Piece:
    """Rows ``start`` to ``stop - 1``, or those of ``order``, which lie there."""

    start: int
    stop: int
    order: Places | None = None

    def __len__(self) -> int:
        return self.stop - self.start if self.order is None else len(self.order)

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.start, self.stop) if self.order is None else self.order.tolist())

    def best(self, depth: int) -> Piece:
        """The first ``depth`` rows."""
        if self.order is None:
            return Piece(self.start, min(self.stop, self.start + depth))
        return Piece(self.start, self.stop, self.order[:depth])

    def documents(self, ids: Ids) -> list[bytes]:
        """The ids of the rows."""
        listed = ids.rows(self.start, self.stop)
        return listed if self.order is None else [listed[row - self.start] for row in self]


def joined(pieces: Sequence[Piece]) -> list[slice]:
    """Stretches one after the other, those that meet as one."""
    parts: list[slice] = []
    for piece in pieces:
        last = parts[-1] if parts else None
        if last is not None and last.stop == piece.start:
            parts[-1] = slice(last.start, piece.stop)
        else:
            parts.append(slice(piece.start, piece.stop))
    return parts


def is_whole(parts: Sequence[slice], size: int) -> bool:
    """Whether the parts are all rows of a table as they stand."""
    return parts == [slice(0, size)]
