"""Teams: their names, their people, and who acts for them."""

from __future__ import annotations

from campaigns.models import Campaign, Team
from campaigns.models import Task as TaskModel
from campaigns.policies.campaigns import may_see_campaign
from campaigns.policies.dates import is_reached
from campaigns.policies.roles import may_organize, oversees
from campaigns.policies.viewer import Viewer


def may_see_team_name(viewer: Viewer, task: TaskModel, team_id: int) -> bool:
    """Names are withheld until their switch, but not from the team itself."""
    return (
        oversees(viewer, task.campaign_id)
        or team_id in viewer.teams
        or is_reached(task.team_names_from, viewer.now)
    )


def may_start_team(viewer: Viewer, campaign: Campaign) -> bool:
    """Everybody with an account who may see the campaign."""
    return viewer.user is not None and may_see_campaign(viewer, campaign)


def may_see_team(viewer: Viewer, team: Team) -> bool:
    """Who is in a team: its own people, and the organizers."""
    return team.deleted_at is None and (
        team.pk in viewer.teams or oversees(viewer, team.campaign_id)
    )


def may_manage_team(viewer: Viewer, team: Team) -> bool:
    """Invite, remove members, hand the team on: its contacts, and the organizers."""
    return may_see_team(viewer, team) and (
        team.pk in viewer.managed_teams or may_organize(viewer, team.campaign_id)
    )


def may_submit_for(viewer: Viewer, team_id: int) -> bool:
    """A member submits for the team."""
    return team_id in viewer.teams
