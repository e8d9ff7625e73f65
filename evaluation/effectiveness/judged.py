"""How much of a ranking is judged."""

from __future__ import annotations

import numpy as np

from evaluation.effectiveness.joining import Floats, Joined, divide


def judged(joined: Joined, cutoff: int) -> Floats:
    """Share of judged documents among those retrieved in the first k.

    Judged@k = judged documents in the first k / min(k, retrieved). Range [0, 1]; an empty list
    gives 0. Not a measure of effectiveness: it says how far the others can be trusted.

    >>> from evaluation.data import Qrels, Run
    >>> from evaluation.effectiveness.joining import join
    >>> run = Run.of({"1": {"a": 3.0, "b": 2.0, "c": 1.0}})
    >>> judged(join(run, Qrels.of({"1": {"a": 0, "b": 1}})), 10).round(4).tolist()
    [0.6667]
    """
    known = joined.within(cutoff)
    retrieved = np.minimum(joined.retrieved(), cutoff).astype(np.float64)
    return divide(joined.total(known.astype(np.float64)), retrieved)
