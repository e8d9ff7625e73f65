"""Kendall's tau union and RBO of two runs of 50 x 1000, coding included, against repro_eval."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping

from numpy.typing import NDArray

from bench import inputs
from bench.processes import inside
from bench.samples import Promise, Report, alternate, close, faster
from evaluation import Run, read_run
from evaluation.alike import kendall_tau_union, rank_biased_overlap
from evaluation.matching import Matching

TAU, RBO = Promise(40, 100), Promise(50, 200)
P, DEPTH = 0.8, 1000


def alike(repeats: int) -> Report:
    """Both start from a run as their reader left it: ours from arrays, theirs from dicts.

    repro_eval's tau union is the form over the sorted union, its RBO the normalised one.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from repro_eval.measure import document_order as theirs
    except ImportError as missing:
        return Report((), (), (f"KTU and RBO were not measured: {missing}",))
    given = inputs.files("trec")
    one, two = read_run(given.run(0)).sound(), read_run(given.run(1)).sound()
    first, second = _dicts(one), _dicts(two)

    def tau() -> NDArray:
        return kendall_tau_union(Matching.of(one, two, one.topics), "sorted")

    def rbo() -> NDArray:
        matching = Matching.of(one, two, one.topics, DEPTH)
        return rank_biased_overlap(matching, p=P, variant="normalised", depth=DEPTH)

    def their_tau() -> Mapping[str, float]:
        return theirs.KTU(first, second, per_topic=True)

    def their_rbo() -> Mapping[str, float]:
        return theirs.RBO(first, second, p=P, depth=DEPTH, pbar=False, per_topic=True)

    sides, rows = [], []
    works: list[tuple[str, Callable[[], NDArray], Callable[[], Mapping[str, float]], Promise]]
    works = [("KTU", tau, their_tau, TAU), ("RBO", rbo, their_rbo, RBO)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, mine, other, promise in works:
            close(name, dict(zip(one.topics, mine().tolist(), strict=True)), dict(other()), 1e-9)
            names = f"{name}: evaluation", f"{name}: repro_eval"
            acts = dict(zip(names, (inside(mine), inside(other)), strict=True))
            both = [*alternate(acts, repeats).values()]
            sides += both
            rows.append(faster(f"{name}, 50 x 1000, repro_eval", *both, promise))
    return Report(tuple(sides), tuple(rows))


def _dicts(run: Run) -> dict[str, dict[str, float]]:
    found = {}
    for number, topic in enumerate(run.topics):
        scores = run.scores[run.starts[number] : run.starts[number + 1]].tolist()
        ids = [document.decode() for document in run.ranking(topic)]
        found[topic] = dict(zip(ids, scores, strict=True))
    return found
