"""Ad hoc ranking; monolingual ranking is the same over the human translation of the topics."""

from campaigns.kinds.base import Kind
from campaigns.models import TaskKind

KIND = Kind(
    TaskKind.RANKING,
    "Ranking",
    "A run ranks the documents of the collection for each topic.",
)
