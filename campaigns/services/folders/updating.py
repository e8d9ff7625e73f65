"""What an update must not do to a campaign that is there already."""

from __future__ import annotations

from campaigns.models import (
    Board,
    Campaign,
    Collection,
    Origin,
    Run,
    RunState,
    Task,
    Topic,
)
from campaigns.services.folders.faults import Faults
from campaigns.services.folders.inspection import Findings
from campaigns.services.folders.specs import CampaignSpec, CollectionSpec, TaskSpec
from campaigns.services.folders.storing import StoredFiles, scores_fingerprint

SCORING = (
    "measures",
    "primary",
    "topics_averaged",
    "order_by",
    "depth",
    "precision",
    "gains",
    "comparison",
)


def refuse_rewriting(
    campaign: Campaign,
    spec: CampaignSpec,
    stored: StoredFiles,
    found: Findings,
    faults: Faults,
) -> None:
    """Faults for every change that would rewrite what is stored or make stored numbers wrong."""
    collections = {one.slug: one for one in Collection.objects.filter(campaign=campaign)}
    for collection in spec.collections:
        if collection.slug in collections:
            _collection(collections[collection.slug], collection, found, faults)
    tasks = {
        one.slug: one
        for one in Task.objects.filter(campaign=campaign).select_related(
            "collection", "original_collection", "initial_run"
        )
    }
    for task in spec.tasks:
        if task.slug in tasks:
            _task(tasks[task.slug], task, stored, faults)


def _collection(row: Collection, spec: CollectionSpec, found: Findings, faults: Faults) -> None:
    topics = set(Topic.objects.filter(collection=row).values_list("identifier", flat=True))
    if spec.topics is None:
        if row.has_topic_file:
            faults.add(spec.at, "has a topic file already, which cannot be taken away")
        return
    if spec.topics.at not in found.texts:
        return
    lost = sorted(topics - set(found.texts[spec.topics.at])) if row.has_topic_file else []
    if lost:
        shown = ", ".join(lost[:5]) + (", …" if len(lost) > 5 else "")
        faults.add(spec.topics.at, f"lacks topics that are stored and stay: {shown}")


def _task(row: Task, spec: TaskSpec, stored: StoredFiles, faults: Faults) -> None:
    runs = Run.objects.filter(task=row, deleted_at__isnull=True)
    if runs.exists():
        original_collection = row.original_collection
        for name, before, after in (
            ("kind", row.kind, spec.kind),
            ("collection", row.collection.slug, spec.collection),
            (
                "original_collection",
                original_collection.slug if original_collection else "",
                spec.original_collection,
            ),
        ):
            if before != after:
                faults.add(
                    f"{spec.at}.{name}", f"is {before!r} and cannot change once there are runs"
                )
        use = spec.initial_run
        if (
            use is not None
            and stored.has(use)
            and row.initial_run is not None
            and row.initial_run.text_sha256 != stored.received(use).text_sha256
        ):
            faults.add(use.at, "is another file, which cannot change once there are runs")
    if Board.objects.filter(task=row).exists():
        _numbers(row, spec, faults)
    _originals(row, spec, stored, faults)


def _numbers(row: Task, spec: TaskSpec, faults: Faults) -> None:
    text = "cannot change once qrels are published: the boards stand on it"
    for name in SCORING:
        if getattr(row, name) != spec.columns[name]:
            faults.add(f"{spec.at}.{name}", f"is {getattr(row, name)!r} and {text}")
    kind = "duplicate_document"
    if row.rules.get(kind, "error") != spec.columns["rules"].get(kind, "error"):
        faults.add(f"{spec.at}.rules.{kind}", text)


def _originals(row: Task, spec: TaskSpec, stored: StoredFiles, faults: Faults) -> None:
    known = {
        (run.original.slug, run.role): run
        for run in Run.objects.filter(task=row, origin=Origin.ORIGINAL, deleted_at__isnull=True)
        .exclude(state=RunState.REJECTED)
        .select_related("original")
        .prefetch_related("given_scores__file")
        if run.original is not None
    }
    for original in spec.originals:
        for role, run in original.runs.items():
            before = known.get((original.slug, role))
            if before is None or not run.files or not all(map(stored.has, run.files)):
                continue
            text = before.text_sha256 or scores_fingerprint(
                (one.measure, one.file.text_sha256) for one in before.given_scores.all()
            )
            if text != stored.fingerprint(run):
                faults.add(
                    run.at,
                    "differs from the stored original run, which stays: add it under a new slug",
                )
