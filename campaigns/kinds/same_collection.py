"""Reproduction on the same collection: CENTRE calls it replicability, ACM reproducibility."""

from campaigns.kinds.base import Kind
from campaigns.models import Averaging, OrderBy, TaskKind

KIND = Kind(
    TaskKind.SAME_COLLECTION,
    "Reproduction on the same collection",
    "A baseline and an advanced run on the original's own topics and documents, "
    "set against the original pair.",
    is_pair=True,
    compares_rankings=True,
    averaging=Averaging.JUDGED_WITH_RELEVANT,
    order_by=OrderBy.RMSE,
    orders=tuple(OrderBy),
)
