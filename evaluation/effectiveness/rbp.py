"""Rank-biased precision and its residual."""

from __future__ import annotations

import numpy as np

from evaluation.effectiveness.joining import Floats, Joined


def rank_biased_precision(
    joined: Joined, cutoff: int | None = None, p: float = 0.8, rel: float = 1
) -> Floats:
    """Expected relevance seen by a reader who goes on to the next rank with probability p.

    RBP = (1 - p) sum over ranks i of p^(i-1) rel_i, with 0 < p < 1. Range [0, 1); 0 for an empty
    list. Moffat and Zobel, ACM TOIS 27(1), 2008.

    >>> from evaluation.data import Qrels, Run
    >>> from evaluation.effectiveness.joining import join
    >>> run = Run.of({"1": {"a": 3.0, "b": 2.0, "c": 1.0}})
    >>> rank_biased_precision(join(run, Qrels.of({"1": {"a": 1, "c": 1}})), p=0.5).tolist()
    [0.625]
    """
    counted = joined.is_relevant(rel) & joined.within(cutoff)
    weights = np.power(p, joined.rank - 1.0)
    return (1.0 - p) * joined.total(np.where(counted, weights, 0.0))


def residual(joined: Joined, cutoff: int | None = None, p: float = 0.8) -> Floats:
    """How much RBP could still grow if every rank that is unjudged or not reached were relevant.

    residual = p^n + (1 - p) sum of p^(i-1) over unjudged ranks, n the length of the list. Range
    [0, 1]; 1 for an empty list. Moffat and Zobel, ACM TOIS 27(1), 2008.

    >>> from evaluation.data import Qrels, Run
    >>> from evaluation.effectiveness.joining import join
    >>> run = Run.of({"1": {"a": 3.0, "b": 2.0}})
    >>> residual(join(run, Qrels.of({"1": {"a": 1}})), p=0.5).tolist()
    [0.5]
    """
    # All weights add up to 1 / (1 - p), so what is not judged is what the judged ranks leave.
    weights = np.power(p, joined.rank - 1.0)
    known = joined.total(np.where(joined.within(cutoff), weights, 0.0))
    return np.maximum(0.0, 1.0 - (1.0 - p) * known)
