"""Work that failed for good and that nothing newer has made up for."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, QuerySet

from campaigns.models import Board, Campaign, Job, JobState, Task, Upload


def jobs_of(campaign: Campaign) -> QuerySet[Job]:
    """All jobs of a campaign, but those of tasks that were deleted."""
    tasks = Task.objects.filter(campaign=campaign, deleted_at__isnull=True)
    return Job.objects.filter(
        Q(run__task__in=tasks)
        | Q(pair__task__in=tasks)
        | Q(board__in=Board.objects.filter(campaign=campaign, task__deleted_at=None))
        | Q(upload__in=Upload.objects.filter(campaign=campaign, task__deleted_at=None))
    )


def failed_jobs_of(campaign: Campaign) -> QuerySet[Job]:
    """The newest job of each kind and subject, where it failed."""
    newer = Job.objects.filter(
        kind=OuterRef("kind"),
        subject=OuterRef("subject"),
        created_at__gt=OuterRef("created_at"),
    )
    return jobs_of(campaign).filter(~Exists(newer), state=JobState.FAILED)
