"""Binary preference."""

from __future__ import annotations

import numpy as np

from evaluation.effectiveness.joining import Floats, Joined, divide


def bpref(joined: Joined, rel: float = 1) -> Floats:
    """How rarely judged non-relevant documents stand above relevant ones.

    Bpref = (1/R) sum over relevant retrieved documents of 1 - min(n, R) / min(N, R), with n the
    judged non-relevant documents (0 <= grade < rel) above it and N all of them; a term is 1 where
    n = 0. Range [0, 1]; 0 for R = 0 and for an empty list. Unjudged documents and negative grades
    are skipped. Buckley and Voorhees, SIGIR 2004; as trec_eval's bpref.

    >>> from evaluation.data import Qrels, Run
    >>> from evaluation.effectiveness.joining import join
    >>> run = Run.of({"1": {"a": 4.0, "x": 3.0, "b": 2.0, "c": 1.0}})
    >>> bpref(join(run, Qrels.of({"1": {"a": 1, "b": 0, "c": 1}}))).tolist()
    [0.5]
    """
    number = len(joined.topics)
    wanted = joined.relevant(rel)
    rejected = (joined.judged >= 0) & (joined.judged < rel)
    others = np.bincount(joined.judged_topic[rejected], minlength=number)
    above = joined.running((joined.grades >= 0) & (joined.grades < rel))
    bound = wanted[joined.topic]
    penalty = divide(np.minimum(above, bound), np.minimum(others[joined.topic], bound))
    return divide(joined.total(np.where(joined.is_relevant(rel), 1.0 - penalty, 0.0)), wanted)
