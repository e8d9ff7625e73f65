"""Compares a submitted run or pair with the original."""

from __future__ import annotations

from collections.abc import Sequence

from campaigns.numerics.files import run_of
from campaigns.numerics.score import packed, unpacked
from campaigns.work import (
    ComparisonResult,
    DeviationInput,
    EffectInput,
    EffectResult,
    RankingInput,
    Scores,
)
from evaluation.comparison import compare_rankings, compare_scores, null
from evaluation.data import TopicScores
from evaluation.pairs import Pair, compare_pair_scores

UNDEFINED = "undefined"


def rankings(work: RankingInput) -> list[ComparisonResult]:
    """Tau in its forms, RBO, overlap and length; a topic the submitted run lacks never helps."""
    original = run_of(work.original, work.rules)
    topics = original.topics if work.topics is None else work.topics
    found = compare_rankings(
        original,
        run_of(work.submitted, work.rules),
        depth=work.depth,
        rbo_p=work.rbo_p,
        topics=topics,
    )
    results = []
    for name, digest in work.recipes.items():
        one = found[name]
        value = null(one.mean.value)
        results.append(
            ComparisonResult(
                digest,
                value,
                "" if value is not None else one.mean.reason or UNDEFINED,
                one.scores.topics,
                packed(one.scores),
                {"count": one.mean.count, **one.settings},
            )
        )
    return results


def deviation(work: DeviationInput) -> ComparisonResult:
    """RMSE as the value; the means, their difference and the t-test beside it."""
    found = compare_scores(
        unpacked(work.measure, work.original),
        unpacked(work.measure, work.submitted),
        work.topics,
        work.new_topics,
    )
    value = null(found.rmse)
    reason = "" if value is not None else found.reasons.get("rmse", UNDEFINED)
    return ComparisonResult(work.digest, value, reason, detail=found.to_json())


def _undefined_scores(scores: Sequence[Scores], measure: str) -> str:
    """Why a measure cannot be compared: a run whose scores by it were not given."""
    for one in scores:
        values: TopicScores = unpacked(measure, one)
        if len(values.values) and bool((values.values != values.values).all()):
            return f"no scores by {measure} for one of the runs"
    return ""


def effect(work: EffectInput) -> EffectResult:
    """ER, RI, ΔRI, region, and what belongs beside them."""
    members = (
        work.original_baseline,
        work.original_advanced,
        work.submitted_baseline,
        work.submitted_advanced,
    )
    missing = _undefined_scores(members, work.measure)
    if missing:
        reasons = dict.fromkeys(("effect_ratio", "delta_ri", "region"), missing)
        return EffectResult(work.digest, {}, reasons, [], {})
    b, a, b2, a2 = (unpacked(work.measure, one) for one in members)
    found = compare_pair_scores(Pair(b, a), Pair(b2, a2), work.topics, work.new_topics)
    detail = found.to_json()
    columns: dict[str, float | int | None] = {
        name: detail[name]
        for name in (
            "effect_ratio",
            "relative_improvement_original",
            "relative_improvement_submitted",
            "delta_ri",
            "region",
            "distance",
        )
    }
    columns |= {
        "original_effect": detail["original_effect"]["mean"],
        "submitted_effect": detail["submitted_effect"]["mean"],
        "original_effect_p": detail["original_effect"]["p_value"],
        "p_baseline": detail["p_value"]["baseline"],
        "p_advanced": detail["p_value"]["advanced"],
    }
    warnings = [{"kind": kind, "text": text} for kind, text in found.warnings.items()]
    return EffectResult(work.digest, columns, dict(found.effects.reasons), warnings, detail)
