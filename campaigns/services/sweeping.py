"""Clears what has expired: kept answers, and files that no row knows."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import timedelta

from django.utils import timezone

from campaigns.models import IdempotentAnswer, StoredFile
from campaigns.services.uploads import runs_storage

logger = logging.getLogger(__name__)

ANSWERS_KEPT = timedelta(days=30)
# Longer than any upload may take: a file is stored before its row.
ORPHANS_KEPT = timedelta(days=1)


def _keys() -> Iterator[str]:
    storage = runs_storage()
    try:
        folders, _ = storage.listdir("")
    except FileNotFoundError:
        return
    for folder in folders:
        _, files = storage.listdir(folder)
        yield from (f"{folder}/{name}" for name in files)


def sweep_files() -> int:
    """Delete stored files older than a day that no row refers to; how many."""
    storage = runs_storage()
    before = timezone.now() - ORPHANS_KEPT
    swept = 0
    for key in list(_keys()):
        if StoredFile.objects.filter(key=key).exists():
            continue
        if storage.get_modified_time(key) < before:
            storage.delete(key)
            swept += 1
    return swept


def sweep_answers() -> int:
    """Delete kept answers of repeated requests after 30 days; how many."""
    before = timezone.now() - ANSWERS_KEPT
    return IdempotentAnswer.objects.filter(created_at__lt=before).delete()[0]


def sweep_all() -> None:
    """Everything that has expired."""
    logger.info("Swept %s files and %s answers", sweep_files(), sweep_answers())
