"""Campaigns are created and changed; their people get and lose roles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction

from campaigns import policies
from campaigns.models import Campaign, CampaignRole, Role, User, normal_email
from campaigns.policies import Viewer
from campaigns.services.events import audit
from campaigns.services.organizing.edits import apply, refuse_if_changed
from campaigns.services.organizing.rights import require_organizer
from campaigns.services.refusals import RefusalError

SETTINGS = (
    "title",
    "summary",
    "description",
    "vocabulary",
    "contact",
    "website",
    "citation",
    "timezone",
    "is_public",
)
NO_ACCOUNT = "There is no account with this address. Ask the person to sign up first."


def create_campaign(viewer: Viewer, slug: str, columns: Mapping[str, Any]) -> Campaign:
    """A new campaign whose owner is the viewer; raises ``RefusalError``."""
    if not policies.may_create_campaign(viewer) or viewer.user is None:
        raise RefusalError("may_not_organize", "Your account may not create campaigns.", 403)
    taken = f"The name {slug} is taken: choose another one."
    try:
        with transaction.atomic():
            campaign = Campaign.objects.create(slug=slug, **columns)
            CampaignRole.objects.create(campaign=campaign, user=viewer.user, role=Role.OWNER)
            audit(campaign, viewer.user, "create campaign", slug)
    except IntegrityError as error:
        raise RefusalError("bad_field", taken, 409, {"slug": taken}) from error
    return campaign


def change_campaign(
    viewer: Viewer, campaign: Campaign, columns: Mapping[str, Any], seen: str
) -> Campaign:
    """Change settings; raises ``RefusalError``, also when somebody else was faster."""
    require_organizer(viewer, campaign)
    with transaction.atomic():
        row = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
        refuse_if_changed(row, SETTINGS, seen, row)
        changed = apply(row, columns)
        if changed:
            audit(row, viewer.user, "change campaign", row.slug, changed=changed)
    return row


def user_of(email: str) -> User:
    """The active account of an address; raises ``RefusalError`` (422)."""
    user = User.objects.filter(email=normal_email(email), is_active=True).first()
    if user is None:
        raise RefusalError("bad_field", NO_ACCOUNT, 422, {"email": NO_ACCOUNT})
    return user


def _require_right(viewer: Viewer, campaign: Campaign, *roles: str) -> None:
    require_organizer(viewer, campaign)
    if not all(policies.may_change_role(viewer, campaign.pk, role) for role in roles):
        raise RefusalError("may_not_organize", "Only owners give or take this role.", 403)


def _refuse_without_owner(campaign: Campaign, leaving: User) -> None:
    others = CampaignRole.objects.filter(campaign=campaign, role=Role.OWNER).exclude(user=leaving)
    if not others.exists():
        raise RefusalError(
            "last_owner", "A campaign keeps an owner: make somebody else owner first.", 409
        )


def give_role(viewer: Viewer, campaign: Campaign, email: str, role: str) -> CampaignRole:
    """Give an account a role, in place of the one it has; raises ``RefusalError``."""
    _require_right(viewer, campaign, role)
    user = user_of(email)
    with transaction.atomic():
        Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
        row = CampaignRole.objects.filter(campaign=campaign, user=user).first()
        if row is None:
            row = CampaignRole(campaign=campaign, user=user, role=role)
        else:
            _require_right(viewer, campaign, row.role)
            if row.role == Role.OWNER and role != Role.OWNER:
                _refuse_without_owner(campaign, user)
            row.role = role
        row.save()
        audit(campaign, viewer.user, "give role", user.email, role=role)
    return row


def take_role(viewer: Viewer, row: CampaignRole) -> None:
    """Take a person's role; the last owner stays. Raises ``RefusalError``."""
    _require_right(viewer, row.campaign, row.role)
    with transaction.atomic():
        Campaign.objects.select_for_update(no_key=True).get(pk=row.campaign_id)
        if row.role == Role.OWNER:
            _refuse_without_owner(row.campaign, row.user)
        CampaignRole.objects.filter(pk=row.pk).delete()
        audit(row.campaign, viewer.user, "take role", row.user.email, role=row.role)
