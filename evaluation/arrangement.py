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


def suspects(keys: NDArray[np.uint32]) -> Rows:
    """Positions whose key stands at another position too, ascending.

    >>> suspects(np.array([7, 5, 7], dtype=np.uint32)).tolist()
    [0, 2]
    """
    order = np.argsort(keys, kind="stable")
    same = np.flatnonzero(keys[order[1:]] == keys[order[:-1]])
    return np.unique(np.concatenate((order[same], order[same + 1])))


def first_copies(order: Rows, documents: Sequence[bytes], doubtful: Rows) -> Rows:
    """The order without later copies of a document, which lie at ``doubtful`` positions only."""
    is_doubtful = np.zeros(len(documents), dtype=np.bool_)
    is_doubtful[doubtful] = True
    is_kept = np.ones(len(order), dtype=np.bool_)
    seen: set[bytes] = set()
    for place in np.flatnonzero(is_doubtful[order]).tolist():
        document = documents[int(order[place])]
        is_kept[place] = document not in seen
        seen.add(document)
    return order[is_kept]
