"""Files that organizers upload: stored at once, checked in the background, taken or refused."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

from campaigns.models.campaign import Campaign
from campaigns.models.collection import Collection, Qrels, Translation
from campaigns.models.fields import one_of
from campaigns.models.stored_file import FilePurpose, StoredFile
from campaigns.models.task import Task


class UploadState(models.TextChoices):
    """Life of an upload."""

    CHECKING = "checking", "being checked"
    TAKEN = "taken", "taken"
    REFUSED = "refused", "has faults"


class Upload(models.Model):
    """One file of the organizers with the report of its check. ``qrels`` is what it became."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="uploads")
    collection = models.ForeignKey(Collection, models.PROTECT, related_name="uploads")
    task = models.ForeignKey(
        Task, models.PROTECT, related_name="uploads", null=True, blank=True,
        help_text="Set for pools and initial runs",
    )  # fmt: skip
    purpose = models.CharField(max_length=12, choices=FilePurpose.choices)
    file = models.ForeignKey(StoredFile, models.PROTECT, related_name="+")
    form = models.CharField(max_length=40, blank=True, help_text="Of topics: which wording")
    language = models.CharField(max_length=12, blank=True)
    translation = models.CharField(
        max_length=8, choices=Translation.choices, default=Translation.NONE
    )
    state = models.CharField(
        max_length=10, choices=UploadState.choices, default=UploadState.CHECKING
    )
    messages = models.JSONField(default=list, blank=True)
    facts = models.JSONField(default=dict, blank=True, help_text="What the file holds, in numbers")
    reason = models.CharField(
        max_length=500, blank=True, help_text="Why it was refused, beside the faults of its lines"
    )
    changelog = models.TextField(blank=True)
    qrels = models.ForeignKey(Qrels, models.PROTECT, related_name="uploads", null=True, blank=True)
    uploaded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", null=True, blank=True
    )
    created_at = models.DateTimeField(auto_now_add=True)
    checked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(
                condition=one_of("purpose", FilePurpose)
                & one_of("state", UploadState)
                & one_of("translation", Translation),
                name="upload_choices_known",
            ),
            models.CheckConstraint(
                condition=Q(state=UploadState.CHECKING) | Q(checked_at__isnull=False),
                name="checked_upload_says_when",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_purpose_display()} {self.file}"
