"""What surrounds a job in a worker: its claim, its heartbeat, and what becomes of errors."""

from __future__ import annotations

import atexit
import logging
import os
import socket
import threading
import uuid
from collections.abc import Callable
from types import TracebackType
from typing import Self

from billiard.exceptions import SoftTimeLimitExceeded
from celery.signals import worker_process_init, worker_ready
from django.conf import settings
from django.db import connection, transaction

from campaigns.models import Job
from campaigns.services import jobs
from evaluation.memory import keep_freed_memory

logger = logging.getLogger(__name__)

# Made once in the main process and inherited by its pool children.
WORKER = f"{socket.gethostname()}/{uuid.uuid4().hex[:12]}"

TOO_LONG = "This took longer than the site allows and was stopped."
UNEXPECTED = "Something unexpected went wrong while working on this. The organizers can see it."


class RefusedError(Exception):
    """Work that cannot be done, with a reason its owner can read; it is not tried again."""


class Heartbeat:
    """Renews the lease of a claim from a thread of its own while the work goes on."""

    def __init__(self, held: jobs.Claim) -> None:
        self._held = held
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="heartbeat", daemon=True)

    def _beat(self) -> None:
        try:
            while not self._stop.wait(settings.HEARTBEAT_SECONDS):
                try:
                    if not jobs.renew(self._held):
                        return
                except Exception as error:  # noqa: BLE001  (a missed beat is made good by the next)
                    logger.warning("Lease of %s not renewed: %s", self._held.job.pk, error)
                    connection.close()
        finally:
            connection.close()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop.set()
        self._thread.join(timeout=5)


AfterFailure = Callable[[Job], None]


def _claim(job_id: str, after_failure: AfterFailure) -> jobs.Claim | None:
    with transaction.atomic():
        try:
            return jobs.claim(job_id, f"{WORKER}/{os.getpid()}")
        except jobs.GivenUpError:
            after_failure(Job.objects.get(pk=job_id))
            return None


def _end(held: jobs.Claim, has_failed: Callable[[], bool], after_failure: AfterFailure) -> None:
    """A failure and what follows from it are one transaction: a worker may die in between."""
    with transaction.atomic():
        if has_failed():
            after_failure(held.job)


def work(job_id: str, do: Callable[[jobs.Claim], None], after_failure: AfterFailure) -> None:
    """Claim a job, do it, and end it one way or another; safe to call twice at once."""
    held = _claim(job_id, after_failure)
    if held is None:
        return
    try:
        with Heartbeat(held):
            do(held)
    except jobs.StaleClaimError:
        logger.info("Job %s was taken over; nothing written.", job_id)
    except RefusedError as refusal:
        reason = str(refusal)
        _end(held, lambda: jobs.fail(held, reason), after_failure)
    except SoftTimeLimitExceeded:
        _end(held, lambda: jobs.fail(held, TOO_LONG), after_failure)
    except Exception:
        logger.exception("Job %s (%s) stumbled", job_id, held.job)
        _end(held, lambda: jobs.stumble(held, UNEXPECTED), after_failure)


@worker_ready.connect
def recover_at_start(**_: object) -> None:
    """A worker that starts rings for what nobody heard."""
    try:
        jobs.recover()
    except Exception:
        logger.exception("Recovery at start failed; beat tries again")
    finally:
        connection.close()  # pool children started later must not inherit it


@worker_process_init.connect
def reuse_memory(**_: object) -> None:
    """A pool child reads one large file after the other."""
    keep_freed_memory()


@worker_ready.connect
def promise_to_give_back(**_: object) -> None:
    """At the end of the main process, since a cold shutdown sends no signal."""
    atexit.register(give_back_at_end)


def give_back_at_end() -> None:
    """Hand back what the pool still held; the next worker need not wait for the lease."""
    try:
        jobs.give_back(f"{WORKER}/")
    except Exception:
        logger.exception("Claims were not given back; their leases run out")
    finally:
        connection.close()
