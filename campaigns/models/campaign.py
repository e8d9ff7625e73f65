"""A campaign is one edition of a shared task; roles say who organizes it."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from campaigns.models.fields import one_of, slug_field


class Vocabulary(models.TextChoices):
    """Which of the two opposite naming traditions the pages use."""

    CENTRE = "centre", "CENTRE: replicability is the same collection"
    ACM = "acm", "ACM: reproducibility is the same collection"


class Campaign(models.Model):
    """One edition of a shared task, with its tasks, collections and teams."""

    slug = slug_field(unique=True)
    title = models.CharField(max_length=200)
    summary = models.CharField(max_length=500, blank=True)
    description = models.TextField(blank=True, help_text="Markdown")
    vocabulary = models.CharField(
        max_length=10, choices=Vocabulary.choices, default=Vocabulary.CENTRE
    )
    contact = models.EmailField(blank=True)
    website = models.URLField(blank=True)
    citation = models.TextField(blank=True)
    timezone = models.CharField(max_length=64, default="AoE")
    is_public = models.BooleanField(default=True)
    is_example = models.BooleanField(default=False, help_text="Made-up data, said on every page")
    created_at = models.DateTimeField(auto_now_add=True)
    deleted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at", "slug"]
        constraints = [
            models.CheckConstraint(
                condition=one_of("vocabulary", Vocabulary), name="campaign_vocabulary_known"
            )
        ]

    def __str__(self) -> str:
        return self.title


class Role(models.TextChoices):
    """What a person may do in a campaign beyond taking part."""

    OWNER = "owner", "Owner"
    ORGANIZER = "organizer", "Organizer"
    ASSESSOR = "assessor", "May see everything, change nothing"


class CampaignRole(models.Model):
    """A person's role in a campaign."""

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="roles")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="roles")
    role = models.CharField(max_length=10, choices=Role.choices, default=Role.ORGANIZER)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "user"], name="one_role_per_person_and_campaign"
            ),
            models.CheckConstraint(condition=one_of("role", Role), name="campaign_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user} ({self.role})"


class AuditEntry(models.Model):
    """What an organizer did, when and why. Append-only; keeps the actor's label."""

    campaign = models.ForeignKey(
        Campaign, models.PROTECT, related_name="audit", null=True, blank=True
    )
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", null=True, blank=True
    )
    actor_label = models.CharField(max_length=200)
    action = models.CharField(max_length=60)
    target = models.CharField(max_length=200)
    reason = models.TextField(blank=True)
    detail = models.JSONField(default=dict, blank=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-at", "-id"]
        indexes = [models.Index(fields=["campaign", "-at"], name="audit_by_campaign")]
        constraints = [
            models.CheckConstraint(condition=~Q(action=""), name="audit_entry_names_its_action")
        ]

    def __str__(self) -> str:
        return f"{self.actor_label}: {self.action} {self.target}"
