"""Expected reciprocal rank."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from evaluation.effectiveness.joining import Floats, Joined
from evaluation.errors import EvaluationError


def expected_reciprocal_rank(
    joined: Joined, cutoff: int | None = None, maxgrade: int | None = None
) -> Floats:
    """Expected reciprocal of the rank at which a reader is satisfied.

    ERR@k = sum over ranks i <= k of R_i / i times the product of 1 - R_j over the ranks j above,
    with R = (2^g - 1) / 2^G, g the grade (0 for unjudged documents and negative grades) and G
    ``maxgrade``, by default the highest grade of all topics of the qrels: state it beside the
    value. gdeval has G = 4. Range [0, 1); 0 for an empty list, without relevant documents and for
    G of 0. EvaluationError for grades above G. Chapelle, Metzler, Zhang and Grinspan, CIKM 2009.

    >>> from evaluation.data import Qrels, Run
    >>> from evaluation.effectiveness.joining import join
    >>> run = Run.of({"1": {"a": 3.0, "b": 2.0, "c": 1.0}})
    >>> expected_reciprocal_rank(join(run, Qrels.of({"1": {"a": 1, "c": 2}}))).tolist()
    [0.4375]
    """
    highest = joined.max_grade
    if maxgrade is not None and highest > maxgrade:
        raise EvaluationError(
            f"ERR(maxgrade={maxgrade}): the qrels hold the grade {highest:g}. Name that or a "
            "higher one."
        )
    top = max(0.0, highest) if maxgrade is None else float(maxgrade)
    grades = np.maximum(joined.grades, 0.0)
    stops = (np.exp2(grades) - 1.0) / np.exp2(top)
    reached = np.ones(len(stops))
    edges = np.searchsorted(joined.topic, np.arange(len(joined.topics) + 1)).tolist()
    for start, stop in pairwise(edges):
        # A topic that the run lacks has no rows.
        if stop > start:
            reached[start + 1 : stop] = np.cumprod(1.0 - stops[start : stop - 1])
    return joined.total(np.where(joined.within(cutoff), reached * stops / joined.rank, 0.0))
