"""Effectiveness of a run against judgments, one file a family of measures."""

from evaluation.effectiveness.joining import Joined, join
from evaluation.effectiveness.scoring import evaluate, residuals, score

__all__ = ["Joined", "evaluate", "join", "residuals", "score"]
