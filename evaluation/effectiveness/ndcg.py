"""Normalised discounted cumulative gain, with linear or exponential gain and three ideals."""

from __future__ import annotations

from typing import Literal

import numpy as np

from evaluation.effectiveness.joining import Floats, Integers, Joined, divide, positions, sums

Gain = Literal["log2", "exp-log2"]
Ideal = Literal["judged", "pool", "run"]


def ndcg(
    joined: Joined,
    cutoff: int | None = None,
    dcg: Gain = "log2",
    ideal: Ideal = "judged",
    clip: float | None = 0,
) -> Floats:
    """DCG at the cutoff divided by the DCG of the best possible ranking, for each topic.

    nDCG@k = DCG@k / IDCG@k with DCG@k = sum over ranks i <= k of g_i / log2(i + 1). The gain g is
    the grade (``dcg='log2'``, trec_eval's ndcg_cut) or 2^grade - 1 (``'exp-log2'``); values below
    ``clip`` count as ``clip``, ``clip=None`` takes them as they are. The ideal is the best k of
    all judged documents (``'judged'``), of all candidates (``'pool'``, the same sum over a pool's
    utilities), or of the submitted list's own values, beyond rank k too (``'run'``).
    Unjudged documents gain 0. Range [0, 1] when clipped. An ideal of 0 or less gives 0, an empty
    list 0. Järvelin and Kekäläinen, ACM TOIS 20(4), 2002.

    >>> from evaluation.data import Qrels, Run
    >>> from evaluation.effectiveness.joining import join
    >>> run = Run.of({"1": {"a": 3.0, "b": 2.0, "c": 1.0}})
    >>> qrels = Qrels.of({"1": {"b": 2, "c": 1, "a": 0}})
    >>> ndcg(join(run, qrels), 2).round(4).tolist()
    [0.4796]
    """
    gains = _gain(joined.grades, dcg, clip)
    if ideal == "run":
        owner, pool = joined.topic, gains
    else:
        owner, pool = joined.judged_topic, _gain(joined.judged, dcg, clip)
    if not (pool < 0).any():
        # What gains nothing stands last.
        owner, pool = owner[pool > 0], pool[pool > 0]
    best = np.lexsort((-pool, owner))
    owner, pool = owner[best], pool[best]
    place = positions(owner)
    if ideal == "run":
        # Unjudged documents gain 0 and stand above those that lose something.
        held = np.bincount(joined.topic, minlength=len(joined.topics))
        place += np.where(pool < 0, (joined.lengths - held)[owner], 0)
    number = len(joined.topics)
    return divide(
        _discounted(joined.topic, joined.rank, gains, cutoff, number),
        _discounted(owner, place, pool, cutoff, number),
    )


def _gain(grades: Floats, dcg: Gain, clip: float | None) -> Floats:
    kept = grades if clip is None else np.maximum(grades, clip)
    return kept if dcg == "log2" else np.exp2(kept) - 1.0


def _discounted(
    topic: Integers, rank: Integers, gains: Floats, cutoff: int | None, number: int
) -> Floats:
    weights = gains / np.log2(rank + 1.0)
    if cutoff is not None:
        weights = np.where(rank <= cutoff, weights, 0.0)
    return sums(topic, weights, number)
