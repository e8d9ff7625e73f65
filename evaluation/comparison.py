"""A submitted run or pair against the original: every measure of reproduction in one result."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation import alike, deviation
from evaluation.averaging import Mean, averaged_topics, mean
from evaluation.data import Qrels, Run, TopicScores, byte_order
from evaluation.effectiveness import evaluate
from evaluation.matching import Matching
from evaluation.notation import Measure, parse, parse_all
from evaluation.significance import UNDEFINED, TTest, paired_t, pooled_t

Json = dict[str, Any]

LACKS_TOPIC = "the submitted run lacks the topic"
LACKS_TOPICS = "the submitted run lacks topics of the task"
OTHER_COLLECTION = "defined on the same topics only"
NOT_BOUNDED = "the measure is not bounded by 1"
NO_TOPICS = "no topic to average over"

UNDEFINED_WHY = {
    "kendall_tau_union": "fewer than two documents to compare",
    "kendall_tau_union_sorted": "fewer than two documents to compare",
    "kendall_tau_union_tied_below": "an empty ranking, or nothing varies",
    "kendall_tau_intersection": "fewer than two shared documents",
    "rank_biased_overlap": "both rankings are empty",
    "overlap": "the original ranking is empty",
    "length_coverage": "the original ranking is empty",
}


def null(value: float) -> float | None:
    """A float for JSON: None where it is undefined."""
    return None if math.isnan(value) else float(value)


@dataclass(frozen=True, slots=True)
class RankingComparison:
    """One measure of how alike two runs order their documents, topic by topic and as a mean."""

    scores: TopicScores
    mean: Mean
    settings: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self, per_topic: bool = True) -> Json:
        """As ``compare --json`` writes it."""
        found: Json = {"mean": null(self.mean.value), **self.settings, "count": self.mean.count}
        if self.mean.reason is not None:
            found["reason"] = self.mean.reason
        if per_topic:
            values = self.scores.values.tolist()
            found["topics"] = dict(zip(self.scores.topics, map(null, values), strict=True))
            if self.scores.reasons:
                found["reasons"] = dict(self.scores.reasons)
        return found


@dataclass(frozen=True, slots=True)
class ScoreComparison:
    """One measure of effectiveness of two runs; NaN where undefined, with the reason by name."""

    measure: str
    arp_original: float
    arp_submitted: float
    delta_arp: float
    rmse: float
    nrmse: float
    test: TTest
    topics: int
    reasons: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> Json:
        """As ``compare --json`` writes it."""
        found: Json = {
            name: null(getattr(self, name))
            for name in ("arp_original", "arp_submitted", "delta_arp", "rmse", "nrmse")
        }
        found |= {"p_value": null(self.test.p_value), "t": null(self.test.t)}
        found |= {"p_value_rule": self.test.rule, "difference": null(self.test.difference)}
        return found | {"topics": self.topics, "reasons": dict(self.reasons)}


@dataclass(frozen=True, slots=True)
class RunComparison:
    """A submitted run against the original. ``topics`` are those whose rankings were compared."""

    topics: tuple[str, ...]
    only_in_original: tuple[str, ...]
    only_in_submitted: tuple[str, ...]
    rankings: Mapping[str, RankingComparison]
    measures: Mapping[str, ScoreComparison]
    warnings: Mapping[str, str] = field(default_factory=dict)

    def to_json(self, per_topic: bool = True) -> Json:
        """As ``compare --json`` writes it."""
        return {
            "topics": len(self.topics),
            "only_in_original": list(self.only_in_original),
            "only_in_submitted": list(self.only_in_submitted),
            **{name: found.to_json(per_topic) for name, found in self.rankings.items()},
            "measures": {name: found.to_json() for name, found in self.measures.items()},
            "warnings": dict(self.warnings),
        }


def compare_rankings(
    original: Run,
    submitted: Run,
    *,
    depth: int | None = None,
    rbo_p: float = 0.8,
    topics: Sequence[str] | None = None,
) -> dict[str, RankingComparison]:
    """Tau in its forms, RBO, overlap and length of two runs, over topics.

    Without ``topics`` the topics of both runs are compared, and undefined values are left out of
    a mean. With the ``topics`` of a task, one that the submitted run lacks counts 0 for RBO,
    overlap and length, and leaves the taus without a mean, so that leaving out topics never helps.
    """
    chosen = original.topics if topics is None else topics
    held, kept = set(submitted.topics), set(chosen)
    wanted = [name for name in original.topics if name in kept]
    lacking = [] if topics is None else [name for name in wanted if name not in held]
    compared = [name for name in wanted if topics is not None or name in held]
    matching = Matching.of(original, submitted, compared, depth)
    values = {
        name: dict(zip(compared, found.tolist(), strict=True))
        for name, found in _similarities(matching, depth, rbo_p).items()
    }
    for name in values:
        if name.startswith("kendall"):
            values[name] |= dict.fromkeys(lacking, math.nan)
    return {name: _ranking(name, found, lacking, rbo_p) for name, found in values.items()}


def _similarities(
    matching: Matching, depth: int | None, rbo_p: float
) -> dict[str, NDArray[np.float64]]:
    return {
        "kendall_tau_union": alike.kendall_tau_union(matching),
        "kendall_tau_union_sorted": alike.kendall_tau_union(matching, "sorted"),
        "kendall_tau_union_tied_below": alike.kendall_tau_union(matching, "tied_below"),
        "kendall_tau_intersection": alike.kendall_tau_intersection(matching),
        "rank_biased_overlap": alike.rank_biased_overlap(matching, p=rbo_p, depth=depth),
        "overlap": alike.overlap(matching),
        "length_coverage": alike.length_coverage(matching),
    }


def _ranking(
    name: str, values: Mapping[str, float], lacking: Sequence[str], rbo_p: float
) -> RankingComparison:
    why = {
        topic: LACKS_TOPIC if topic in lacking else UNDEFINED_WHY[name]
        for topic, value in values.items()
        if math.isnan(value)
    }
    bare = TopicScores.of(name, values)
    scores = TopicScores(name, bare.topics, bare.values, why)
    settings: Json = {}
    if name.startswith("kendall_tau_union"):
        settings["variant"] = name.removeprefix("kendall_tau_union").strip("_") or (
            "first_appearance"
        )
    if name == "rank_biased_overlap":
        settings = {"p": rbo_p, "variant": "ext"}
    if lacking and name.startswith("kendall"):
        return RankingComparison(scores, Mean(math.nan, 0, LACKS_TOPICS), settings)
    return RankingComparison(scores, mean(scores), settings)


def compare_scores(
    original: TopicScores,
    submitted: TopicScores,
    topics: Sequence[str],
    new_topics: Sequence[str] | None = None,
) -> ScoreComparison:
    """ARP, its difference, RMSE, nRMSE and t-test of one measure; a missing topic scores 0.

    ``new_topics`` are the submitted run's when it is on a new collection: then RMSE is undefined
    and the t-test is the pooled one instead of the paired.
    """
    first = original.over(topics)
    second = submitted.over(topics if new_topics is None else new_topics)
    is_same = new_topics is None
    is_bounded = _is_bounded(original.measure)
    test = paired_t(first, second) if is_same else pooled_t(first, second)
    rmse = deviation.rmse(first, second) if is_same else math.nan
    nrmse = deviation.nrmse(first, second) if is_same and is_bounded else math.nan
    found = ScoreComparison(
        measure=original.measure,
        arp_original=deviation.arp(first),
        arp_submitted=deviation.arp(second),
        delta_arp=deviation.delta_arp(first, second),
        rmse=rmse,
        nrmse=nrmse,
        test=test,
        topics=len(topics),
    )
    why = UNDEFINED if first.size and second.size else NO_TOPICS
    return replace(found, reasons=_reasons(found, why, is_same))


def _reasons(found: ScoreComparison, why: str, is_same: bool) -> dict[str, str]:
    names = ("arp_original", "arp_submitted", "delta_arp")
    reasons = {name: why for name in names if math.isnan(getattr(found, name))}
    if math.isnan(found.rmse):
        reasons |= dict.fromkeys(("rmse", "nrmse"), why if is_same else OTHER_COLLECTION)
    elif math.isnan(found.nrmse):
        reasons["nrmse"] = NOT_BOUNDED
    if found.test.reason is not None:
        reasons["p_value"] = found.test.reason
    if math.isnan(found.test.t):
        reasons["t"] = found.test.reason or found.test.rule.replace("_", " ")
    return reasons


def _is_bounded(measure: str) -> bool:
    try:
        return parse(measure).is_bounded_by_one
    except ValueError:
        # A published series of scores may be of a measure that is not computed here.
        return False


def compare(
    original: Run,
    submitted: Run,
    qrels: Qrels | None = None,
    measures: Iterable[str | Measure] = (),
    *,
    depth: int | None = None,
    rbo_p: float = 0.8,
    rule: str = "judged",
    topics: Sequence[str] | None = None,
) -> RunComparison:
    """A submitted run against the original on the same collection.

    ``depth`` cuts the rankings before they are compared, not the measures of effectiveness.
    ``topics`` are those of a task; see ``compare_rankings`` for what a missing one then counts.

    >>> first = Run.of({"1": {"a": 3.0, "b": 2.0, "c": 1.0}})
    >>> second = Run.of({"1": {"a": 3.0, "c": 2.0, "b": 1.0}})
    >>> found = compare(first, second, Qrels.of({"1": {"b": 1}}), ["RR"])
    >>> round(found.rankings["kendall_tau_union"].mean.value, 4)
    0.3333
    >>> round(found.measures["RR"].rmse, 4)
    0.1667
    """
    rankings = compare_rankings(original, submitted, depth=depth, rbo_p=rbo_p, topics=topics)
    scored: dict[str, ScoreComparison] = {}
    if qrels is not None:
        chosen = averaged_topics(rule, qrels, (original, submitted), topics=topics)
        wanted = parse_all(measures)
        first = evaluate(original, qrels, wanted, topics=chosen)
        second = evaluate(submitted, qrels, wanted, topics=chosen)
        scored = {name: compare_scores(first[name], second[name], chosen) for name in first}
    here, there = set(original.topics), set(submitted.topics)
    return RunComparison(
        topics=rankings["overlap"].scores.topics,
        only_in_original=tuple(sorted(here - there, key=byte_order)),
        only_in_submitted=tuple(sorted(there - here, key=byte_order)),
        rankings=rankings,
        measures=scored,
        warnings=_warnings(rankings),
    )


def _warnings(rankings: Mapping[str, RankingComparison]) -> dict[str, str]:
    warnings: dict[str, str] = {}
    shared, covered = rankings["overlap"].mean.value, rankings["length_coverage"].mean.value
    if shared < 0.5:
        warnings["little_overlap"] = (
            "Fewer than half of the original's documents are shared: the union forms of tau say "
            "little here."
        )
    if covered < 1.0:
        warnings["shorter_lists"] = (
            "Some lists are shorter than the original's: the union forms of tau compare the "
            "common length only."
        )
    return warnings
