"""The evaluation order of a topic: score descending, ties by document id descending in bytes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evaluation.rules import Precision

Keys = NDArray[np.float64] | NDArray[np.float32]
Rows = NDArray[np.int64]


def sort_keys(scores: NDArray[np.float64], precision: Precision) -> Keys:
    """What scores are compared by: doubles, or singles as trec_eval 9.0.7 reads them."""
    if precision == "double":
        return scores
    with np.errstate(over="ignore", under="ignore"):
        return scores.astype(np.float32)


def evaluation_order(keys: Keys, documents: Sequence[bytes]) -> tuple[Rows, list[tuple[int, int]]]:
    """Positions in evaluation order, and the stretches of it that hold equal keys.

    Key descending, equal keys by document id descending in byte order (as trec_eval does).

    >>> order, ties = evaluation_order(np.array([1.0, 2.0, 1.0]), [b"a", b"b", b"c"])
    >>> order.tolist(), ties
    ([1, 2, 0], [(1, 3)])
    """
    if (keys[1:] < keys[:-1]).all():
        return np.arange(len(keys)), []
    order = np.argsort(-keys, kind="stable")
    ranked = keys[order]
    edges = np.flatnonzero(ranked[1:] != ranked[:-1]) + 1
    starts = [0, *edges.tolist()]
    stops = [*edges.tolist(), len(keys)]
    ties = [(start, stop) for start, stop in zip(starts, stops, strict=True) if stop - start > 1]
    for start, stop in ties:
        order[start:stop] = sorted(
            order[start:stop].tolist(), key=documents.__getitem__, reverse=True
        )
    return order, ties


def first_copies(order: Rows, documents: Sequence[bytes]) -> Rows:
    """The order without later copies of a document."""
    seen: set[bytes] = set()
    kept = []
    for position in order.tolist():
        document = documents[position]
        if document not in seen:
            seen.add(document)
            kept.append(position)
    return np.array(kept, dtype=np.int64)
