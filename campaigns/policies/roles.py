"""What follows from a role or from being in a team of a campaign."""

from __future__ import annotations

from django.conf import settings

from campaigns.models import Role
from campaigns.policies.viewer import Viewer

VISITOR = "visitor"


def oversees(viewer: Viewer, campaign_id: int) -> bool:
    """Sees everything of a campaign: owner, organizer, assessor, site administrator."""
    return viewer.is_site_administrator or campaign_id in viewer.roles


def may_organize(viewer: Viewer, campaign_id: int) -> bool:
    """Changes a campaign: owner, organizer, site administrator."""
    role = viewer.roles.get(campaign_id)
    return viewer.is_site_administrator or role in (Role.OWNER, Role.ORGANIZER)


def may_create_campaign(viewer: Viewer) -> bool:
    """Site administrators, people they allow, and everybody where the site is set up so."""
    if viewer.user is None or viewer.seen_as is not None:
        return False
    return bool(settings.ANYBODY_MAY_ORGANIZE) or viewer.user.has_perm("campaigns.add_campaign")


def may_be_offered_to_organize(viewer: Viewer) -> bool:
    """Who is offered to start a campaign; a visitor is asked to log in first."""
    return may_create_campaign(viewer) or (
        viewer.user is None and bool(settings.ANYBODY_MAY_ORGANIZE)
    )


def may_change_role(viewer: Viewer, campaign_id: int, role: str) -> bool:
    """Owners give and take every role, organizers all but that of an owner."""
    if viewer.is_site_administrator or viewer.roles.get(campaign_id) == Role.OWNER:
        return True
    return may_organize(viewer, campaign_id) and role != Role.OWNER


def takes_part(viewer: Viewer, campaign_id: int) -> bool:
    """Is in a team of the campaign."""
    return campaign_id in viewer.teams.values()


def audience(viewer: Viewer, campaign_id: int) -> str:
    """Part of a cache key: who is looking, as far as it changes what is shown."""
    if oversees(viewer, campaign_id):
        return "overseer"
    if viewer.seen_as is not None:
        return f"seen as {viewer.seen_as}"
    own = sorted(team for team, campaign in viewer.teams.items() if campaign == campaign_id)
    return f"teams:{','.join(map(str, own))}" if own else VISITOR
