"""Tasks and campaigns are deleted so that they can be brought back: rows are marked, none goes."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from campaigns import kinds, policies
from campaigns.models import Campaign, Role, Task
from campaigns.policies import Viewer
from campaigns.services.events import audit
from campaigns.services.organizing.rights import require_organizer
from campaigns.services.qrels import start_evaluation
from campaigns.services.refusals import RefusalError


def _refuse_wrong_name(slug: str, confirmation: str) -> None:
    if confirmation != slug:
        text = f"Type {slug} to confirm that this is what you want to delete."
        raise RefusalError("not_confirmed", text, 422, {"confirmation": text})


def _require_owner(viewer: Viewer, campaign: Campaign) -> None:
    if not policies.may_change_role(viewer, campaign.pk, Role.OWNER):
        text = "Only owners of the campaign delete it or bring it back."
        raise RefusalError("may_not_organize", text, 403)


def delete_task(viewer: Viewer, task: Task, confirmation: str) -> None:
    """Take a task with its runs and boards away from everybody; raises ``RefusalError``."""
    require_organizer(viewer, task.campaign)
    _refuse_wrong_name(task.slug, confirmation)
    _mark(viewer, task, task.campaign, "delete task", is_deleted=True)


def restore_task(viewer: Viewer, task: Task) -> None:
    """Bring a deleted task back as it was; raises ``RefusalError``.

    Qrels that were published meanwhile have passed it by: it is scored under them now.
    """
    require_organizer(viewer, task.campaign)
    with transaction.atomic():
        _mark(viewer, task, task.campaign, "bring back task", is_deleted=False)
        if kinds.of(task).is_graded:
            start_evaluation(task)


def delete_campaign(viewer: Viewer, campaign: Campaign, confirmation: str) -> None:
    """Take a campaign with all it holds away from everybody; raises ``RefusalError``."""
    _require_owner(viewer, campaign)
    _refuse_wrong_name(campaign.slug, confirmation)
    _mark(viewer, campaign, campaign, "delete campaign", is_deleted=True)


def restore_campaign(viewer: Viewer, campaign: Campaign) -> None:
    """Bring a deleted campaign back as it was; raises ``RefusalError``."""
    _require_owner(viewer, campaign)
    _mark(viewer, campaign, campaign, "bring back campaign", is_deleted=False)


def _mark(
    viewer: Viewer, row: Task | Campaign, campaign: Campaign, action: str, *, is_deleted: bool
) -> None:
    """Done once, however often it is asked for: the second time changes and notes nothing."""
    rows = type(row)._default_manager.filter(pk=row.pk, deleted_at__isnull=is_deleted)
    with transaction.atomic():
        if rows.update(deleted_at=timezone.now() if is_deleted else None):
            audit(campaign, viewer.user, action, row.slug)
