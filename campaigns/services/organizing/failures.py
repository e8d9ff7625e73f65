"""Work that failed for good and that nothing newer has made up for."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, QuerySet

from campaigns.models import Campaign, Job, JobState


def jobs_of(campaign: Campaign) -> QuerySet[Job]:
    """All jobs of a campaign."""
    return Job.objects.filter(
        Q(run__task__campaign=campaign)
        | Q(pair__task__campaign=campaign)
        | Q(board__campaign=campaign)
        | Q(upload__campaign=campaign)
    )


def failed_jobs_of(campaign: Campaign) -> QuerySet[Job]:
    """The newest job of each kind and subject, where it failed."""
    newer = Job.objects.filter(
        kind=OuterRef("kind"),
        subject=OuterRef("subject"),
        created_at__gt=OuterRef("created_at"),
    )
    return jobs_of(campaign).filter(~Exists(newer), state=JobState.FAILED)
