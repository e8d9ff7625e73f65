"""Reranking: only documents of the given initial run may be ranked."""

from campaigns.kinds.base import Kind
from campaigns.models import TaskKind

KIND = Kind(
    TaskKind.RERANKING,
    "Reranking",
    "A run reorders the documents of the given initial run, and holds no others.",
    needs_initial_run=True,
)
