"""Counts of inversions in many sequences at once: the discordant pairs of Kendall's tau."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]

_SMALL = 16
"""Values that are compared each with each; more are merged from halves."""

_AT_ONCE = 1 << 17
"""Values in work at a time, so that many topics need no more memory than few."""

_ABOVE = np.triu(np.ones((_SMALL, _SMALL), dtype=np.bool_), 1)
_LARGEST = np.uint32(0x7FFFFFFF)


def inversions(values: Integers, starts: Integers) -> Integers:
    """Pairs in each sequence whose earlier value is greater than the later one.

    Sequence i holds ``values[starts[i]:starts[i + 1]]``, whole numbers from 0 to 2^31 - 2. Equal
    values are no inversion. O(n log^2 n) for n values, in whole arrays.

    >>> inversions(np.array([2, 0, 1, 1, 0]), np.array([0, 3, 3, 5])).tolist()
    [2, 0, 1]
    """
    sizes = np.diff(starts)
    found = np.zeros(len(sizes), dtype=np.int64)
    widths = np.maximum(_SMALL, 1 << np.ceil(np.log2(np.maximum(sizes, 1))).astype(np.int64))
    for width in np.unique(widths).tolist():
        members = np.flatnonzero(widths == width)
        many = max(1, _AT_ONCE // width)
        for at in range(0, len(members), many):
            part = members[at : at + many]
            found[part] = _counted(_padded(values, starts[part], sizes[part], width))
    return found


def _padded(values: Integers, starts: Integers, sizes: Integers, width: int) -> NDArray[np.uint32]:
    """A row for each sequence; what fills it up is greater than any value and comes last."""
    rows = np.full((len(starts), width), _LARGEST, dtype=np.uint32)
    for row, (start, size) in enumerate(zip(starts.tolist(), sizes.tolist(), strict=True)):
        rows[row, :size] = values[start : start + size]
    return rows


def _counted(rows: NDArray[np.uint32]) -> Integers:
    number, width = rows.shape
    blocks = rows.reshape(-1, _SMALL)
    is_greater = (blocks[:, :, None] > blocks[:, None, :]) & _ABOVE
    total = np.asarray(is_greater.reshape(number, -1).sum(axis=1), dtype=np.int64)
    rows = np.sort(blocks, axis=1)
    half = _SMALL
    while half < width:
        # The side goes into the lowest bit: among equal values the left one stays before.
        rows = rows.reshape(-1, 2 * half) << np.uint32(1)
        rows[:, half:] |= np.uint32(1)
        rows.sort(axis=1)
        is_left = (rows & np.uint32(1)) == 0
        passed = is_left @ np.arange(2 * half, dtype=np.float64) - half * (half - 1) / 2
        total += passed.reshape(number, -1).sum(axis=1).astype(np.int64)
        rows >>= np.uint32(1)
        half *= 2
    return total
