"""What a page and the API say of a run: its own state, and what its jobs are doing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from campaigns.models import Job, JobKind, JobState, Run, RunState

QUEUED = (JobState.WAITING, JobState.DORMANT)


@dataclass(frozen=True, slots=True)
class Status:
    """``state`` as in the REST interface; ``reason`` only when something failed."""

    state: str
    reason: str = ""
    is_queued: bool = False
    progress: float | None = None

    @property
    def is_final(self) -> bool:
        """Nothing more happens by itself."""
        return self.state in ("rejected", "scored", "failed")


def latest_jobs(runs: Iterable[Run]) -> dict[object, list[Job]]:
    """Check and score jobs of several runs in one query, newest first."""
    found: dict[object, list[Job]] = {}
    jobs = Job.objects.filter(
        run__in=[run.pk for run in runs], kind__in=[JobKind.CHECK, JobKind.SCORE]
    ).order_by("-created_at")
    for job in jobs:
        found.setdefault(job.run_id, []).append(job)
    return found


def status_of(run: Run, jobs: Iterable[Job] | None = None) -> Status:
    """The state shown; a failed job counts only when nothing newer of its subject is open or done.

    A run whose old score stands stays ``scored`` while it is scored again.
    """
    if run.state in (RunState.REJECTED, RunState.RECEIVING):
        return Status(run.state)
    newest: dict[str, Job] = {}
    for job in latest_jobs([run]).get(run.pk, []) if jobs is None else jobs:
        newest.setdefault(f"{job.kind} {job.subject}", job)
    if run.state == RunState.SCORED:
        return Status("scored")
    for job in newest.values():
        if job.state == JobState.FAILED:
            return Status("failed", job.reason)
    for job in newest.values():
        if job.state in (JobState.RUNNING, *QUEUED):
            state = "checking" if job.kind == JobKind.CHECK else "scoring"
            return Status(state, "", job.state in QUEUED, job.progress)
    return Status(run.state)
