"""Precision, recall and R-precision."""

from __future__ import annotations

import numpy as np

from evaluation.effectiveness.joining import Floats, Joined, divide


def _found(joined: Joined, cutoff: int, rel: float) -> Floats:
    return joined.total((joined.is_relevant(rel) & joined.within(cutoff)).astype(np.float64))


def precision(joined: Joined, cutoff: int, rel: float = 1) -> Floats:
    """Share of relevant documents among the first k.

    P@k = relevant documents in the first k / k, for shorter lists too. Range [0, 1]; an empty
    list gives 0. As trec_eval's P_k.

    >>> from evaluation.data import Qrels, Run
    >>> from evaluation.effectiveness.joining import join
    >>> run = Run.of({"1": {"a": 3.0, "b": 2.0, "c": 1.0}})
    >>> precision(join(run, Qrels.of({"1": {"a": 1, "c": 1}})), 5).tolist()
    [0.4]
    """
    return _found(joined, cutoff, rel) / cutoff


def recall(joined: Joined, cutoff: int, rel: float = 1) -> Floats:
    """Share of the topic's relevant documents that are among the first k.

    R@k = relevant documents in the first k / R. Range [0, 1]; 0 for R = 0 and for an empty list.
    As trec_eval's recall_k.

    >>> from evaluation.data import Qrels, Run
    >>> from evaluation.effectiveness.joining import join
    >>> run = Run.of({"1": {"a": 3.0, "b": 2.0, "c": 1.0}})
    >>> recall(join(run, Qrels.of({"1": {"a": 1, "c": 1}})), 2).tolist()
    [0.5]
    """
    return divide(_found(joined, cutoff, rel), joined.relevant(rel))


def r_precision(joined: Joined, rel: float = 1) -> Floats:
    """Precision at rank R, the number of relevant documents of the topic.

    Rprec = P@R. Range [0, 1]; 0 for R = 0 and for an empty list. As trec_eval's Rprec.

    >>> from evaluation.data import Qrels, Run
    >>> from evaluation.effectiveness.joining import join
    >>> run = Run.of({"1": {"a": 3.0, "b": 2.0, "c": 1.0}})
    >>> r_precision(join(run, Qrels.of({"1": {"a": 1, "c": 1}}))).tolist()
    [0.5]
    """
    wanted = joined.relevant(rel)
    counted = joined.is_relevant(rel) & (joined.rank <= wanted[joined.topic])
    return divide(joined.total(counted.astype(np.float64)), wanted)
