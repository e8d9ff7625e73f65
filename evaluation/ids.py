"""Document ids as arrays: one blob of bytes, offsets into it, and keys to compare them by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from evaluation.words import (
    SHORT,
    WORD,
    Bytes,
    Flags,
    Keys,
    Places,
    keys_in,
    same_tokens,
    words_in,
)

_GATHERED = 1 << 18
_HASHED = 1 << 13


@dataclass(frozen=True, slots=True)
class Ids:
    """Document ids, byte for byte: one blob and ``len + 1`` ascending offsets into it.

    The blob may be any object with a buffer. ``_keys`` are those of ``keys()``, once known.
    """

    blob: bytes | Bytes
    offsets: NDArray[np.integer]
    _keys: list[Keys] = field(default_factory=list, repr=False, compare=False)

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
        sizes = [part.lengths() for part in parts]
        keys = [np.concatenate([part.keys() for part in parts])] if parts else []
        return cls(b"".join(bytes(part.blob) for part in parts), _offsets(sizes), keys)

    def __reduce__(self) -> tuple[type[Ids], tuple[bytes | Bytes, NDArray[np.integer]]]:
        # Keys belong to this process: another one makes its own.
        return Ids, (self.blob, self.offsets)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, row: int) -> bytes:
        return bytes(self.blob[self.offsets[row] : self.offsets[row + 1]])

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.rows(0, len(self)))

    def rows(self, start: int, stop: int) -> list[bytes]:
        """The ids of rows ``start`` to ``stop - 1``."""
        ends = self.offsets[start : stop + 1].tolist()
        first = ends[0] if ends else 0
        piece = bytes(self.blob[first : ends[-1]]) if ends else b""
        return [piece[a - first : b - first] for a, b in pairwise(ends)]

    def array(self) -> Bytes:
        """The blob as an array."""
        return np.frombuffer(self.blob, dtype=np.uint8)

    def lengths(self) -> Places:
        """Bytes of each id."""
        return np.diff(self.offsets).astype(np.int64)

    def keys(self) -> Keys:
        """A number for each id, the same for the same id within this process alone.

        Equal keys say that ids may be equal, and ``match`` whether they are.
        """
        if not self._keys:
            blob, starts, lengths = self.array(), self.offsets[:-1], self.lengths()
            blocks = [slice(at, at + _HASHED) for at in range(0, len(self), _HASHED)]
            parts = [keys_in(blob, starts[block], lengths[block]) for block in blocks]
            self._keys.append(np.concatenate([np.zeros(0, dtype=np.uint32), *parts]))
        return self._keys[0]

    def match(self, rows: Places, other: Ids, places: Places) -> Flags:
        """Whether each of these rows holds the id at the other's place."""
        starts, sizes = _spans(self, rows)
        others, other_sizes = _spans(other, places)
        alike: Flags = sizes == other_sizes
        left = np.flatnonzero(alike)
        if len(left) < len(rows):
            starts, others, sizes = starts[left], others[left], sizes[left]
        if 0 < int(sizes.max(initial=0)) <= SHORT:
            alike[left] = same_tokens(self.array(), starts, other.array(), others, sizes)
            return alike
        for at in range(0, int(sizes.max(initial=0)), WORD):
            if at and int(sizes.min()) <= at:
                longer = np.flatnonzero(sizes > at)
                left, starts, others, sizes = (
                    column[longer] for column in (left, starts, others, sizes)
                )
            mine = words_in(self.array(), starts, sizes, at)
            alike[left] &= mine == words_in(other.array(), others, sizes, at)
        return alike

    def gathered(self, pieces: Sequence[slice | Places]) -> Ids:
        """The rows of stretches and lists of rows, one after the other, with their keys."""
        rows = sum(
            piece.stop - piece.start if isinstance(piece, slice) else len(piece) for piece in pieces
        )
        blob = np.empty(sum(map(self._size_of, pieces)), dtype=np.uint8)
        offsets = np.zeros(rows + 1, dtype=self.offsets.dtype)
        row = end = 0
        for piece in pieces:
            # Sizes are made anew for each piece: all of them at once would be a column more.
            lengths, found = self._sizes_of(piece), self._bytes_of(piece)
            blob[end : end + len(found)] = found
            ends = np.cumsum(lengths, dtype=np.int64)
            ends += end
            offsets[row + 1 : row + len(lengths) + 1] = ends
            row, end = row + len(lengths), end + len(found)
        keys = []
        if self._keys and pieces:
            keys.append(np.concatenate([self._keys[0][piece] for piece in pieces]))
        return Ids(blob, offsets, keys)

    def reorder(self, start: int, order: Places) -> None:
        """Put rows into another order where they lie; the blob has to be an array of one's own.

        Rows from ``start`` on become those of ``order``; of rows that it leaves out nothing can
        be said afterwards.
        """
        found = self._bytes_of(order)
        first = int(self.offsets[start])
        ends = first + np.cumsum(self._sizes_of(order))
        keys = self._keys[0][order]
        stop = start + len(order)
        np.asarray(self.blob)[first : first + len(found)] = found
        self.offsets[start + 1 : stop + 1] = ends
        self._keys[0][start:stop] = keys

    def _size_of(self, piece: slice | Places) -> int:
        if isinstance(piece, slice):
            return int(self.offsets[piece.stop]) - int(self.offsets[piece.start])
        return int(self._sizes_of(piece).sum())

    def _sizes_of(self, piece: slice | Places) -> NDArray[np.integer]:
        if isinstance(piece, slice):
            return np.diff(self.offsets[piece.start : piece.stop + 1])
        return self.offsets[piece + 1] - self.offsets[piece]

    def _bytes_of(self, piece: slice | Places) -> Bytes:
        blob = self.array()
        if isinstance(piece, slice):
            return blob[int(self.offsets[piece.start]) : int(self.offsets[piece.stop])]
        parts = []
        for at in range(0, len(piece), _GATHERED):
            starts, sizes = _spans(self, piece[at : at + _GATHERED])
            ends = np.cumsum(sizes)
            shift = np.repeat(starts - (ends - sizes), sizes)
            parts.append(blob[shift + np.arange(len(shift))])
        return parts[0] if len(parts) == 1 else np.concatenate([blob[:0], *parts])


def _spans(ids: Ids, rows: Places) -> tuple[Places, Places]:
    starts = ids.offsets[rows].astype(np.int64)
    return starts, ids.offsets[rows + 1].astype(np.int64) - starts


def _offsets(sizes: Sequence[Places]) -> Places:
    offsets = np.zeros(sum(map(len, sizes)) + 1, dtype=np.int64)
    np.cumsum(np.concatenate(sizes) if sizes else [], out=offsets[1:])
    return offsets
