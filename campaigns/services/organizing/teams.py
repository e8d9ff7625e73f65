"""Teams are made and changed by organizers, who also add and remove members."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from campaigns.models import Campaign, Membership, Team
from campaigns.policies import Viewer
from campaigns.services.events import audit
from campaigns.services.organizing.campaigns import user_of
from campaigns.services.organizing.edits import apply, refuse_if_changed
from campaigns.services.organizing.rights import require_organizer
from campaigns.services.refusals import RefusalError

SETTINGS = ("name", "affiliation")
OWN_SLUG = "organizers"


def create_team(
    viewer: Viewer,
    campaign: Campaign,
    slug: str,
    columns: Mapping[str, Any],
    *,
    is_organizers: bool = False,
) -> Team:
    """A new team without members; raises ``RefusalError``."""
    require_organizer(viewer, campaign)
    taken = f"This campaign has a team {slug} already."
    try:
        with transaction.atomic():
            team = Team.objects.create(
                campaign=campaign, slug=slug, is_organizers=is_organizers, **columns
            )
            audit(campaign, viewer.user, "create team", slug, name=team.name)
    except IntegrityError as error:
        raise RefusalError("bad_field", taken, 409, {"slug": taken}) from error
    return team


def create_own_team(viewer: Viewer, campaign: Campaign) -> Team:
    """The organizers' own team, with the viewer in it: its runs are baselines."""
    require_organizer(viewer, campaign)
    team = Team.objects.filter(campaign=campaign, is_organizers=True, deleted_at=None).first()
    if team is None:
        columns = {"name": "Organizers"}
        team = create_team(viewer, campaign, OWN_SLUG, columns, is_organizers=True)
    if viewer.user is not None:
        add_member(viewer, team, viewer.user.email)
    return team


def change_team(viewer: Viewer, team: Team, columns: Mapping[str, Any], seen: str) -> Team:
    """Change name or affiliation; raises ``RefusalError``."""
    require_organizer(viewer, team.campaign)
    with transaction.atomic():
        row = Team.objects.select_for_update(no_key=True).get(pk=team.pk)
        refuse_if_changed(row, SETTINGS, seen, team.campaign)
        changed = apply(row, columns)
        if changed:
            audit(team.campaign, viewer.user, "change team", row.slug, changed=changed)
    return row


def add_member(viewer: Viewer, team: Team, email: str) -> Membership:
    """Put an account into a team; twice changes nothing. Raises ``RefusalError``."""
    require_organizer(viewer, team.campaign)
    user = user_of(email)
    with transaction.atomic():
        Team.objects.select_for_update(no_key=True).get(pk=team.pk)
        membership, is_new = Membership.objects.get_or_create(team=team, user=user, left_at=None)
        if is_new:
            audit(team.campaign, viewer.user, "add member", team.slug, member=user.email)
    return membership


def remove_member(viewer: Viewer, membership: Membership) -> None:
    """A person leaves a team; their runs stay the team's. Raises ``RefusalError``."""
    team = membership.team
    require_organizer(viewer, team.campaign)
    with transaction.atomic():
        has_left = Membership.objects.filter(pk=membership.pk, left_at__isnull=True).update(
            left_at=timezone.now()
        )
        if has_left:
            audit(
                team.campaign, viewer.user, "remove member", team.slug,
                member=membership.user.email,
            )  # fmt: skip
