"""Qrels arrive, are published, and start the scoring of every accepted run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.db.models import Max, Q
from django.utils import timezone

from campaigns import kinds, recipes
from campaigns.models import (
    Collection,
    FilePurpose,
    JobKind,
    Qrels,
    QrelsState,
    Queue,
    Run,
    RunState,
    StoredFile,
    Task,
    User,
)
from campaigns.services import jobs
from campaigns.services.boards import open_boards
from campaigns.services.checks import lock_task, newest_qrels
from campaigns.services.events import audit
from campaigns.services.refusals import RefusalError
from campaigns.services.task_topics import collection_of, topic_order
from campaigns.services.uploads import Received


def add_qrels(
    collection: Collection,
    received: Received,
    facts: dict[str, Any],
    user: User | None,
    *,
    task: Task | None = None,
    changelog: str = "",
) -> Qrels:
    """Store a new version as a draft. ``facts`` is what ``numerics.qrels_facts`` found in it."""
    with transaction.atomic():
        stored = received.row(FilePurpose.POOL if task else FilePurpose.QRELS)
        stored.save(force_insert=True)
        return draft_qrels(collection, stored, facts, user, task=task, changelog=changelog)


def draft_qrels(
    collection: Collection,
    stored: StoredFile,
    facts: dict[str, Any],
    user: User | None,
    *,
    task: Task | None = None,
    changelog: str = "",
) -> Qrels:
    """A new version of a file that is stored already; inside a transaction."""
    Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)
    versions = Qrels.objects.filter(collection=collection, task=task)
    last = versions.aggregate(last=Max("number"))["last"]
    qrels = Qrels.objects.create(
        collection=collection,
        task=task,
        number=(last or 0) + 1,
        state=QrelsState.REFUSED if facts["outcome"] == "rejected" else QrelsState.DRAFT,
        file=stored,
        is_graded=task is None,
        topic_order=topic_order(facts["topics"]) if facts["topics"] else None,
        judgments=facts["judgments"],
        relevant=facts["relevant"],
        topics_without_relevant=facts["topics_without_relevant"],
        grades=facts["grades"],
        messages=facts["messages"],
        changelog=changelog,
        uploaded_by=user,
    )
    audit(collection.campaign, user, "upload qrels", f"{collection.slug} {qrels}")
    return qrels


def tasks_using(qrels: Qrels) -> Iterable[Task]:
    """Tasks that are scored under a version, as its own or as the originals'."""
    if qrels.task is not None:
        return [qrels.task]
    tasks = Task.objects.filter(
        Q(collection=qrels.collection) | Q(original_collection=qrels.collection),
        deleted_at__isnull=True,
    ).select_related("campaign", "collection", "original_collection")
    return [task for task in tasks if kinds.of(task).is_graded]


def evaluation_set(task: Task) -> tuple[Qrels, Qrels | None] | None:
    """The newest qrels a task is scored under: its own, and the originals' on a new collection."""
    pool_task = task if kinds.of(task).needs_pool else None
    qrels = newest_qrels(task.collection, pool_task)
    if qrels is None:
        return None
    if task.original_collection is None:
        return qrels, None
    original_qrels = newest_qrels(task.original_collection)
    return None if original_qrels is None else (qrels, original_qrels)


def publish_qrels(qrels: Qrels, user: User | None, reason: str = "") -> Qrels:
    """Use a draft from now on: open the boards and score every accepted run.

    Boards of an earlier version stay as they are until the new ones are complete. Raises
    ``RefusalError`` for a version with faults; publishing twice changes nothing.
    """
    with transaction.atomic():
        Collection.objects.select_for_update(no_key=True).get(pk=qrels.collection_id)
        qrels = Qrels.objects.select_related("collection__campaign", "task").get(pk=qrels.pk)
        if qrels.state == QrelsState.PUBLISHED:
            return qrels
        if qrels.state == QrelsState.REFUSED or qrels.topic_order_id is None:
            raise RefusalError("qrels_refused", "These qrels have faults and cannot be used.", 422)
        qrels.state = QrelsState.PUBLISHED
        qrels.published_at = timezone.now()
        qrels.save(update_fields=["state", "published_at"])
        for task in tasks_using(qrels):
            start_evaluation(task)
        audit(
            qrels.collection.campaign,
            user,
            "publish qrels",
            f"{qrels.collection.slug} {qrels}",
            reason,
        )
    return qrels


def start_evaluation(task: Task) -> None:
    """Open the boards of a task's newest evaluation set and score what is not scored yet.

    Also for originals added later; inside a transaction.
    """
    lock_task(task)
    newest = evaluation_set(task)
    if newest is None:
        return
    qrels, original_qrels = newest
    open_boards(task, qrels, original_qrels)
    by_collection = {qrels.collection_id: qrels}
    if original_qrels is not None:
        by_collection[original_qrels.collection_id] = original_qrels
    is_first = not Run.objects.filter(task=task, state=RunState.SCORED).exists()
    runs = Run.objects.filter(
        task=task, state__in=[RunState.ACCEPTED, RunState.SCORED], deleted_at__isnull=True
    ).select_related("task__collection", "task__original_collection")
    wanted = {recipes.evaluation_recipe(task, measure).digest for measure in task.measures}
    for run in runs:
        under = by_collection[collection_of(run).pk]
        stored = run.evaluations.filter(qrels=under).values_list("recipe__digest", flat=True)
        if wanted <= set(stored):
            continue
        jobs.ensure(
            JobKind.SCORE,
            run=run,
            qrels=under,
            queue=Queue.SCORING if is_first else Queue.RESCORING,
            priority=5 if is_first else 7,
        )
