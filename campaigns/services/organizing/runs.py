"""What organizers do to runs: score again, mark as pooled, bring back."""

from __future__ import annotations

from django.db import IntegrityError, transaction

from campaigns.models import Campaign, Run, RunState
from campaigns.policies import Viewer
from campaigns.services.boards import wake_boards
from campaigns.services.checks import start_scoring
from campaigns.services.events import audit, note
from campaigns.services.organizing.failures import failed_jobs_of
from campaigns.services.organizing.rights import require_organizer
from campaigns.services.refusals import RefusalError
from campaigns.services.retries import retry_run
from campaigns.services.scores import wake_comparisons


def rescore_run(viewer: Viewer, run: Run) -> None:
    """Score a run once more under every version in use; numbers that are there stay.

    Raises ``RefusalError`` for runs that were not accepted, or while there are no qrels.
    """
    campaign = run.task.campaign
    require_organizer(viewer, campaign)
    if run.state not in (RunState.ACCEPTED, RunState.SCORED):
        raise RefusalError("not_accepted", "Only an accepted run can be scored.", 409)
    if not run.task.boards.exists():
        raise RefusalError("no_qrels", "No qrels are published for this task yet.", 409)
    with transaction.atomic():
        start_scoring(run)
        wake_comparisons(run)
        note(run, "scored_again", viewer.user)
        audit(campaign, viewer.user, "score run again", run)


def retry_failed_runs(viewer: Viewer, campaign: Campaign) -> int:
    """Start the failed work of every run of a campaign again; how many runs."""
    require_organizer(viewer, campaign)
    jobs = failed_jobs_of(campaign).filter(run__isnull=False)
    runs = Run.objects.filter(pk__in=jobs.values("run"), deleted_at__isnull=True)
    started = 0
    for run in runs.select_related("task__campaign"):
        try:
            retry_run(viewer, run)
        except RefusalError:
            continue  # somebody else was faster
        started += 1
    return started


def mark_pooled(viewer: Viewer, run: Run, *, is_pooled: bool) -> None:
    """Say whether the documents of a run went into the pool that was judged."""
    campaign = run.task.campaign
    require_organizer(viewer, campaign)
    with transaction.atomic():
        changed = Run.objects.filter(pk=run.pk, is_pooled=not is_pooled).update(is_pooled=is_pooled)
        if changed:
            kind = "pooled" if is_pooled else "not_pooled"
            note(run, kind, viewer.user)
            action = "mark run as pooled" if is_pooled else "mark run as not pooled"
            audit(campaign, viewer.user, action, run)


def restore_run(viewer: Viewer, run: Run, reason: str) -> None:
    """Bring a withdrawn run back; raises ``RefusalError``."""
    campaign = run.task.campaign
    require_organizer(viewer, campaign)
    try:
        with transaction.atomic():
            changed = Run.objects.filter(pk=run.pk, withdrawn_at__isnull=False).update(
                withdrawn_at=None
            )
            if changed:
                note(run, "restored", viewer.user, reason=reason.strip())
                audit(campaign, viewer.user, "restore run", run, reason.strip())
                wake_boards(run.task)
    except IntegrityError as error:
        text = "The team has submitted the same text again since, so this run stays withdrawn."
        raise RefusalError("duplicate_submission", text, 409) from error
