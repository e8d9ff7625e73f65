"""Rings a worker once the transaction is committed.

The message says only which row to look at; a bell that is not heard costs time, never work,
because recovery rings again.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import timedelta
from uuid import UUID

from celery import current_app
from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from campaigns.models import Job

logger = logging.getLogger(__name__)

# None: each bell is tried. A list: bells of a bulk change, silent once it holds a failure.
_unheard: ContextVar[list[UUID] | None] = ContextVar("unheard", default=None)


@contextmanager
def giving_up_early() -> Iterator[None]:
    """Around a transaction with many bells: after the first that is not heard none is tried.

    Otherwise each would wait for a dead broker in turn. Recovery rings them all.
    """
    token = _unheard.set([])
    try:
        yield
    finally:
        _unheard.reset(token)


def ring_after_commit(job_id: UUID, kind: str, queue: str) -> None:
    """Ring when the current transaction is committed; a dead broker is logged, not raised."""
    transaction.on_commit(lambda: ring(job_id, kind, queue), robust=True)


def ring(job_id: UUID, kind: str, queue: str) -> bool:
    """Send the message now; whether the broker took it."""
    unheard = _unheard.get()
    if unheard:
        return False
    try:
        current_app.send_task(
            f"campaigns.{kind}", args=[str(job_id)], queue=queue, retry=False, ignore_result=True
        )
    except Exception as error:  # noqa: BLE001  (whatever a broker raises, the row is safe)
        logger.warning("The bell for %s %s was not heard: %s", kind, job_id, error)
        if unheard is not None:
            unheard.append(job_id)
        return False
    Job.objects.filter(pk=job_id).update(rung_at=Now())
    return True


def silent_since(seconds: int) -> Q:
    """Jobs whose bell rang long enough ago to ring it again."""
    return Q(rung_at__isnull=True) | Q(rung_at__lt=Now() - timedelta(seconds=seconds))


def recovery_seconds() -> int:
    """How long a bell may go unheard."""
    return int(settings.RECOVERY_SECONDS)
