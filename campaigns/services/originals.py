"""Original runs: given by the organizers, checked and scored like any other."""

from __future__ import annotations

from django.db import transaction

from campaigns.models import (
    FilePurpose,
    JobKind,
    Origin,
    Original,
    Run,
    RunRole,
    RunState,
    User,
)
from campaigns.services import jobs
from campaigns.services.checks import lock_task
from campaigns.services.events import audit, note
from campaigns.services.qrels import start_evaluation
from campaigns.services.refusals import RefusalError
from campaigns.services.uploads import Received


def add_original_run(original: Original, role: str, received: Received, user: User | None) -> Run:
    """Take the baseline or advanced run of an original; ``RefusalError`` (409) if it has one."""
    if role not in RunRole.values:
        raise ValueError(f"A role is one of {', '.join(RunRole.values)}.")
    task = original.task
    with transaction.atomic():
        lock_task(task)
        if Run.objects.filter(
            original=original, role=role, origin=Origin.ORIGINAL, deleted_at__isnull=True
        ).exists():
            raise RefusalError("has_original", f"This original has its {role} run.", 409)
        stored = received.row(FilePurpose.RUN)
        stored.save(force_insert=True)
        run = Run.objects.create(
            task=task,
            origin=Origin.ORIGINAL,
            original=original,
            role=role,
            submitted_by=user,
            state=RunState.CHECKING,
            received_at=received.received_at,
            file=stored,
            text_sha256=received.text_sha256,
            title=original.title,
        )
        note(run, "received", user, name=received.name, size=received.size, sha256=received.sha256)
        audit(task.campaign, user, "add original run", f"{task.slug}/{original.slug} {role}")
        jobs.ensure(JobKind.CHECK, run=run)
        start_evaluation(task)
    return run
