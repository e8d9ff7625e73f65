"""The demo of ``make run``: example campaigns and two accounts whose passwords are made here."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from allauth.account.models import EmailAddress
from django.db import transaction

from campaigns.models import Campaign, CampaignRole, Membership, Role, Team, User

ORGANIZER, PARTICIPANT = "organizer@example.org", "participant@example.org"
NAMES = {ORGANIZER: "Olive Organizer", PARTICIPANT: "Pat Participant"}
TEAM = "demo-team"


@dataclass(frozen=True, slots=True)
class Demo:
    """The demo accounts with their passwords, and which campaigns were loaded just now."""

    passwords: dict[str, str]
    loaded: list[str]


def prepare_demo(campaigns: Mapping[str, Callable[[], Campaign]], accounts_file: Path) -> Demo:
    """Load what is missing of the example campaigns and give the demo accounts their places.

    ``campaigns``: by slug, what loads a campaign, called only for one that is not there. The
    passwords are random and lie in ``accounts_file``, for its owner alone; without it the accounts
    get new ones. Doing it again changes nothing.
    """
    passwords = _passwords(accounts_file)
    users = {email: _account(email, passwords[email]) for email in NAMES}
    loaded = []
    for slug, load in campaigns.items():
        campaign = Campaign.objects.filter(slug=slug).first()
        if campaign is None:
            campaign = load()
            loaded.append(slug)
        _give_places(campaign, users)
    return Demo(passwords, loaded)


def _passwords(file: Path) -> dict[str, str]:
    try:
        known = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        known = {}
    if isinstance(known, dict) and all(isinstance(known.get(email), str) for email in NAMES):
        return {email: known[email] for email in NAMES}
    made = {email: secrets.token_urlsafe(9) for email in NAMES}
    file.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as target:
        json.dump(made, target, indent=1)
    return made


def _account(email: str, password: str) -> User:
    with transaction.atomic():
        user = User.objects.filter(email=email).first()
        if user is None:
            user = User.objects.create_user(email, password, name=NAMES[email])
        elif not user.check_password(password):
            user.set_password(password)
            user.save(update_fields=["password"])
        EmailAddress.objects.get_or_create(
            user=user, email=email, defaults={"verified": True, "primary": True}
        )
    return user


def _give_places(campaign: Campaign, users: dict[str, User]) -> None:
    with transaction.atomic():
        CampaignRole.objects.get_or_create(
            campaign=campaign, user=users[ORGANIZER], defaults={"role": Role.ORGANIZER}
        )
        team = Team.objects.filter(campaign=campaign, slug=TEAM).first()
        if team is not None:
            Membership.objects.get_or_create(team=team, user=users[PARTICIPANT], left_at=None)
