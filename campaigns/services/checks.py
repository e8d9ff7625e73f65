"""The check of a run: what it needs, and what becomes of its result."""

from __future__ import annotations

from django.db import transaction

from campaigns import kinds
from campaigns.models import (
    Collection,
    JobKind,
    Origin,
    Qrels,
    QrelsState,
    Queue,
    Run,
    RunState,
    StoredFile,
    Task,
)
from campaigns.services import jobs
from campaigns.services.boards import live_qrels, wake_boards
from campaigns.services.events import note
from campaigns.services.rules import check_rules
from campaigns.services.task_topics import collection_of, topics_of
from campaigns.work import CheckInput, CheckResult, StoredText
from evaluation.rules import CheckRules


def stored_text(file: StoredFile | None) -> StoredText | None:
    """A stored file as workers are given it."""
    return None if file is None else StoredText(file.key, file.text_sha256)


def newest_qrels(collection: Collection, task: Task | None = None) -> Qrels | None:
    """The latest published version."""
    return (
        Qrels.objects.filter(collection=collection, task=task, state=QrelsState.PUBLISHED)
        .select_related("file", "topic_order")
        .order_by("-number")
        .first()
    )


def lock_task(task: Task) -> None:
    """Acceptance of runs and the start of an evaluation queue up here, so neither misses the other.

    Rows that refer to the task may still be written meanwhile.
    """
    Task.objects.select_for_update(no_key=True).get(pk=task.pk)


def _rules_of(run: Run) -> CheckRules:
    rules = check_rules(run.task)
    if run.origin == Origin.SUBMITTED:
        return rules
    # An original was not made for this task: its tag and depth are as they are.
    return CheckRules(
        levels={**rules.levels, "unknown_topic": "ignore"},
        precision=rules.precision,
        budgets=rules.budgets,
    )


def check_input(run: Run) -> CheckInput:
    """What a worker needs to check a run."""
    task, collection = run.task, collection_of(run)
    kind = kinds.of(task)
    file = stored_text(run.file)
    if file is None:
        raise ValueError("A run given by its scores alone has no file to check.")
    is_submitted = run.origin == Origin.SUBMITTED
    needs_pool = kind.needs_pool and is_submitted
    pool = newest_qrels(collection, task) if needs_pool else None
    qrels = newest_qrels(collection) if kind.is_graded else None
    return CheckInput(
        file=file,
        rules=_rules_of(run),
        topics=topics_of(collection),
        document_ids=stored_text(collection.document_ids),
        initial_run=stored_text(task.initial_run) if kind.needs_initial_run else None,
        pool=stored_text(pool.file) if pool else None,
        qrels=stored_text(qrels.file) if qrels else None,
    )


def record_check(held: jobs.Claim, run: Run, result: CheckResult) -> None:
    """Accept or reject the run, and start its scoring where qrels are in use.

    The task is locked, as when an evaluation starts: whichever comes second sees the other.
    """
    is_rejected = result.outcome == "rejected"
    with transaction.atomic():
        jobs.finish(held)
        lock_task(run.task)
        Run.objects.filter(pk=run.pk, state=RunState.CHECKING).update(
            state=RunState.REJECTED if is_rejected else RunState.ACCEPTED,
            outcome=result.outcome,
            messages=result.messages,
            organizer_messages=result.organizer_messages,
            tag=result.tag[:255],
            topics=result.topics,
            documents=result.documents,
        )
        note(run, "rejected" if is_rejected else "accepted", outcome=result.outcome)
        if not is_rejected:
            start_scoring(run, Queue.RESCORING if held.job.queue == Queue.RESCORING else None)


def start_scoring(run: Run, queue: Queue | None = None) -> None:
    """Score an accepted run under every version of the qrels that a board uses or is filling."""
    for qrels in live_qrels(run.task, collection_of(run)):
        jobs.ensure(JobKind.SCORE, run=run, qrels=qrels, queue=queue)
    wake_boards(run.task)
