"""Measures of retrieval effectiveness and of reproducibility, and readers of TREC files.

Names are loaded when they are first used, so that ``import evaluation`` costs nothing and
brings no NumPy into a process that only wants measure names or message texts.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOMES = {
    "evaluation.errors": ("BadRules", "EvaluationError", "FileRejected", "Message"),
    "evaluation.rules": ("Budgets", "CheckRules"),
    "evaluation.data": ("Ids", "Qrels", "Run", "TopicScores"),
    "evaluation.trec": ("CheckedRun", "read_run"),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = sorted(_HOME_OF)


def __getattr__(name: str) -> Any:
    module = _HOME_OF.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(module), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
