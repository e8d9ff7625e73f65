"""Measures of retrieval effectiveness and of reproducibility, and readers of TREC files.

Names are loaded when they are first used, so that ``import evaluation`` costs nothing and
brings no NumPy into a process that only wants measure names or message texts.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evaluation.comparison import compare
    from evaluation.data import Ids, Qrels, Run, TopicScores
    from evaluation.effectiveness import evaluate
    from evaluation.errors import BadRules, EvaluationError, FileRejected, Message
    from evaluation.judgments import CheckedQrels, read_pool, read_qrels
    from evaluation.notation import parse as parse_measure
    from evaluation.pairs import compare_pairs
    from evaluation.published import CheckedScores, read_topic_scores
    from evaluation.rules import Budgets, CheckRules
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
    "Qrels",
    "Run",
    "TopicScores",
    "compare",
    "compare_pairs",
    "evaluate",
    "parse_measure",
    "read_document_ids",
    "read_pool",
    "read_qrels",
    "read_run",
    "read_topic_scores",
    "read_topics",
]

_HOMES = {
    "comparison": ("compare",),
    "data": ("Ids", "Qrels", "Run", "TopicScores"),
    "effectiveness": ("evaluate",),
    "errors": ("BadRules", "EvaluationError", "FileRejected", "Message"),
    "judgments": ("CheckedQrels", "read_pool", "read_qrels"),
    "notation": ("parse_measure",),
    "pairs": ("compare_pairs",),
    "published": ("CheckedScores", "read_topic_scores"),
    "rules": ("Budgets", "CheckRules"),
    "topics": ("CheckedIds", "CheckedTopics", "read_document_ids", "read_topics"),
    "trec": ("CheckedRun", "read_run"),
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
