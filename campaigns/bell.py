"""Rings a worker once the transaction is committed.

The message says only which row to look at; a bell that is not heard costs time, never work,
because recovery rings again.
"""

from __future__ import annotations

import logging
import time
from datetime import timedelta
from uuid import UUID

from celery import current_app
from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from campaigns.models import Job

logger = logging.getLogger(__name__)

# A frozen broker costs each bell seconds: after one that was not heard the next ones are left to
# recovery for a while, so that a change with a thousand bells waits once and not a thousand times.
PAUSE_SECONDS = 5.0
_silent_until = 0.0


def ring_after_commit(job_id: UUID, kind: str, queue: str) -> None:
    """Ring when the current transaction is committed; a dead broker is logged, not raised."""
    transaction.on_commit(lambda: _ring_unless_silent(job_id, kind, queue), robust=True)


def _ring_unless_silent(job_id: UUID, kind: str, queue: str) -> None:
    global _silent_until  # noqa: PLW0603  (the threads of a process share its broker)
    if time.monotonic() >= _silent_until and not ring(job_id, kind, queue):
        _silent_until = time.monotonic() + PAUSE_SECONDS


def ring(job_id: UUID, kind: str, queue: str) -> bool:
    """Send the message now; whether the broker took it."""
    try:
        current_app.send_task(
            f"campaigns.{kind}", args=[str(job_id)], queue=queue, retry=False, ignore_result=True
        )
    except Exception as error:  # noqa: BLE001  (whatever a broker raises, the row is safe)
        logger.warning("The bell for %s %s was not heard: %s", kind, job_id, error)
        return False
    Job.objects.filter(pk=job_id).update(rung_at=Now())
    return True


def silent_since(seconds: int) -> Q:
    """Jobs whose bell rang long enough ago to ring it again."""
    return Q(rung_at__isnull=True) | Q(rung_at__lt=Now() - timedelta(seconds=seconds))


def recovery_seconds() -> int:
    """How long a bell may go unheard."""
    return int(settings.RECOVERY_SECONDS)
