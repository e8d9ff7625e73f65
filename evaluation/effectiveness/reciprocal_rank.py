"""Reciprocal rank."""

from __future__ import annotations

import numpy as np

from evaluation.effectiveness.joining import Floats, Joined


def reciprocal_rank(joined: Joined, cutoff: int | None = None, rel: float = 1) -> Floats:
    """One divided by the rank of the first relevant document.

    RR = 1 / rank. Range [0, 1]; 0 when no relevant document is retrieved (within the cutoff).
    As trec_eval's recip_rank.

    >>> from evaluation.data import Qrels, Run
    >>> from evaluation.effectiveness.joining import join
    >>> run = Run.of({"1": {"a": 3.0, "b": 2.0, "c": 1.0}})
    >>> reciprocal_rank(join(run, Qrels.of({"1": {"b": 1, "c": 1}}))).tolist()
    [0.5]
    """
    relevant = joined.is_relevant(rel)
    first = relevant & (joined.running(relevant) == 1) & joined.within(cutoff)
    return joined.total(np.where(first, 1.0 / joined.rank, 0.0))
