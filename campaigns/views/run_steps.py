"""The way of a run from receipt to score, as the page tells it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from campaigns.models import Job, JobKind, JobState, Run, RunState
from campaigns.states import Status
from campaigns.templatetags.times import utc

WORDS = {
    "receiving": ("Being received", ""),
    "checking": ("Being checked", ""),
    "rejected": ("Not accepted", "bad"),
    "accepted": ("Accepted", "ok"),
    "scoring": ("Being scored", ""),
    "scored": ("Scored", "ok"),
    "failed": ("Failed", "bad"),
}
_DONE, _NOW, _FAILED, _OPEN = "done", "now", "fail", ""


@dataclass(frozen=True, slots=True)
class Step:
    """One station; ``css`` says whether it is behind, here, failed or still to come."""

    name: str
    css: str
    text: str

    @property
    def spoken(self) -> str:
        """What the mark says to those who do not see it."""
        return {_DONE: "Done. ", _FAILED: "Failed. "}.get(self.css, "")


def word_of(status: Status) -> tuple[str, str]:
    """The badge of a state: word and tone."""
    return WORDS.get(status.state, (status.state, ""))


def _place(job: Job) -> str:
    """Where a waiting job stands in its queue."""
    before = Q(priority__lt=job.priority) | Q(priority=job.priority, created_at__lt=job.created_at)
    ahead = Job.objects.filter(before, state=JobState.WAITING, queue=job.queue).count()
    return f"place {ahead + 1}"


def _newest(jobs: Sequence[Job], kind: JobKind) -> Job | None:
    return next((job for job in jobs if job.kind == kind), None)


def _ended(job: Job | None) -> datetime | None:
    return job.finished_at if job is not None and job.state == JobState.DONE else None


def _check_step(run: Run, status: Status, job: Job | None) -> Step:
    if run.state == RunState.REJECTED:
        return Step("Checked", _FAILED, "errors found")
    if run.state in (RunState.ACCEPTED, RunState.SCORED):
        found = "with warnings" if run.messages else "no errors"
        when = utc(_ended(job))
        return Step("Checked", _DONE, f"{found}, {when}" if when else found)
    if status.state == "failed":
        return Step("Checked", _FAILED, "the check did not finish")
    if job is not None and job.state == JobState.WAITING:
        return Step("Checked", _NOW, f"waiting, {_place(job)}")
    return Step("Checked", _NOW, "being read")


def _scoring_steps(run: Run, status: Status, job: Job | None) -> list[Step]:
    if run.state == RunState.SCORED:
        when = utc(_ended(job))
        return [Step("Queued", _DONE, ""), Step("Scored", _DONE, when)]
    if run.state != RunState.ACCEPTED:
        return [Step("Queued", _OPEN, ""), Step("Scored", _OPEN, "not started")]
    if status.state == "failed":
        return [Step("Queued", _DONE, ""), Step("Scored", _FAILED, "the scoring did not finish")]
    if job is None:
        return [
            Step("Queued", _NOW, "waits for the judgments"),
            Step("Scored", _OPEN, "not started"),
        ]
    if job.state == JobState.RUNNING:
        share = f"{job.progress:.0%}" if job.progress else "running"
        return [Step("Queued", _DONE, ""), Step("Scored", _NOW, share)]
    return [Step("Queued", _NOW, _place(job)), Step("Scored", _OPEN, "not started")]


def steps_of(
    run: Run, status: Status, jobs: Sequence[Job], *, is_withheld: bool = False
) -> list[Step]:
    """The stations of a run. ``jobs``: its check and score jobs, newest first.

    ``is_withheld``: whether and when it was scored is not told either.
    """
    scoring = (
        [Step("Scored", _OPEN, "withheld")]
        if is_withheld
        else _scoring_steps(run, status, _newest(jobs, JobKind.SCORE))
    )
    return [
        Step("Received", _DONE, utc(run.received_at)),
        _check_step(run, status, _newest(jobs, JobKind.CHECK)),
        *scoring,
    ]


def poll_seconds(status: Status) -> int | None:
    """When to look again; None once nothing more happens by itself."""
    if status.is_final:
        return None
    return 30 if status.state == "accepted" else 2
