"""Topics of a task and the stored orders that arrays of topic values are aligned to."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable

from campaigns.models import Averaging, Collection, Qrels, Run, Task, Topic, TopicOrder
from campaigns.models.run import Origin


def collection_of(run: Run) -> Collection:
    """Where a run's documents come from: an original of a new-collection task has its own."""
    task = run.task
    if run.origin == Origin.ORIGINAL and task.original_collection is not None:
        return task.original_collection
    return task.collection


def topics_of(collection: Collection) -> tuple[str, ...] | None:
    """Topic ids of a collection in byte order; None when it came without topics."""
    if not collection.has_topic_file:
        return None
    return tuple(
        Topic.objects.filter(collection=collection)
        .order_by("position")
        .values_list("identifier", flat=True)
    )


def topic_order(topics: Iterable[str]) -> TopicOrder:
    """The stored row of a list of topics."""
    listed = list(topics)
    digest = hashlib.sha256(json.dumps(listed, ensure_ascii=False).encode()).hexdigest()
    row, _ = TopicOrder.objects.get_or_create(
        digest=digest, defaults={"topics": listed, "count": len(listed)}
    )
    return row


def averaged(task: Task, qrels: Qrels) -> tuple[str, ...]:
    """Topics that means of a task are over under these qrels, in byte order."""
    if qrels.topic_order is None:
        return ()
    judged = qrels.topic_order.topics
    of_task = topics_of(qrels.collection)
    kept = set(judged if of_task is None else of_task)
    if task.topics_averaged == Averaging.JUDGED_WITH_RELEVANT:
        kept -= set(qrels.topics_without_relevant)
    return tuple(topic for topic in judged if topic in kept)
