"""Average precision."""

from __future__ import annotations

import numpy as np

from evaluation.effectiveness.joining import Floats, Joined, divide


def average_precision(joined: Joined, cutoff: int | None = None, rel: float = 1) -> Floats:
    """Mean of the precision at each relevant document, unretrieved ones counting 0.

    AP = (1/R) sum over relevant retrieved documents of (relevant up to its rank) / rank; with a
    cutoff only the first k ranks are summed. Range [0, 1]; 0 for R = 0 and for an empty list.
    As trec_eval's map and map_cut_k.

    >>> from evaluation.data import Qrels, Run
    >>> from evaluation.effectiveness.joining import join
    >>> run = Run.of({"1": {"a": 3.0, "b": 2.0, "c": 1.0}})
    >>> average_precision(join(run, Qrels.of({"1": {"a": 1, "c": 1}}))).round(4).tolist()
    [0.8333]
    """
    relevant = joined.is_relevant(rel)
    terms = np.where(relevant & joined.within(cutoff), joined.running(relevant) / joined.rank, 0.0)
    return divide(joined.total(terms), joined.relevant(rel))
