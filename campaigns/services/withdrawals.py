"""Runs leave the boards: withdrawn by their team, disqualified by the organizers."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from campaigns import policies
from campaigns.models import Run
from campaigns.services.boards import wake_boards
from campaigns.services.events import audit, note
from campaigns.services.refusals import RefusalError


def withdraw_run(viewer: policies.Viewer, run: Run) -> Run:
    """Take a run off the boards; its row and file stay. Twice changes nothing.

    Raises ``RefusalError`` (403) for others, and for its team once the task has closed.
    """
    if not policies.may_withdraw(viewer, run):
        raise RefusalError(
            "may_not_withdraw",
            "Only its team may withdraw a run, and only while the task takes runs. "
            "Ask the organizers.",
            403,
        )
    with transaction.atomic():
        changed = Run.objects.filter(pk=run.pk, withdrawn_at__isnull=True).update(
            withdrawn_at=timezone.now()
        )
        if changed:
            note(run, "withdrawn", viewer.user)
            audit(run.task.campaign, viewer.user, "withdraw run", run)
            wake_boards(run.task)
    run.refresh_from_db()
    return run


def disqualify_run(viewer: policies.Viewer, run: Run, reason: str) -> Run:
    """Unrank a run for a stated reason, which the board shows; raises ``RefusalError``."""
    if not policies.may_organize(viewer, run.task.campaign_id):
        raise RefusalError("may_not_organize", "Only organizers disqualify a run.", 403)
    if not reason.strip():
        raise RefusalError("bad_field", "Say why.", 422, {"reason": "The board shows the reason."})
    with transaction.atomic():
        Run.objects.filter(pk=run.pk).update(
            disqualified_at=timezone.now(), disqualified_reason=reason.strip()
        )
        note(run, "disqualified", viewer.user, reason=reason.strip())
        audit(run.task.campaign, viewer.user, "disqualify run", run, reason.strip())
        wake_boards(run.task)
    run.refresh_from_db()
    return run


def reinstate_run(viewer: policies.Viewer, run: Run, reason: str) -> Run:
    """Undo a disqualification; raises ``RefusalError`` for people who are no organizers."""
    if not policies.may_organize(viewer, run.task.campaign_id):
        raise RefusalError("may_not_organize", "Only organizers reinstate a run.", 403)
    with transaction.atomic():
        Run.objects.filter(pk=run.pk).update(disqualified_at=None, disqualified_reason="")
        note(run, "reinstated", viewer.user, reason=reason.strip())
        audit(run.task.campaign, viewer.user, "reinstate run", run, reason.strip())
        wake_boards(run.task)
    run.refresh_from_db()
    return run
