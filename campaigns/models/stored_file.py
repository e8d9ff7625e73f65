"""Files in the store. Checksums are columns; the key is a UUID, never a name or a hash."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q

from campaigns.models.fields import one_of


class FilePurpose(models.TextChoices):
    """What a stored file is for."""

    RUN = "run", "run"
    QRELS = "qrels", "qrels"
    POOL = "pool", "pool"
    TOPICS = "topics", "topics"
    DOCUMENT_IDS = "document_ids", "document ids"
    INITIAL_RUN = "initial_run", "initial run"
    TOPIC_SCORES = "topic_scores", "topic scores"
    EXPORT = "export", "export"


class StoredFile(models.Model):
    """A file whose bytes lie under ``key`` in ``STORAGES["runs"]``, written once."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    key = models.CharField(max_length=200, unique=True)
    purpose = models.CharField(max_length=12, choices=FilePurpose.choices)
    name = models.CharField(max_length=255, blank=True, help_text="As uploaded; for display only")
    is_gzip = models.BooleanField(default=False)
    size = models.BigIntegerField(help_text="Bytes as uploaded")
    text_size = models.BigIntegerField(help_text="Bytes after decompression")
    sha256 = models.CharField(max_length=64, help_text="Of the bytes as uploaded")
    text_sha256 = models.CharField(max_length=64, help_text="Of the decompressed text")
    created_at = models.DateTimeField(auto_now_add=True)
    deleted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(size__gte=0, text_size__gte=0), name="file_sizes_not_negative"
            ),
            models.CheckConstraint(
                condition=one_of("purpose", FilePurpose), name="file_purpose_known"
            ),
        ]

    def __str__(self) -> str:
        return self.name or str(self.id)
