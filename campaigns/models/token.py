"""REST tokens and the answers kept for repeated requests."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q


class Scope(models.TextChoices):
    """What a token may be used for."""

    READ = "read", "read"
    SUBMIT = "submit", "submit runs"
    ORGANIZE = "organize", "organize campaigns"


class ApiToken(models.Model):
    """A token, kept only as a digest. Ended tokens stay, so that an answer can say when."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="api_tokens")
    name = models.CharField(max_length=120)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    prefix = models.CharField(max_length=12, editable=False)
    scopes = models.JSONField(default=list)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"


class IdempotentAnswer(models.Model):
    """The first answer to a request with an Idempotency-Key, given again to its repetitions."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    key = models.CharField(max_length=255)
    request_digest = models.CharField(
        max_length=64, help_text="SHA-256 over path, fields and file contents"
    )
    status = models.PositiveSmallIntegerField()
    body = models.JSONField()
    location = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "key"], name="idempotency_key_unique_per_user"),
            models.CheckConstraint(condition=~Q(key=""), name="idempotency_key_not_empty"),
        ]

    def __str__(self) -> str:
        return self.key
