"""Participants start teams, invite each other by a secret link, leave, and hand a team on."""

from __future__ import annotations

import hashlib
import secrets
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.text import slugify

from campaigns import policies
from campaigns.models import Campaign, Membership, Run, Task, Team, User
from campaigns.policies import Viewer
from campaigns.querysets import naming_tasks
from campaigns.services.events import audit
from campaigns.services.refusals import RefusalError

MAX_TEAMS = 5
"""Current teams of one person in one campaign; limits of runs count by team."""

MAX_MEMBERS = 50
NO_LINK = "This link leads to no team. It may have been renewed or ended: ask for a new one."


def digest_of(secret: str) -> str:
    """What is kept of the secret of a join link."""
    return hashlib.sha256(secret.encode()).hexdigest()


def is_over(campaign: Campaign, viewer: Viewer) -> bool:
    """Whether the campaign has tasks and none of them takes runs any more."""
    tasks = list(Task.objects.filter(campaign=campaign, deleted_at__isnull=True))
    return bool(tasks) and all(policies.is_past_deadline(task, viewer.now) for task in tasks)


def start_team(viewer: Viewer, campaign: Campaign, name: str, affiliation: str = "") -> Team:
    """A new team with the viewer as its first member and contact; raises ``RefusalError``."""
    if viewer.user is None or not policies.may_start_team(viewer, campaign):
        raise RefusalError("may_not_start_team", "Log in to start a team.", 403)
    if is_over(campaign, viewer):
        raise RefusalError("campaign_over", "All tasks of this campaign have closed.", 403)
    _refuse_known_name(viewer, campaign, name)
    with transaction.atomic():
        _lock(campaign)
        _refuse_too_many(viewer.user, campaign)
        team = _create(campaign, name, affiliation)
        Membership.objects.create(team=team, user=viewer.user, is_contact=True)
        audit(campaign, viewer.user, "create team", team.slug, name=name)
    return team


def _lock(campaign: Campaign) -> None:
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)


def _refuse_known_name(viewer: Viewer, campaign: Campaign, name: str) -> None:
    """Two teams of one name mislead; but a name that the viewer may not see is not given away."""
    tasks = list(naming_tasks().filter(campaign=campaign))
    for team in Team.objects.filter(campaign=campaign, deleted_at__isnull=True):
        if team.name.casefold() == name.casefold() and all(
            policies.may_see_team_name(viewer, task, team.pk) for task in tasks
        ):
            text = "A team of this campaign has this name. Choose another, or ask it for its link."
            raise RefusalError("bad_field", text, 409, {"name": text})


def _refuse_too_many(user: User, campaign: Campaign) -> None:
    current = Membership.objects.filter(
        user=user, left_at__isnull=True, team__campaign=campaign, team__deleted_at__isnull=True
    )
    if current.count() >= MAX_TEAMS:
        raise RefusalError(
            "too_many_teams",
            f"You are in {MAX_TEAMS} teams of this campaign, and more are not possible. "
            "Leave one first.",
            409,
        )


def _create(campaign: Campaign, name: str, affiliation: str) -> Team:
    wanted = slugify(name)[:48].strip("-_.") or "team"
    for _ in range(5):
        try:
            with transaction.atomic():
                return Team.objects.create(
                    campaign=campaign, slug=wanted, name=name, affiliation=affiliation
                )
        except IntegrityError:
            wanted = f"{wanted[:48]}-{secrets.token_hex(3)}"
    raise RefusalError("bad_field", "Choose another name.", 409, {"name": "Choose another name."})


def invite(viewer: Viewer, team: Team) -> str:
    """The secret of a new join link, shown once; an older link ends. Raises ``RefusalError``."""
    _require_manager(viewer, team)
    secret = secrets.token_urlsafe(24)
    with transaction.atomic():
        Team.objects.filter(pk=team.pk).update(invitation_digest=digest_of(secret))
        audit(team.campaign, viewer.user, "make join link", team.slug)
    return secret


def end_invitation(viewer: Viewer, team: Team) -> None:
    """The join link ends; twice changes nothing. Raises ``RefusalError``."""
    _require_manager(viewer, team)
    with transaction.atomic():
        if (
            Team.objects.filter(pk=team.pk)
            .exclude(invitation_digest="")
            .update(invitation_digest="")
        ):
            audit(team.campaign, viewer.user, "end join link", team.slug)


def invited_to(digest: str) -> Team | None:
    """The team that a join link leads to, by the digest of its secret, if the link stands."""
    if not digest:
        return None
    return (
        Team.objects.filter(
            invitation_digest=digest,
            deleted_at__isnull=True,
            campaign__deleted_at__isnull=True,
        )
        .select_related("campaign")
        .first()
    )


def join_team(viewer: Viewer, digest: str) -> Team:
    """Become a member by the link; twice changes nothing. Raises ``RefusalError``."""
    if viewer.user is None:
        raise RefusalError("not_logged_in", "Log in to join a team.", 403)
    team = invited_to(digest)
    if team is None:
        raise RefusalError("no_link", NO_LINK, 404)
    with transaction.atomic():
        _lock(team.campaign)
        if Membership.objects.filter(team=team, user=viewer.user, left_at__isnull=True).exists():
            return team
        _refuse_too_many(viewer.user, team.campaign)
        members = Membership.objects.filter(team=team, left_at__isnull=True)
        if members.count() >= MAX_MEMBERS:
            raise RefusalError("team_full", f"A team has at most {MAX_MEMBERS} members.", 409)
        is_contact = not members.exists()
        Membership.objects.create(team=team, user=viewer.user, is_contact=is_contact)
        audit(team.campaign, viewer.user, "join team", team.slug)
    return team


def leave_team(viewer: Viewer, team: Team) -> None:
    """The viewer leaves; runs stay the team's. Raises ``RefusalError``."""
    if viewer.user is None or team.pk not in viewer.teams:
        raise RefusalError("not_a_member", "You are not a member of this team.", 403)
    with transaction.atomic():
        _lock(team.campaign)
        if _end_membership(team, viewer.user):
            audit(team.campaign, viewer.user, "leave team", team.slug)


def remove_from_team(viewer: Viewer, team: Team, person: UUID) -> User:
    """Somebody is taken out of the team; raises ``RefusalError``."""
    _require_manager(viewer, team)
    user = _member(team, person).user
    with transaction.atomic():
        _lock(team.campaign)
        if _end_membership(team, user):
            # A link that the removed person knows would let them in again.
            Team.objects.filter(pk=team.pk).update(invitation_digest="")
            audit(team.campaign, viewer.user, "remove member", team.slug, member=user.email)
    return user


def set_contact(viewer: Viewer, team: Team, person: UUID, *, is_contact: bool) -> User:
    """Make a member a contact, or an ordinary member; one contact stays. ``RefusalError``."""
    _require_manager(viewer, team)
    membership = _member(team, person)
    with transaction.atomic():
        _lock(team.campaign)
        others = _contacts(team).exclude(pk=membership.pk)
        if not is_contact and not others.exists():
            raise RefusalError("last_contact", "A team needs one contact: name another first.", 409)
        Membership.objects.filter(pk=membership.pk).update(is_contact=is_contact)
        action = "make contact" if is_contact else "end contact"
        audit(team.campaign, viewer.user, action, team.slug, member=membership.user.email)
    return membership.user


def _require_manager(viewer: Viewer, team: Team) -> None:
    if not policies.may_manage_team(viewer, team):
        raise RefusalError("not_a_contact", "Only a contact of the team may do this.", 403)


def _member(team: Team, person: UUID) -> Membership:
    found = (
        Membership.objects.filter(team=team, user__public_id=person, left_at__isnull=True)
        .select_related("user")
        .first()
    )
    if found is None:
        raise RefusalError("not_a_member", "This person is not in the team.", 404)
    return found


def _contacts(team: Team) -> QuerySet[Membership]:
    return Membership.objects.filter(team=team, left_at__isnull=True, is_contact=True)


def _end_membership(team: Team, user: User) -> bool:
    """Call it with the campaign locked. The oldest member follows the last contact."""
    current = Membership.objects.filter(team=team, left_at__isnull=True)
    if not current.filter(user=user).update(left_at=timezone.now(), is_contact=False):
        return False
    heir = current.order_by("joined_at", "pk").first()
    if heir is None:
        changes: dict[str, object] = {"invitation_digest": ""}
        if not Run.objects.filter(team=team).exists():
            changes["deleted_at"] = timezone.now()
        Team.objects.filter(pk=team.pk).update(**changes)
    elif not _contacts(team).exists():
        current.filter(pk=heir.pk).update(is_contact=True)
    return True
