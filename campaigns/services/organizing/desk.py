"""What the desk counts: runs by what is happening to them, and who is working."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from celery import current_app
from django.db.models import Case, CharField, Count, Exists, OuterRef, Q, QuerySet, Value, When
from django.utils import timezone

from campaigns.models import (
    OPEN_STATES,
    Campaign,
    Job,
    JobKind,
    JobState,
    Origin,
    Run,
    RunState,
    Task,
)
from campaigns.services.organizing.failures import jobs_of

STATES = {
    "checking": "Being checked",
    "rejected": "Not accepted",
    "accepted": "Waiting for qrels",
    "scoring": "Being scored",
    "scored": "Scored",
    "failed": "Failed",
    "withdrawn": "Withdrawn",
    "disqualified": "Disqualified",
}
PING_SECONDS = 1.0


def with_shown_state(runs: QuerySet[Run]) -> QuerySet[Any]:
    """Runs with ``shown``: the one word of ``STATES`` that counts for each."""
    of_run = Job.objects.filter(run=OuterRef("pk"), kind__in=[JobKind.CHECK, JobKind.SCORE])
    newer = Job.objects.filter(
        kind=OuterRef("kind"), subject=OuterRef("subject"), created_at__gt=OuterRef("created_at")
    )
    failed = of_run.filter(~Exists(newer), state=JobState.FAILED)
    busy = of_run.filter(kind=JobKind.SCORE, state__in=OPEN_STATES)
    word = Case(
        When(withdrawn_at__isnull=False, then=Value("withdrawn")),
        When(disqualified_at__isnull=False, then=Value("disqualified")),
        When(state=RunState.REJECTED, then=Value("rejected")),
        When(state=RunState.SCORED, then=Value("scored")),
        When(Exists(failed), then=Value("failed")),
        When(state__in=[RunState.RECEIVING, RunState.CHECKING], then=Value("checking")),
        When(Exists(busy), then=Value("scoring")),
        default=Value("accepted"),
        output_field=CharField(),
    )
    return runs.annotate(shown=word)


@dataclass(slots=True)
class TaskCounts:
    """How many submitted runs of a task are in each state."""

    task: Task
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(STATES, 0))

    @property
    def total(self) -> int:
        """All of them."""
        return sum(self.counts.values())


def runs_by_state(campaign: Campaign) -> list[TaskCounts]:
    """Every task of a campaign with its submitted runs counted."""
    tasks = Task.objects.filter(campaign=campaign, deleted_at__isnull=True).select_related(
        "campaign", "collection", "original_collection"
    )
    lines = {task.pk: TaskCounts(task) for task in tasks}
    runs = Run.objects.filter(
        task__in=lines, origin=Origin.SUBMITTED, deleted_at__isnull=True
    ).order_by()
    counted = with_shown_state(runs).values_list("task", "shown").annotate(count=Count("pk"))
    for task_id, shown, count in counted:
        lines[task_id].counts[shown] = count
    return list(lines.values())


@dataclass(frozen=True, slots=True)
class Work:
    """What the rows of jobs say of the workers; nothing here asks the broker."""

    waiting: int
    oldest: datetime | None
    running: int
    lost: int
    last_finished: datetime | None
    own_waiting: int
    own_oldest: Job | None

    def seconds_waiting(self, now: datetime) -> float:
        """How long the oldest job has waited."""
        return 0.0 if self.oldest is None else (now - self.oldest).total_seconds()


def work_of(campaign: Campaign) -> Work:
    """The site's queue, and this campaign's part of it."""
    now = timezone.now()
    due = Q(not_before__isnull=True) | Q(not_before__lte=now)
    waiting = Job.objects.filter(due, state=JobState.WAITING)
    own = jobs_of(campaign).filter(due, state=JobState.WAITING)
    running = Job.objects.filter(state=JobState.RUNNING)
    last = Job.objects.filter(finished_at__isnull=False).order_by("-finished_at").first()
    # Boards and pairs keep their jobs, which say nothing of since when they wait this time.
    once = Q(kind__in=[JobKind.CHECK, JobKind.CHECK_UPLOAD, JobKind.SCORE])
    oldest = waiting.filter(once).order_by("created_at").first()
    return Work(
        waiting=waiting.count(),
        oldest=oldest.created_at if oldest else None,
        running=running.filter(lease_until__gte=now).count(),
        lost=running.filter(lease_until__lt=now).count(),
        last_finished=last.finished_at if last else None,
        own_waiting=own.count(),
        own_oldest=own.filter(once).select_related("run__task").order_by("created_at").first(),
    )


def answering_workers() -> list[str] | None:
    """Names of the workers that answer now; None when the broker cannot be asked."""
    try:
        answers = current_app.control.ping(timeout=PING_SECONDS)
    except Exception:  # noqa: BLE001  (whatever a broker raises: it cannot be asked)
        return None
    return sorted(name for answer in answers or [] for name in answer)
