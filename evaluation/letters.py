"""Letters of runs that cannot be told apart: randomised Tukey HSD over a fixed family.

The random permutations are frozen as the bootstrap is (``evaluation.resampling``), with
``centreboard-tukey-1`` as the first line of the key text. A permutation b takes the raw words of
the n topics in byte order of their ids, m words a topic for m runs: the words of a topic, put in
order, permute its scores, which are sorted before. So the result depends on the scores alone, not
on the order of the runs.
"""

from __future__ import annotations

import string
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.multiple import rounded_means, score_matrix
from evaluation.notation import RANK_DECIMALS
from evaluation.resampling import RESAMPLES, frozen_key

Floats = NDArray[np.float64]

ALPHA = 0.05

_AT_ONCE = 2_000_000
"""Words drawn at a time."""


@dataclass(frozen=True, slots=True)
class Tukey:
    """Means, p-values of all pairs and letters of a family of runs, in the order given.

    Runs that share a letter cannot be told apart; ``a`` holds the run with the highest mean.
    """

    means: tuple[float, ...]
    p_values: Floats
    letters: tuple[str, ...]
    permutations: int


def largest_gaps(scores: ArrayLike, key: int, permutations: int = RESAMPLES) -> Floats:
    """Largest difference of two run means after each permutation of the scores in each topic.

    max - min of the means over topics of m runs, at least 0.

    >>> largest_gaps([[0.25, 0.75]], key=1, permutations=3).tolist()
    [0.5, 0.5, 0.5]
    """
    ranked = np.sort(score_matrix(scores), axis=1)
    topics, runs = ranked.shape
    generator = np.random.Philox(key=key)
    rows = max(1, _AT_ONCE // ranked.size)
    gaps = []
    for start in range(0, permutations, rows):
        count = min(rows, permutations - start)
        totals = np.zeros((count, runs))
        words = generator.random_raw(count * ranked.size).reshape(count, topics, runs)
        order = np.argsort(words, axis=2, kind="stable")
        for topic in range(topics):
            totals += ranked[topic][order[:, topic, :]]
        gaps.append((totals.max(axis=1) - totals.min(axis=1)) / topics)
    return np.concatenate(gaps)


def tukey_letters(
    scores: ArrayLike,
    qrels_sha256: str,
    rule: str,
    permutations: int = RESAMPLES,
    alpha: float = ALPHA,
) -> Tukey:
    """Randomised Tukey HSD over a family of runs (columns) and topics (rows, in byte order).

    p of two runs = share of permutations whose largest gap between any two run means reaches
    theirs (to 12 decimals), so it holds for the family as a whole. Range [0, 1]; equal means give
    1, and so does a family of one run or with one topic at its widest gap. Letters: neighbours in
    the order of the means share one while p > alpha between the first and the last of them.
    Carterette, ACM TOIS 30(1), 2012; Sakai, Laboratory Experiments in Information Retrieval, 2018.

    >>> tukey_letters([[0.1, 0.9], [0.2, 0.8], [0.1, 0.7], [0.3, 0.9], [0.2, 0.9], [0.1, 0.8]],
    ...     "0" * 64, "judged", permutations=1000).letters
    ('b', 'a')
    """
    values = score_matrix(scores)
    key = frozen_key(qrels_sha256, rule, permutations, purpose="tukey")
    gaps = np.sort(largest_gaps(values, key, permutations).round(RANK_DECIMALS))
    means = rounded_means(values.T.tolist())
    between = np.abs(np.subtract.outer(means, means)).round(RANK_DECIMALS)
    reached = len(gaps) - np.searchsorted(gaps, between)
    p_values = reached / len(gaps)
    return Tukey(tuple(means), p_values, letters(means, p_values > alpha), permutations)


def letters(means: list[float], alike: NDArray[np.bool_]) -> tuple[str, ...]:
    """Compact letters of runs in the order given: one for each widest stretch of alike runs.

    ``alike`` says of two runs that they cannot be told apart; runs between two alike ones are
    alike too. The first stretch, with the highest mean, is ``a``; after ``z`` comes ``aa``.

    >>> letters([0.3, 0.5, 0.4], np.abs(np.subtract.outer([0.3, 0.5, 0.4], [0.3, 0.5, 0.4])) < 0.15)
    ('b', 'a', 'ab')
    """
    order = sorted(range(len(means)), key=lambda run: -means[run])
    held: list[list[str]] = [[] for _ in means]
    last_end = 0
    stretches = 0
    for start in range(len(order)):
        end = start + 1
        while end < len(order) and alike[order[start], order[end]]:
            end += 1
        if end > last_end:
            for run in order[start:end]:
                held[run].append(_letter(stretches))
            last_end, stretches = end, stretches + 1
    return tuple("".join(one) if stretches <= 26 else " ".join(one) for one in held)


def _letter(number: int) -> str:
    text = ""
    while number >= 0:
        number, place = divmod(number, 26)
        text, number = string.ascii_lowercase[place] + text, number - 1
    return text
