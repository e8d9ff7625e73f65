"""Original pairs: made by organizers, with a file for each of their two runs."""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone

from campaigns import kinds
from campaigns.models import Origin, Original, Run, RunState, Task
from campaigns.policies import Viewer
from campaigns.services.checks import lock_task
from campaigns.services.events import audit, note
from campaigns.services.organizing.rights import require_organizer
from campaigns.services.originals import add_original_run
from campaigns.services.refusals import RefusalError
from campaigns.services.uploads import Received


def create_original(
    viewer: Viewer, task: Task, slug: str, *, title: str, paper: str = ""
) -> Original:
    """A pair without its runs yet; raises ``RefusalError``."""
    require_organizer(viewer, task.campaign)
    if not kinds.of(task).is_pair:
        raise RefusalError("bad_field", "This task takes single runs, not pairs.", 422)
    taken = f"This task has an original {slug} already."
    last = Original.objects.filter(task=task).aggregate(last=Max("position"))["last"]
    try:
        with transaction.atomic():
            original = Original.objects.create(
                task=task,
                slug=slug,
                title=title,
                paper=paper,
                position=0 if last is None else last + 1,
            )
            audit(task.campaign, viewer.user, "create original", f"{task.slug}/{slug}")
    except IntegrityError as error:
        raise RefusalError("bad_field", taken, 409, {"slug": taken}) from error
    return original


def give_original_run(viewer: Viewer, original: Original, role: str, received: Received) -> Run:
    """Take a run of an original, also in place of one that was rejected.

    Raises ``RefusalError`` for a role that has a sound run: its numbers stand on boards.
    """
    task = original.task
    require_organizer(viewer, task.campaign)
    with transaction.atomic():
        lock_task(task)
        rejected = Run.objects.filter(
            original=original,
            role=role,
            origin=Origin.ORIGINAL,
            state=RunState.REJECTED,
            deleted_at__isnull=True,
        )
        for run in rejected:
            run.deleted_at = timezone.now()
            run.save(update_fields=["deleted_at"])
            note(run, "replaced", viewer.user)
        return add_original_run(original, role, received, viewer.user)
