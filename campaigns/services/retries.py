"""An organizer starts failed work again: a new job, the old one stays as it ended."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q

from campaigns import policies
from campaigns.models import Job, JobState, Run
from campaigns.services import jobs
from campaigns.services.events import audit, note
from campaigns.services.refusals import RefusalError

ENDED_BADLY = (JobState.FAILED, JobState.CANCELLED)


def failed_jobs(run: Run) -> list[Job]:
    """The newest job of each kind and subject, where it failed and nothing newer runs."""
    own = Q(run=run) | Q(pair__baseline=run) | Q(pair__advanced=run)
    newest: dict[tuple[str, str], Job] = {}
    for job in Job.objects.filter(own).order_by("-created_at"):
        newest.setdefault((job.kind, job.subject), job)
    return [job for job in newest.values() if job.state in ENDED_BADLY]


def retry_run(viewer: policies.Viewer, run: Run) -> list[Job]:
    """Start everything again that failed for a run; raises ``RefusalError``."""
    if not policies.may_retry(viewer, run):
        raise RefusalError("may_not_organize", "Only organizers start failed work again.", 403)
    with transaction.atomic():
        started = [jobs.retry(job, viewer.user) for job in failed_jobs(run)]
        if not started:
            raise RefusalError("nothing_failed", "Nothing of this run has failed.", 409)
        note(run, "started_again", viewer.user)
        audit(run.task.campaign, viewer.user, "start failed work again", run)
    return started
