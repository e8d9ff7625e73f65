"""Who looks, and at which moment: roles and teams, or an organizer's look through other eyes."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from campaigns.models import CampaignRole, Membership
from campaigns.models.user import User


@dataclass(frozen=True)
class SeenAs:
    """Whose eyes: a participant of a campaign, perhaps of a certain team, or a visitor."""

    campaign_id: int
    is_participant: bool
    team_id: int | None = None


# In place of the team of a participant who is in none that exists.
NO_TEAM = 0


@dataclass(frozen=True)
class Viewer:
    """Somebody who looks, at a moment; ``user`` is None for a visitor.

    ``seen_as`` is an organizer's look through the eyes of others: no roles, and either the one
    team named there or none.
    """

    user: User | None
    now: datetime = field(default_factory=timezone.now)
    seen_as: SeenAs | None = None

    @classmethod
    def of(cls, user: Any) -> Viewer:
        """The viewer behind ``request.user``; anonymous and inactive people are visitors."""
        is_somebody = getattr(user, "is_authenticated", False) and user.is_active
        return cls(user if is_somebody else None)

    @cached_property
    def roles(self) -> dict[int, str]:
        """Role by campaign."""
        if self.user is None or self.seen_as is not None:
            return {}
        rows = CampaignRole.objects.filter(user=self.user)
        return dict(rows.values_list("campaign_id", "role"))

    @cached_property
    def teams(self) -> dict[int, int]:
        """Campaign by team, for the teams the viewer is in now."""
        if self.seen_as is not None:
            if not self.seen_as.is_participant:
                return {}
            return {self.seen_as.team_id or NO_TEAM: self.seen_as.campaign_id}
        if self.user is None:
            return {}
        rows = Membership.objects.filter(
            user=self.user, left_at__isnull=True, team__deleted_at__isnull=True
        )
        return dict(rows.values_list("team_id", "team__campaign_id"))

    @cached_property
    def managed_teams(self) -> set[int]:
        """Teams the viewer is a contact of; in a team without a contact all members are."""
        if self.user is None or self.seen_as is not None:
            return set()
        current = Membership.objects.filter(left_at__isnull=True)
        contacts = current.filter(team=OuterRef("team"), is_contact=True)
        rows = current.filter(Q(is_contact=True) | ~Exists(contacts), user=self.user)
        return set(rows.filter(team__deleted_at__isnull=True).values_list("team_id", flat=True))

    @property
    def is_site_administrator(self) -> bool:
        """Runs the site: organizes everywhere."""
        return self.user is not None and self.user.is_superuser and self.seen_as is None

    def as_seen(self, how: SeenAs) -> Viewer:
        """The same moment through other eyes; never more than the viewer's own."""
        return Viewer(self.user if how.is_participant else None, self.now, how)
