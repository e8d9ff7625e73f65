"""Files of the organizers: stored at once, checked in the background, then put to their use."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone

from campaigns import kinds
from campaigns.models import (
    Collection,
    FilePurpose,
    JobKind,
    JobState,
    Qrels,
    QrelsState,
    Run,
    Task,
    TopicForm,
    Translation,
    Upload,
    UploadState,
)
from campaigns.policies import Viewer
from campaigns.services import jobs
from campaigns.services.checks import lock_task, stored_text
from campaigns.services.events import audit
from campaigns.services.organizing.rights import require_organizer
from campaigns.services.qrels import draft_qrels
from campaigns.services.refusals import RefusalError
from campaigns.services.task_topics import topics_of
from campaigns.services.topic_files import (
    LONGEST_ID,
    MAIN_FORM,
    add_topics,
    set_texts,
    topics_lost,
)
from campaigns.services.uploads import Received
from campaigns.work import UploadInput

OF_TASKS = (FilePurpose.POOL, FilePurpose.INITIAL_RUN)
PURPOSES = (FilePurpose.QRELS, FilePurpose.TOPICS, FilePurpose.DOCUMENT_IDS, *OF_TASKS)
NAMED = 5


def _refuse_misplaced(purpose: FilePurpose, task: Task | None) -> None:
    if purpose not in PURPOSES or (purpose in OF_TASKS) != (task is not None):
        raise RefusalError("bad_field", "There is no such upload here.", 404)
    if task is None:
        return
    kind = kinds.of(task)
    needed = kind.needs_pool if purpose == FilePurpose.POOL else kind.needs_initial_run
    if not needed:
        raise RefusalError("bad_field", f"A {kind.label.lower()} task takes no such file.", 422)


def take_upload(
    viewer: Viewer,
    collection: Collection,
    purpose: FilePurpose,
    received: Received,
    *,
    task: Task | None = None,
    form: str = "",
    language: str = "",
    translation: str = Translation.NONE,
    changelog: str = "",
) -> Upload:
    """Keep a stored file and have it checked; raises ``RefusalError`` where it has no place."""
    require_organizer(viewer, collection.campaign)
    _refuse_misplaced(purpose, task)
    if form == MAIN_FORM:
        form = ""
    with transaction.atomic():
        stored = received.row(purpose)
        stored.save(force_insert=True)
        upload = Upload.objects.create(
            campaign=collection.campaign,
            collection=collection,
            task=task,
            purpose=purpose,
            file=stored,
            form=form,
            language=language,
            translation=translation,
            changelog=changelog,
            uploaded_by=viewer.user,
        )
        target = f"{(task or collection).slug} {stored.name}"
        audit(
            collection.campaign,
            viewer.user,
            f"send {purpose.label} file",
            target,
            sha256=received.sha256,
            size=received.size,
        )
        jobs.ensure(JobKind.CHECK_UPLOAD, upload=upload)
    return upload


def check_again(viewer: Viewer, upload: Upload) -> None:
    """Start a check again that failed without a verdict; raises ``RefusalError``."""
    require_organizer(viewer, upload.campaign)
    job = upload.jobs.order_by("-created_at").first()
    if job is None or job.state not in (JobState.FAILED, JobState.CANCELLED):
        raise RefusalError("nothing_failed", "The check of this file has not failed.", 409)
    with transaction.atomic():
        jobs.retry(job, viewer.user)
        audit(upload.campaign, viewer.user, "check upload again", upload)


def upload_input(upload: Upload) -> UploadInput:
    """What a worker needs to check the file."""
    file = stored_text(upload.file)
    if file is None:
        raise ValueError("An upload has a file.")
    topics = topics_of(upload.collection)
    return UploadInput(file, upload.purpose, topics, upload.form, upload.language)


def record_upload(held: jobs.Claim, upload: Upload, facts: dict[str, Any]) -> None:
    """Keep the report; a sound file takes its place in the same transaction."""
    with transaction.atomic():
        jobs.finish(held)
        Collection.objects.select_for_update(no_key=True).get(pk=upload.collection_id)
        if upload.task is not None:
            lock_task(upload.task)
        upload.collection.refresh_from_db()
        upload.messages = facts["messages"]
        upload.checked_at = timezone.now()
        upload.facts = _counts(facts)
        upload.reason = "" if facts["outcome"] == "rejected" else _obstacle(upload, facts)
        if facts["outcome"] == "rejected" or upload.reason:
            upload.state = UploadState.REFUSED
        else:
            upload.state = UploadState.TAKEN
            _put_to_use(upload, facts)
        upload.save()


def _counts(facts: dict[str, Any]) -> dict[str, int]:
    """How much there is of everything that the check has listed."""
    counts: dict[str, int] = {}
    for name in ("topics", "texts"):
        if name in facts:
            counts["topics"] = len(facts[name])
    for name in ("judgments", "relevant", "documents"):
        if name in facts:
            counts[name] = facts[name]
    return counts


def _obstacle(upload: Upload, facts: dict[str, Any]) -> str:
    """Why a file without faults cannot take its place all the same; empty when it can."""
    if upload.purpose == FilePurpose.INITIAL_RUN:
        task = upload.task
        is_other = (
            task is not None
            and task.initial_run is not None
            and task.initial_run.text_sha256 != upload.file.text_sha256
        )
        if is_other and Run.objects.filter(task=task, deleted_at__isnull=True).exists():
            return "There are runs already, so the initial run can no longer be another file."
    if upload.purpose == FilePurpose.TOPICS:
        return _obstacle_to_topics(upload, facts["texts"])
    return ""


def _obstacle_to_topics(upload: Upload, texts: dict[str, str]) -> str:
    too_long = next((topic for topic in texts if len(topic) > LONGEST_ID), None)
    if too_long is not None:
        return f"Topic id {too_long[:40]!r}… has more than {LONGEST_ID} characters."
    if upload.form:
        known = set(topics_of(upload.collection) or ())
        if not known & set(texts):
            return "No topic of this file is one of the collection: upload its topic file first."
        return ""
    lost = topics_lost(upload.collection, texts)
    if lost:
        more = ", …" if len(lost) > NAMED else ""
        return f"It lacks topics that are stored and stay: {', '.join(lost[:NAMED])}{more}."
    moved = _topics_moved(upload.collection, set(texts))
    if moved:
        return (
            f"Scores stand on published qrels, and with this file other topics would count "
            f"({', '.join(moved[:NAMED])}{', …' if len(moved) > NAMED else ''}). "
            "Make a collection of its own for the other topics."
        )
    return ""


def _topics_moved(collection: Collection, after: set[str]) -> list[str]:
    """Judged topics that count now and would not count then, or the other way round."""
    before = topics_of(collection)
    moved: set[str] = set()
    published = Qrels.objects.filter(collection=collection, state=QrelsState.PUBLISHED)
    for qrels in published.select_related("topic_order"):
        judged = set(qrels.topic_order.topics) if qrels.topic_order else set()
        counted = judged if before is None else judged & set(before)
        moved |= counted ^ (judged & after)
    return sorted(moved)


def _put_to_use(upload: Upload, facts: dict[str, Any]) -> None:
    collection = upload.collection
    if upload.purpose in (FilePurpose.QRELS, FilePurpose.POOL):
        upload.qrels = draft_qrels(
            collection,
            upload.file,
            facts,
            upload.uploaded_by,
            task=upload.task,
            changelog=upload.changelog,
        )
        return
    if upload.purpose == FilePurpose.TOPICS:
        _use_topics(upload, facts["texts"])
    elif upload.purpose == FilePurpose.DOCUMENT_IDS:
        collection.document_ids = upload.file
        collection.documents = facts["documents"]
        collection.save(update_fields=["document_ids", "documents"])
    elif upload.task is not None:
        upload.task.initial_run = upload.file
        upload.task.save(update_fields=["initial_run"])
    audit(
        collection.campaign,
        upload.uploaded_by,
        f"use {upload.get_purpose_display()}",
        f"{(upload.task or collection).slug} {upload.file.name}",
        **upload.facts,
    )


def _use_topics(upload: Upload, texts: dict[str, str]) -> None:
    collection = upload.collection
    if not upload.form:
        add_topics(collection, texts)
        collection.has_topic_file = True
        collection.save(update_fields=["has_topic_file"])
    row, _ = TopicForm.objects.get_or_create(
        collection=collection,
        form=upload.form or MAIN_FORM,
        language=upload.language,
        translation=upload.translation,
    )
    row.file = upload.file
    row.save(update_fields=["file"])
    set_texts(row, texts)
