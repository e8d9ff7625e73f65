"""Campaigns, tasks, their boards and their judgments: who sees them."""

from __future__ import annotations

from campaigns.models import Campaign
from campaigns.models import Task as TaskModel
from campaigns.policies.dates import is_reached
from campaigns.policies.roles import oversees, takes_part
from campaigns.policies.viewer import Viewer


def may_see_campaign(viewer: Viewer, campaign: Campaign) -> bool:
    """A public campaign is everybody's, a private one its people's."""
    if campaign.deleted_at is not None:
        return False
    return campaign.is_public or oversees(viewer, campaign.id) or takes_part(viewer, campaign.id)


def may_see_task(viewer: Viewer, task: TaskModel) -> bool:
    """As its campaign."""
    return task.deleted_at is None and may_see_campaign(viewer, task.campaign)


def may_see_board(viewer: Viewer, task: TaskModel) -> bool:
    """The board shows scores of all runs."""
    return may_see_task(viewer, task) and (
        oversees(viewer, task.campaign_id) or is_reached(task.scores_from, viewer.now)
    )


def may_see_qrels(viewer: Viewer, task: TaskModel) -> bool:
    """Judgments, and the utilities of a pool."""
    return may_see_task(viewer, task) and (
        oversees(viewer, task.campaign_id) or is_reached(task.qrels_from, viewer.now)
    )
