"""Reproduction on a new collection: CENTRE calls it reproducibility, ACM replicability."""

from campaigns.kinds.base import Kind
from campaigns.models import Averaging, OrderBy, TaskKind

KIND = Kind(
    TaskKind.NEW_COLLECTION,
    "Reproduction on a new collection",
    "A baseline and an advanced run on another collection; each side is scored on its own "
    "qrels, and the effects are compared.",
    is_pair=True,
    needs_original_collection=True,
    averaging=Averaging.JUDGED_WITH_RELEVANT,
    order_by=OrderBy.DISTANCE,
    orders=(OrderBy.DISTANCE, OrderBy.EFFECT_RATIO, OrderBy.DELTA_RI, OrderBy.ARP),
)
