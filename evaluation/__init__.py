"""Measures of retrieval effectiveness and of reproducibility, and readers of TREC files.

Names are loaded when they are first used, so that ``import evaluation`` costs nothing and
brings no NumPy into a process that only wants measure names or message texts.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evaluation.agreement import agreement_matrix
    from evaluation.averaging import averaged_topics, mean
    from evaluation.comparison import compare
    from evaluation.curves import cutoff_curve
    from evaluation.data import Ids, Qrels, Run, TopicScores
    from evaluation.deviation import arp, delta_arp, nrmse, rmse
    from evaluation.effectiveness import evaluate, residuals
    from evaluation.effects import delta_ri, distance, effect_ratio, relative_improvement
    from evaluation.errors import BadRules, EvaluationError, FileRejected, Message
    from evaluation.intervals import (
        delta_ri_interval,
        effect_ratio_interval,
        percentile_interval,
        relative_improvement_interval,
        rmse_interval,
        similarity_interval,
    )
    from evaluation.judgments import CheckedQrels, read_pool, read_qrels
    from evaluation.letters import tukey_letters
    from evaluation.multiple import against_baseline, against_best, all_pairs_t, holm
    from evaluation.notation import parse as parse_measure
    from evaluation.ordering import (
        kendall_tau_intersection,
        kendall_tau_union,
        length_coverage,
        overlap,
        rank_biased_overlap,
    )
    from evaluation.others import evaluate_others
    from evaluation.pairs import Pair, compare_pairs
    from evaluation.published import CheckedScores, read_topic_scores
    from evaluation.resampling import Resampling
    from evaluation.rules import Budgets, CheckRules
    from evaluation.significance import (
        difference_interval,
        mean_interval,
        paired_t,
        pooled_t,
        welch_t,
    )
    from evaluation.topics import CheckedIds, CheckedTopics, read_document_ids, read_topics
    from evaluation.trec import CheckedRun, read_run

__all__ = [
    "BadRules",
    "Budgets",
    "CheckRules",
    "CheckedIds",
    "CheckedQrels",
    "CheckedRun",
    "CheckedScores",
    "CheckedTopics",
    "EvaluationError",
    "FileRejected",
    "Ids",
    "Message",
    "Pair",
    "Qrels",
    "Resampling",
    "Run",
    "TopicScores",
    "against_baseline",
    "against_best",
    "agreement_matrix",
    "all_pairs_t",
    "arp",
    "averaged_topics",
    "compare",
    "compare_pairs",
    "cutoff_curve",
    "delta_arp",
    "delta_ri",
    "delta_ri_interval",
    "difference_interval",
    "distance",
    "effect_ratio",
    "effect_ratio_interval",
    "evaluate",
    "evaluate_others",
    "holm",
    "kendall_tau_intersection",
    "kendall_tau_union",
    "length_coverage",
    "mean",
    "mean_interval",
    "nrmse",
    "overlap",
    "paired_t",
    "parse_measure",
    "percentile_interval",
    "pooled_t",
    "rank_biased_overlap",
    "read_document_ids",
    "read_pool",
    "read_qrels",
    "read_run",
    "read_topic_scores",
    "read_topics",
    "relative_improvement",
    "relative_improvement_interval",
    "residuals",
    "rmse",
    "rmse_interval",
    "similarity_interval",
    "tukey_letters",
    "welch_t",
]

_HOMES = {
    "agreement": ("agreement_matrix",),
    "averaging": (
        "averaged_topics",
        "mean",
    ),
    "comparison": ("compare",),
    "curves": ("cutoff_curve",),
    "data": (
        "Ids",
        "Qrels",
        "Run",
        "TopicScores",
    ),
    "deviation": (
        "arp",
        "delta_arp",
        "nrmse",
        "rmse",
    ),
    "effectiveness": (
        "evaluate",
        "residuals",
    ),
    "effects": (
        "delta_ri",
        "distance",
        "effect_ratio",
        "relative_improvement",
    ),
    "errors": (
        "BadRules",
        "EvaluationError",
        "FileRejected",
        "Message",
    ),
    "intervals": (
        "delta_ri_interval",
        "effect_ratio_interval",
        "percentile_interval",
        "relative_improvement_interval",
        "rmse_interval",
        "similarity_interval",
    ),
    "judgments": (
        "CheckedQrels",
        "read_pool",
        "read_qrels",
    ),
    "letters": ("tukey_letters",),
    "multiple": (
        "against_baseline",
        "against_best",
        "all_pairs_t",
        "holm",
    ),
    "notation": ("parse_measure",),
    "ordering": (
        "kendall_tau_intersection",
        "kendall_tau_union",
        "length_coverage",
        "overlap",
        "rank_biased_overlap",
    ),
    "others": ("evaluate_others",),
    "pairs": (
        "Pair",
        "compare_pairs",
    ),
    "published": (
        "CheckedScores",
        "read_topic_scores",
    ),
    "resampling": ("Resampling",),
    "rules": (
        "Budgets",
        "CheckRules",
    ),
    "significance": (
        "difference_interval",
        "mean_interval",
        "paired_t",
        "pooled_t",
        "welch_t",
    ),
    "topics": (
        "CheckedIds",
        "CheckedTopics",
        "read_document_ids",
        "read_topics",
    ),
    "trec": (
        "CheckedRun",
        "read_run",
    ),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
_NAMES_AT_HOME = {"parse_measure": "parse"}


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{home}"), _NAMES_AT_HOME.get(name, name))
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
