"""The bootstrap of a whole board and the t-tests of all its pairs, against loops over SciPy."""

from __future__ import annotations

import hashlib
from itertools import combinations, count

import numpy as np
from scipy import stats

from bench.processes import inside
from bench.samples import Promise, Report, alternate, close, faster
from evaluation.intervals import percentile_interval
from evaluation.multiple import all_pairs_t
from evaluation.resampling import Resampling

RUNS, TOPICS, RESAMPLES, PAIRED = 300, 50, 10_000, 100
BOOTSTRAP, PAIRS = Promise(10, 25), Promise(200, 500)
NOISE = 0.01
"""Limits of two bootstraps that draw differently, for scores of this spread."""


def bootstrap(repeats: int) -> Report:
    """Percentile intervals of 300 runs x 50 topics x 10,000 resamples, the drawing included."""
    scores = np.random.default_rng(0).random((TOPICS, RUNS))
    # Other judgments each time, so that no drawing is remembered.
    digests = (hashlib.sha256(str(number).encode()).hexdigest() for number in count())

    def ours() -> list[float]:
        means = Resampling(next(digests), "judged", TOPICS, RESAMPLES).means(scores)
        found = [percentile_interval(column) for column in means.T]
        return [limit for one in found for limit in (one.low, one.high)]

    def theirs() -> list[float]:
        limits = []
        for column in scores.T:
            found = stats.bootstrap(
                (column,), np.mean, n_resamples=RESAMPLES, method="percentile", rng=1
            )
            limits += [found.confidence_interval.low, found.confidence_interval.high]
        return limits

    close("bootstrap", dict(enumerate(ours())), dict(enumerate(theirs())), NOISE)
    _drawn_again(scores, next(digests))
    sides = {"bootstrap: evaluation": inside(ours), "bootstrap: scipy": inside(theirs)}
    both = [*alternate(sides, repeats).values()]
    rows = (faster("bootstrap, 300 runs x 50 x 10,000, scipy loop", *both, BOOTSTRAP),)
    return Report(tuple(both), rows)


def _drawn_again(scores: np.ndarray, digest: str) -> None:
    """The matrix product must give what drawing topic by topic gives."""
    drawn = Resampling(digest, "judged", TOPICS, RESAMPLES)
    plain = scores[:, :5][drawn.indices()].mean(axis=1)
    found = drawn.means(scores)[:, :5]
    close("means", dict(enumerate(found.ravel())), dict(enumerate(plain.ravel())), 1e-12)


def pairs(repeats: int) -> Report:
    """Paired t-tests of all 4,950 pairs of 100 runs over 50 topics."""
    scores = np.random.default_rng(1).random((TOPICS, PAIRED))

    def ours() -> np.ndarray:
        return all_pairs_t(scores).p_values

    def theirs() -> dict[object, float]:
        return {
            (i, j): float(stats.ttest_rel(scores[:, i], scores[:, j]).pvalue)
            for i, j in combinations(range(PAIRED), 2)
        }

    found = ours()
    upper: dict[object, float] = {
        (i, j): float(found[i, j]) for i, j in combinations(range(PAIRED), 2)
    }
    close("p-values", upper, theirs(), 1e-9)
    sides = {"all pairs: evaluation": inside(ours), "all pairs: scipy": inside(theirs)}
    both = [*alternate(sides, repeats).values()]
    return Report(tuple(both), (faster("all pairs of 100 runs, scipy loop", *both, PAIRS),))
