"""Background work as rows: create, wake, claim, renew, finish, fail, recover.

The row is the truth. A claim is one conditional update by the database's clock; a result is
written in the transaction that closes the claim, and a stale claim writes nothing.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Case, F, IntegerField, Q, QuerySet, Value, When
from django.db.models.functions import Now

from campaigns.bell import recovery_seconds, ring, ring_after_commit, silent_since
from campaigns.models import Board, Job, JobKind, JobState, Pair, Qrels, Queue, Run, Upload

CRASHED = "The worker stopped {count} times while working on this. An organizer can start it again."

_QUEUES = {
    JobKind.CHECK: Queue.CHECKING,
    JobKind.CHECK_UPLOAD: Queue.CHECKING,
    JobKind.SCORE: Queue.SCORING,
    JobKind.COMPARE: Queue.SCORING,
}


class StaleClaimError(Exception):
    """Somebody else has taken the work over; nothing may be written."""


class GivenUpError(Exception):
    """The job has crashed too often and was failed just now."""


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to record the result of a job."""

    job: Job
    fence: uuid.UUID


def subject_of(
    *,
    run: Run | None = None,
    pair: Pair | None = None,
    qrels: Qrels | None = None,
    board: Board | None = None,
    upload: Upload | None = None,
    key: str = "",
) -> str:
    """What a job is on, as one text, so that one constraint keeps it unique."""
    things = {"run": run, "pair": pair, "qrels": qrels, "board": board, "upload": upload}
    parts = [f"{name}:{thing.pk}" for name, thing in things.items() if thing is not None]
    return "/".join([*parts, key] if key else parts)


def ensure(
    kind: JobKind,
    *,
    state: JobState = JobState.WAITING,
    queue: Queue | None = None,
    priority: int = 5,
    detail: dict[str, Any] | None = None,
    key: str = "",
    **things: Any,
) -> str:
    """Make sure that an open job of this kind and subject exists; its subject.

    Repeating it changes nothing: one open job per kind and subject is a constraint.
    Call it inside the transaction that makes the work necessary.
    """
    subject = subject_of(**things, key=key)
    job = Job(
        kind=kind,
        subject=subject,
        state=state,
        queue=queue or _QUEUES.get(kind, Queue.HOUSEKEEPING),
        priority=priority,
        detail=detail or {},
        **things,
    )
    Job.objects.bulk_create([job], ignore_conflicts=True)
    if state == JobState.WAITING:
        ring_after_commit(job.pk, job.kind, job.queue)
    return subject


def wake(kind: JobKind, *, key: str = "", **things: Any) -> None:
    """Have a standing job (compare a pair, rank a board) run after this transaction.

    Always writes the row: its lock makes a worker that would claim it now wait until our
    commit, so that it cannot miss what we are about to add. A running job runs once more.
    """
    subject = subject_of(**things, key=key)
    woken = _wake_newest(kind, subject)
    if woken is None:
        ensure(kind, state=JobState.DORMANT, key=key, **things)
        woken = _wake_newest(kind, subject)
    if woken is not None:
        ring_after_commit(woken.pk, woken.kind, woken.queue)


def _wake_newest(kind: JobKind, subject: str) -> Job | None:
    """Wake the newest job that did not end badly; also when it ends badly just now, None."""
    standing = Job.objects.filter(kind=kind, subject=subject).exclude(
        state__in=[JobState.FAILED, JobState.CANCELLED]
    )
    newest = standing.order_by("-created_at", "-pk").first()
    if newest is None:
        return None
    begins = Q(state__in=[JobState.DORMANT, JobState.DONE])
    woken = standing.filter(pk=newest.pk).update(
        state=Case(When(begins, then=Value(JobState.WAITING)), default=F("state")),
        # Crashes are counted for each piece of work, and this is another one.
        crashes=Case(
            When(begins, then=Value(0)), default=F("crashes"), output_field=IntegerField()
        ),
        is_woken_again=Case(
            When(state=JobState.RUNNING, then=Value(True)), default=F("is_woken_again")
        ),
        not_before=None,
    )
    return newest if woken else None


def _lease() -> Any:
    return Now() + timedelta(seconds=settings.LEASE_SECONDS)


def claim(job_id: uuid.UUID | str, claimed_by: str) -> Claim | None:
    """Take a job that waits, or whose lease ran out; None when it is somebody else's or not due.

    A lease that ran out is a crash; at the third the job is failed and ``GivenUpError`` raised.
    """
    expired = Q(state=JobState.RUNNING, lease_until__lt=Now())
    due = Q(state=JobState.WAITING) & (Q(not_before__isnull=True) | Q(not_before__lte=Now()))
    one = Job.objects.filter(pk=job_id)
    given_up = one.filter(expired, crashes__gte=settings.MAX_CRASHES - 1).update(
        **_failure(CRASHED.format(count=settings.MAX_CRASHES)), crashes=F("crashes") + 1
    )
    if given_up:
        raise GivenUpError(str(job_id))
    fence = uuid.uuid4()
    taken = one.filter(due | expired).update(
        crashes=Case(
            When(state=JobState.RUNNING, then=F("crashes") + 1),
            default=F("crashes"),
            output_field=IntegerField(),
        ),
        state=JobState.RUNNING,
        claim=fence,
        claimed_by=claimed_by,
        claims=F("claims") + 1,
        lease_until=_lease(),
        started_at=Now(),
        is_woken_again=False,
        progress=None,
    )
    if not taken:
        return None
    return Claim(Job.objects.get(pk=job_id), fence)


def _held(held: Claim) -> QuerySet[Job]:
    return Job.objects.filter(pk=held.job.pk, state=JobState.RUNNING, claim=held.fence)


def renew(held: Claim, progress: float | None = None) -> bool:
    """Lengthen the lease; False when the work was taken over."""
    changes: dict[str, Any] = {"lease_until": _lease()}
    if progress is not None:
        changes["progress"] = progress
    return bool(_held(held).update(**changes))


def finish(held: Claim) -> None:
    """Close the claim; the first statement of the transaction that writes the result.

    Raises ``StaleClaimError`` when the work was taken over, so that nothing is written.
    """
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("finish() belongs inside the transaction that records the result")
    closed = _held(held).update(
        state=Case(
            When(is_woken_again=True, then=Value(JobState.WAITING)), default=Value(JobState.DONE)
        ),
        crashes=Case(
            When(is_woken_again=True, then=Value(0)),
            default=F("crashes"),
            output_field=IntegerField(),
        ),
        is_woken_again=False,
        lease_until=None,
        finished_at=Now(),
        progress=1.0,
        reason="",
    )
    if not closed:
        raise StaleClaimError(str(held.job.pk))
    if Job.objects.filter(pk=held.job.pk, state=JobState.WAITING).exists():
        ring_after_commit(held.job.pk, held.job.kind, held.job.queue)


def _failure(reason: str) -> dict[str, Any]:
    return {
        "state": JobState.FAILED,
        "reason": reason[:500],
        "lease_until": None,
        "finished_at": Now(),
        "is_woken_again": False,
    }


def fail(held: Claim, reason: str) -> bool:
    """End a job for good, with a reason its owner can read; False when it was taken over."""
    return bool(_held(held).update(**_failure(reason)))


def stumble(held: Claim, reason: str) -> bool:
    """An unexpected error: try again soon, and fail at the third time; whether it failed."""
    if held.job.crashes + 1 >= settings.MAX_CRASHES:
        return bool(_held(held).update(**_failure(reason), crashes=F("crashes") + 1))
    pause = timedelta(seconds=2 * (held.job.crashes + 1))
    _held(held).update(
        state=JobState.WAITING,
        crashes=F("crashes") + 1,
        lease_until=None,
        not_before=Now() + pause,
        rung_at=None,
    )
    return False


def postpone(held: Claim, seconds: float) -> bool:
    """Hand work back for a while, for somebody who is still to wake it; False if it was woken."""
    return bool(
        _held(held)
        .filter(is_woken_again=False)
        .update(
            state=JobState.WAITING,
            lease_until=None,
            not_before=Now() + timedelta(seconds=seconds),
            rung_at=None,
        )
    )


def give_back(worker: str) -> int:
    """On shutdown: hand back what this worker still holds. A deploy is no crash."""
    return Job.objects.filter(state=JobState.RUNNING, claimed_by__startswith=worker).update(
        state=JobState.WAITING, lease_until=None, rung_at=None
    )


def retry(job: Job, requested_by: Any = None) -> Job:
    """A new job in place of one that failed or was cancelled; the old row stays as it is."""
    if job.state not in (JobState.FAILED, JobState.CANCELLED):
        raise ValueError("Only a failed or cancelled job can be started again.")
    new = Job(
        kind=job.kind,
        subject=job.subject,
        run=job.run,
        pair=job.pair,
        qrels=job.qrels,
        board=job.board,
        upload=job.upload,
        detail=job.detail,
        queue=job.queue,
        priority=job.priority,
        requested_by=requested_by,
    )
    with transaction.atomic():
        Job.objects.bulk_create([new], ignore_conflicts=True)
        ring_after_commit(new.pk, new.kind, new.queue)
    return (
        Job.objects.filter(kind=job.kind, subject=job.subject).order_by("-created_at").first()
        or new
    )


def overdue() -> QuerySet[Job]:
    """Jobs that a worker should have taken by now and whose last bell is old."""
    due = Q(state=JobState.WAITING) & (Q(not_before__isnull=True) | Q(not_before__lte=Now()))
    expired = Q(state=JobState.RUNNING, lease_until__lt=Now())
    return Job.objects.filter(due | expired).filter(silent_since(recovery_seconds()))


def recover(limit: int = 500) -> int:
    """Ring again for what was not heard; how many. Stops at the first bell that fails."""
    rung = 0
    rows: Iterable[tuple[uuid.UUID, str, str]] = overdue().values_list("pk", "kind", "queue")[
        :limit
    ]
    for job_id, kind, queue in rows:
        if not ring(job_id, kind, queue):
            break
        rung += 1
    return rung
