"""Ranking of a pool: the candidates of a topic are given, their real-valued utility is secret."""

from campaigns.kinds.base import Kind
from campaigns.models import TaskKind

KIND = Kind(
    TaskKind.POOL,
    "Ranking of a pool",
    "A run ranks the given candidates of each topic; the gain of a candidate is its utility.",
    needs_pool=True,
    is_graded=False,
    default_measures=("nDCG(ideal='pool')@10",),
)
