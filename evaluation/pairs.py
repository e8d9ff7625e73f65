"""A submitted pair against the original pair: effects with the deviation of both runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from evaluation.averaging import averaged_topics
from evaluation.comparison import Json, ScoreComparison, compare_scores, null
from evaluation.data import Qrels, Run, TopicScores
from evaluation.effectiveness import evaluate
from evaluation.effects import Effect, Effects, effects
from evaluation.notation import RANK_DECIMALS, Measure, parse_all

Member = TypeVar("Member")

ORDERS = ("rmse", "distance", "effect_ratio", "delta_ri", "arp")
"""What pairs can be put in order by from scores alone; smaller is better for all."""


@dataclass(frozen=True, slots=True)
class Pair(Generic[Member]):
    """A baseline and an advanced member: two runs, or their scores by one measure."""

    baseline: Member
    advanced: Member


@dataclass(frozen=True, slots=True)
class PairComparison:
    """A submitted pair against the original by one measure.

    ``baseline`` and ``advanced`` compare b' with b and a' with a. ``shared_topics`` counts the
    topics that a new collection has in common with the original one.
    """

    measure: str
    effects: Effects
    baseline: ScoreComparison
    advanced: ScoreComparison
    is_same_collection: bool
    shared_topics: int = 0
    warnings: Mapping[str, str] = field(default_factory=dict)

    def order_key(self, order_by: str) -> float:
        """What pairs are put in order by, smaller is better; NaN where it is undefined.

        ``rmse``: mean of both RMSE; ``distance``: to ER 1 and ΔRI 0; ``effect_ratio``: |1 - ER|;
        ``delta_ri``: |ΔRI|; ``arp``: mean of both delta ARP. Rounded to 12 decimals, so that
        rounding noise ties.
        """
        if order_by not in ORDERS:
            raise ValueError(f"Unknown order {order_by!r}. Accepted: {', '.join(ORDERS)}.")
        keys = {
            "rmse": (self.baseline.rmse + self.advanced.rmse) / 2,
            "distance": self.effects.distance,
            "effect_ratio": abs(1 - self.effects.effect_ratio),
            "delta_ri": abs(self.effects.delta_ri),
            "arp": (self.baseline.delta_arp + self.advanced.delta_arp) / 2,
        }
        return round(keys[order_by], RANK_DECIMALS)

    def to_json(self) -> Json:
        """As ``effects --json`` writes it."""
        found = self.effects
        values: Json = {
            name: null(getattr(found, name))
            for name in (
                "effect_ratio",
                "relative_improvement_original",
                "relative_improvement_submitted",
                "delta_ri",
                "distance",
            )
        }
        return values | {
            "region": found.region,
            "reasons": dict(found.reasons),
            "warnings": dict(self.warnings),
            "original_effect": _effect_json(found.original_effect),
            "submitted_effect": _effect_json(found.submitted_effect),
            "p_value": self._both(lambda run: run.test.p_value),
            "p_value_test": "paired" if self.is_same_collection else "pooled",
            "rmse": self._both(lambda run: run.rmse),
            "delta_arp": self._both(lambda run: run.delta_arp),
            "arp_original": self._both(lambda run: run.arp_original),
            "arp_submitted": self._both(lambda run: run.arp_submitted),
        }

    def _both(self, value: Any) -> Json:
        return {
            "baseline": null(value(self.baseline)),
            "advanced": null(value(self.advanced)),
        }


def _effect_json(effect: Effect) -> Json:
    found: Json = {"mean": null(effect.mean), "p_value": null(effect.test.p_value)}
    found["interval"] = None if effect.interval is None else list(effect.interval)
    if effect.test.reason is not None:
        found["reason"] = effect.test.reason
    return found


def compare_pair_scores(
    original: Pair[TopicScores],
    submitted: Pair[TopicScores],
    topics: Sequence[str],
    new_topics: Sequence[str] | None = None,
) -> PairComparison:
    """Effects of a submitted pair by one measure; a missing topic scores 0.

    ``new_topics`` are the submitted pair's when it is on a new collection.

    >>> first = Pair(TopicScores.of("AP", {"1": 0.2}), TopicScores.of("AP", {"1": 0.4}))
    >>> second = Pair(TopicScores.of("AP", {"1": 0.2}), TopicScores.of("AP", {"1": 0.3}))
    >>> round(compare_pair_scores(first, second, ["1"]).effects.effect_ratio, 4)
    0.5
    """
    theirs = topics if new_topics is None else new_topics
    found = effects(
        original.baseline.over(topics),
        original.advanced.over(topics),
        submitted.baseline.over(theirs),
        submitted.advanced.over(theirs),
    )
    shared = 0 if new_topics is None else len(set(topics) & set(new_topics))
    warnings = dict(found.warnings)
    if shared:
        warnings["shared_topics"] = (
            f"The collections share {shared} topics, so the unpaired t-test treats samples as "
            "independent that are not."
        )
    return PairComparison(
        measure=original.baseline.measure,
        effects=found,
        baseline=compare_scores(original.baseline, submitted.baseline, topics, new_topics),
        advanced=compare_scores(original.advanced, submitted.advanced, topics, new_topics),
        is_same_collection=new_topics is None,
        shared_topics=shared,
        warnings=warnings,
    )


def compare_pairs(
    original: Pair[Run],
    submitted: Pair[Run],
    qrels: Qrels,
    measures: Iterable[str | Measure],
    *,
    new_qrels: Qrels | None = None,
    rule: str = "judged",
    topics: Sequence[str] | None = None,
    new_topics: Sequence[str] | None = None,
) -> dict[str, PairComparison]:
    """Effects of a submitted pair of runs, by canonical measure name.

    With ``new_qrels`` the submitted pair is on a new collection. ``topics`` and ``new_topics``
    restrict the judged topics of either collection to those of the task.
    """
    wanted = parse_all(measures)
    first, second = (original.baseline, original.advanced), (submitted.baseline, submitted.advanced)
    if new_qrels is None:
        chosen = averaged_topics(rule, qrels, (*first, *second), topics=topics)
        theirs = None
    else:
        chosen = averaged_topics(rule, qrels, first, topics=topics)
        theirs = averaged_topics(rule, new_qrels, second, topics=new_topics)
    old = [evaluate(run, qrels, wanted, topics=chosen) for run in first]
    judgments = qrels if new_qrels is None else new_qrels
    new = [
        evaluate(run, judgments, wanted, topics=chosen if theirs is None else theirs)
        for run in second
    ]
    return {
        name: compare_pair_scores(
            Pair(old[0][name], old[1][name]), Pair(new[0][name], new[1][name]), chosen, theirs
        )
        for name in (measure.name for measure in wanted)
    }
