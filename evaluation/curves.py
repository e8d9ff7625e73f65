"""How alike two runs are at several cut-offs: curves of tau, RBO and RMSE."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.averaging import Mean, averaged_topics
from evaluation.comparison import compare_rankings
from evaluation.data import Qrels, Run
from evaluation.deviation import rmse
from evaluation.effectiveness import evaluate
from evaluation.notation import parse

CUTOFFS = (5, 10, 20, 50, 100, 1000)


@dataclass(frozen=True, slots=True)
class CutoffPoint:
    """Similarity of two runs at one cut-off: means over topics, and RMSE of a measure at it.

    ``rankings`` holds the means of ``compare_rankings`` by name: all forms of tau, RBO, overlap.
    ``rmse`` is None without judgments, NaN without topics to average over.
    """

    cutoff: int
    rankings: dict[str, Mean]
    rmse: float | None = None


def cutoff_curve(
    original: Run,
    submitted: Run,
    qrels: Qrels | None = None,
    measure: str = "nDCG",
    *,
    cutoffs: Sequence[int] = CUTOFFS,
    rbo_p: float = 0.8,
    rule: str = "judged",
    topics: Sequence[str] | None = None,
) -> tuple[CutoffPoint, ...]:
    """Tau, RBO and RMSE of a submitted run against the original at each cut-off.

    Both rankings are cut at k before they are compared; ``measure`` is the name of one that takes
    a cut-off, and is scored at k. Ranges, missing topics and undefined values as in
    ``compare_rankings`` and ``rmse``. UnknownMeasureError for a
    measure without cut-off. Breuer et al., SIGIR 2020.

    >>> first = Run.of({"1": {"a": 3.0, "b": 2.0, "c": 1.0}})
    >>> second = Run.of({"1": {"a": 3.0, "c": 2.0, "b": 1.0}})
    >>> curve = cutoff_curve(first, second, Qrels.of({"1": {"b": 1}}), "P", cutoffs=(2, 3))
    >>> [(point.cutoff, point.rmse) for point in curve]
    [(2, 0.5), (3, 0.0)]
    >>> [round(point.rankings["kendall_tau_union"].value, 4) for point in curve]
    [1.0, 0.3333]
    """
    wrong = [cutoff for cutoff in cutoffs if cutoff < 1]
    if wrong:
        raise ValueError(f"A cut-off is 1 or more, not {wrong[0]}.")
    errors: dict[int, float | None] = dict.fromkeys(cutoffs)
    if qrels is not None:
        errors |= _errors(original, submitted, qrels, measure, cutoffs, rule, topics)
    points = []
    for cutoff in cutoffs:
        found = compare_rankings(original, submitted, depth=cutoff, rbo_p=rbo_p, topics=topics)
        means = {name: one.mean for name, one in found.items()}
        points.append(CutoffPoint(cutoff, means, errors[cutoff]))
    return tuple(points)


def _errors(
    original: Run,
    submitted: Run,
    qrels: Qrels,
    measure: str,
    cutoffs: Sequence[int],
    rule: str,
    topics: Sequence[str] | None,
) -> dict[int, float]:
    names = {cutoff: parse(f"{measure}@{cutoff}").name for cutoff in cutoffs}
    chosen = averaged_topics(rule, qrels, (original, submitted), topics=topics)
    first = evaluate(original, qrels, names.values(), topics=chosen)
    second = evaluate(submitted, qrels, names.values(), topics=chosen)
    return {
        cutoff: rmse(first[name].over(chosen), second[name].over(chosen))
        for cutoff, name in names.items()
    }
