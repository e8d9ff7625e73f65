"""The five kinds of task, one file each."""

from __future__ import annotations

from campaigns.kinds import new_collection, pool, ranking, reranking, same_collection
from campaigns.kinds.base import Kind, order_of
from campaigns.models import Task

KINDS: dict[str, Kind] = {
    module.KIND.name.value: module.KIND
    for module in (ranking, reranking, pool, same_collection, new_collection)
}


def of(task: Task) -> Kind:
    """The kind of a task."""
    return KINDS[task.kind]


__all__ = ["KINDS", "Kind", "of", "order_of"]
