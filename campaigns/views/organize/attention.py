"""What needs the organizers' attention, most urgent first."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from django.db.models import Count, Max
from django.urls import reverse

from campaigns.models import (
    Campaign,
    Job,
    Origin,
    Qrels,
    QrelsState,
    Run,
    RunState,
    Task,
    Upload,
    UploadState,
)
from campaigns.services.organizing.desk import Work
from campaigns.services.organizing.failures import failed_jobs_of
from campaigns.templatetags.times import away
from campaigns.views.organize.attention_items import (
    DECIDE,
    NOW,
    REVIEW,
    Item,
    counted,
    named,
    qrels_href,
)
from campaigns.views.organize.attention_tasks import (
    missing_originals,
    missing_qrels,
    unfinished,
)

PATIENCE_SECONDS = 120
MOST_RUNS = 2000


def items_of(campaign: Campaign, tasks: list[Task], work: Work, now: datetime) -> list[Item]:
    """Everything, most urgent first."""
    found = [
        *_waiting(campaign, work, now),
        *_failures(campaign),
        *_uploads(campaign),
        *missing_originals(campaign, tasks),
        *_drafts(campaign),
        *missing_qrels(campaign, tasks, now),
        *_hints(campaign),
        *_twins(campaign),
        *unfinished(campaign, tasks),
    ]
    order = (NOW, DECIDE, REVIEW)
    return sorted(found, key=lambda item: order.index(item.urgency))


def _runs_href(campaign: Campaign, query: str) -> str:
    return f"{reverse('organize:runs', args=[campaign.slug])}?{query}"


def _waiting(campaign: Campaign, work: Work, now: datetime) -> Iterator[Item]:
    job = work.own_oldest
    if job is None:
        return
    waited = now - job.created_at
    if waited.total_seconds() < PATIENCE_SECONDS:
        return
    what = f"the run {job.run} of {job.run.task.title}" if job.run else job.get_kind_display()
    busy = counted(work.running, "job") if work.running else "nothing"
    yield Item(
        NOW,
        f"The oldest job has waited {away(waited)}",
        f"It is {what}. The whole site has {counted(work.waiting, 'job')} waiting; "
        f"worked on is {busy}.",
        "#workers",
        "See the workers",
    )


def _failures(campaign: Campaign) -> Iterator[Item]:
    failed = list(failed_jobs_of(campaign).select_related("run", "upload")[:MOST_RUNS])
    runs = {job.run_id: job for job in failed if job.run_id is not None}
    if runs:
        names = sorted({str(job.run) for job in runs.values()})
        first = next(iter(runs.values()))
        yield Item(
            NOW,
            f"The work on {counted(len(runs), 'run')} has failed",
            f"{named(names)}. {first.reason}",
            _runs_href(campaign, "state=failed"),
            "See and start again",
        )
    rest = [job for job in failed if job.run_id is None and job.upload_id is None]
    if rest:
        yield Item(
            NOW,
            f"{counted(len(rest), 'comparison or ranking')} failed",
            f"{rest[0].get_kind_display()}: {rest[0].reason}",
            _runs_href(campaign, ""),
            "See the runs",
        )
    for job in failed:
        if job.upload is not None:
            yield _upload_item(campaign, job.upload, NOW, "The check did not finish", job)


def _upload_item(
    campaign: Campaign, upload: Upload, urgency: str, what: str, job: Job | None = None
) -> Item:
    more = f" {job.reason}" if job else f" {upload.reason}" if upload.reason else ""
    return Item(
        urgency,
        f"{upload.file}: {what[:1].lower()}{what[1:]}",
        f"{upload.get_purpose_display().capitalize()} for "
        f"{upload.task.title if upload.task else upload.collection.title}.{more}",
        reverse("organize:upload", args=[campaign.slug, upload.pk]),
        "Read the report",
    )


def _uploads(campaign: Campaign) -> Iterator[Item]:
    """Refused files that no later file has made up for."""
    newest = (
        Upload.objects.filter(campaign=campaign)
        .order_by()
        .values("collection", "task", "purpose", "form", "language", "translation")
        .annotate(newest=Max("created_at"))
        .values("newest")
    )
    refused = Upload.objects.filter(
        campaign=campaign,
        state=UploadState.REFUSED,
        created_at__in=newest,
        task__deleted_at=None,
    ).select_related("collection", "task", "file")
    for upload in refused:
        yield _upload_item(campaign, upload, DECIDE, "Not taken, it has faults")


def _drafts(campaign: Campaign) -> Iterator[Item]:
    drafts = Qrels.objects.filter(
        collection__campaign=campaign, state=QrelsState.DRAFT, task__deleted_at=None
    ).select_related("collection", "task")
    for draft in drafts:
        newer = Qrels.objects.filter(
            collection=draft.collection_id, task=draft.task_id, number__gt=draft.number
        ).exclude(state=QrelsState.REFUSED)
        if newer.exists():
            continue
        owner = draft.task or draft.collection
        yield Item(
            DECIDE,
            f"Version {draft.number} of the {'pool' if draft.task else 'qrels'} is not published",
            f"{owner.title}: {counted(draft.judgments, 'judgment')}, checked and ready.",
            qrels_href(campaign, draft),
            "Look and publish",
        )


def _hints(campaign: Campaign) -> Iterator[Item]:
    runs = Run.objects.filter(
        task__campaign=campaign, task__deleted_at=None, deleted_at__isnull=True
    ).exclude(organizer_messages=[])
    strange = [
        run
        for run in runs.only("pk", "tag", "title", "organizer_messages")[:MOST_RUNS]
        if any(one.get("kind") == "nothing_judged" for one in run.organizer_messages)
    ]
    if strange:
        yield Item(
            DECIDE,
            f"{counted(len(strange), 'run')} with no judged document",
            f"{named([str(run) for run in strange])}. Document ids of another collection are "
            "the usual cause.",
            _runs_href(campaign, "hint=nothing_judged"),
            "See the runs",
        )


def _twins(campaign: Campaign) -> Iterator[Item]:
    same = (
        Run.objects.filter(
            task__campaign=campaign,
            task__deleted_at=None,
            origin=Origin.SUBMITTED,
            withdrawn_at__isnull=True,
            deleted_at__isnull=True,
        )
        .exclude(text_sha256="")
        .exclude(state=RunState.REJECTED)
        .order_by()
        .values("task__title", "text_sha256")
        .annotate(teams=Count("team", distinct=True), runs=Count("pk"))
        .filter(teams__gt=1)[:20]
    )
    for group in same:
        teams = list(
            Run.objects.filter(task__campaign=campaign, text_sha256=group["text_sha256"])
            .order_by("team__name")
            .values_list("team__name", flat=True)
            .distinct()
        )
        yield Item(
            DECIDE,
            f"{group['runs']} runs by different teams are the same file",
            f"{group['task__title']}: {named([name for name in teams if name])}.",
            _runs_href(campaign, f"checksum={group['text_sha256']}"),
            "Compare",
        )
