"""What tasks still lack."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from django.db.models import Count, Q
from django.urls import reverse

from campaigns import kinds
from campaigns.models import Campaign, Origin, Original, Qrels, QrelsState, RunState, Task
from campaigns.services.checks import newest_qrels
from campaigns.views.organize.attention_items import (
    DECIDE,
    REVIEW,
    Item,
    counted,
    named,
    qrels_href,
)


def missing_qrels(campaign: Campaign, tasks: list[Task], now: datetime) -> Iterator[Item]:
    """Tasks that cannot be scored yet, and topics that nobody can answer."""
    told: set[int] = set()
    for task in tasks:
        pool_task = task if kinds.of(task).needs_pool else None
        place = (
            reverse("organize:task-files", args=[campaign.slug, task.slug])
            if pool_task
            else reverse("organize:collection", args=[campaign.slug, task.collection.slug])
        )
        yield from _qrels_of_originals(campaign, task)
        qrels = newest_qrels(task.collection, pool_task)
        if qrels is None and _waits(task, pool_task):
            continue  # the version that waits to be published is an item of its own
        if qrels is None:
            is_due = task.closes is not None and task.closes < now
            yield Item(
                DECIDE if is_due else REVIEW,
                f"{task.title} has no {'pool' if pool_task else 'qrels'}",
                "Runs are taken and checked all the same; scores come with a published version.",
                place,
                "Upload",
            )
        elif qrels.topics_without_relevant and qrels.pk not in told:
            told.add(qrels.pk)
            topics = [str(topic) for topic in qrels.topics_without_relevant]
            count_zero = task.topics_averaged == "judged"
            yield Item(
                REVIEW,
                f"{counted(len(topics), 'topic')} without a relevant document",
                f"{(task if pool_task else task.collection).title}: {named(topics)}. "
                f"{'They count 0 for every run' if count_zero else 'They are left out of means'}"
                f" in {task.title}.",
                qrels_href(campaign, qrels),
                "Look",
            )


def _waits(task: Task, pool_task: Task | None) -> bool:
    return Qrels.objects.filter(
        collection=task.collection, task=pool_task, state=QrelsState.DRAFT
    ).exists()


def _qrels_of_originals(campaign: Campaign, task: Task) -> Iterator[Item]:
    collection = task.original_collection
    if collection is not None and newest_qrels(collection) is None:
        yield Item(
            REVIEW,
            f"{collection.title} has no qrels",
            f"The originals of {task.title} are scored on them, so no pair can be compared yet.",
            reverse("organize:collection", args=[campaign.slug, collection.slug]),
            "Upload",
        )


def missing_originals(campaign: Campaign, tasks: list[Task]) -> Iterator[Item]:
    """Pair tasks without an original, and originals without both runs."""
    for task in tasks:
        if not kinds.of(task).is_pair:
            continue
        place = reverse("organize:originals", args=[campaign.slug, task.slug])
        originals = Original.objects.filter(task=task).annotate(
            sound=Count(
                "runs",
                filter=Q(runs__origin=Origin.ORIGINAL, runs__deleted_at__isnull=True)
                & ~Q(runs__state=RunState.REJECTED),
            )
        )
        lacking = [one.title for one in originals if one.sound < 2]
        if not originals:
            yield Item(
                DECIDE, f"{task.title} has no original pair",
                "Teams can submit once there is one.", place, "Add an original",
            )  # fmt: skip
        elif lacking:
            yield Item(
                DECIDE, f"{counted(len(lacking), 'original')} without both runs",
                f"{task.title}: {named(lacking)}.", place, "See the originals",
            )  # fmt: skip


def unfinished(campaign: Campaign, tasks: list[Task]) -> Iterator[Item]:
    """Tasks that take no runs yet."""
    for task in tasks:
        if kinds.of(task).needs_initial_run and task.initial_run_id is None:
            yield Item(
                DECIDE, f"{task.title} has no initial run",
                "Runs may only hold documents of that run, so the task stays paused until then.",
                reverse("organize:task-files", args=[campaign.slug, task.slug]), "Upload it",
            )  # fmt: skip
        if task.is_paused:
            yield Item(
                REVIEW, f"{task.title} is paused",
                "No runs are taken. Set its dates, and what is visible when.",
                reverse("organize:plan", args=[campaign.slug, task.slug]), "Set the dates",
            )  # fmt: skip
