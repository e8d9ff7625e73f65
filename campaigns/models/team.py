"""Teams take part in a campaign; a team's systems tie its runs together over tasks."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from campaigns.models.campaign import Campaign
from campaigns.models.fields import slug_field


class Team(models.Model):
    """A group of people that submits runs in one campaign."""

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="teams")
    slug = slug_field()
    name = models.CharField(max_length=120)
    affiliation = models.CharField(max_length=200, blank=True)
    is_organizers = models.BooleanField(
        default=False, help_text="The organizers' own team; its runs are baselines"
    )
    invitation_digest = models.CharField(
        max_length=64, blank=True, editable=False, help_text="SHA-256 of the join link's secret"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    deleted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["slug"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "slug"], name="team_slug_unique_in_campaign"
            )
        ]

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """A person in a team. Leaving keeps the row, so that old runs keep their people."""

    team = models.ForeignKey(Team, models.PROTECT, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="memberships")
    is_contact = models.BooleanField(default=False)
    joined_at = models.DateTimeField(auto_now_add=True)
    left_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["team", "user"],
                condition=Q(left_at__isnull=True),
                name="one_current_membership",
            )
        ]

    def __str__(self) -> str:
        return f"{self.user} in {self.team}"


class System(models.Model):
    """What produced runs: joins a team's runs over tasks (a model, a pipeline)."""

    team = models.ForeignKey(Team, models.PROTECT, related_name="systems")
    slug = slug_field()
    name = models.CharField(max_length=120)
    description = models.TextField(blank=True)
    metadata = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["slug"]
        constraints = [
            models.UniqueConstraint(fields=["team", "slug"], name="system_slug_unique_in_team")
        ]

    def __str__(self) -> str:
        return self.name
