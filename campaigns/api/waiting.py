"""``?wait=``: a few callers may wait for a run to settle; the others are answered at once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from django.conf import settings
from django.db import connection

FIRST_PAUSE, LONGEST_PAUSE = 0.1, 1.0
_places = threading.BoundedSemaphore(settings.MAX_WAITERS)


def seconds_asked(text: str | None) -> float:
    """The wait asked for, cut at the maximum; nonsense waits not at all."""
    try:
        asked = float(text or 0)
    except ValueError:
        return 0.0
    return min(asked, float(settings.MAX_WAIT_SECONDS)) if asked > 0 else 0.0


def wait_until(is_settled: Callable[[], bool], seconds: float) -> bool:
    """Ask again and again, without holding a database connection meanwhile."""
    if is_settled():
        return True
    if seconds <= 0 or not _places.acquire(blocking=False):
        return False
    try:
        end, pause = time.monotonic() + seconds, FIRST_PAUSE
        while (left := end - time.monotonic()) > 0:
            if not connection.in_atomic_block:
                connection.close()
            time.sleep(min(pause, left))
            pause = min(2 * pause, LONGEST_PAUSE)
            if is_settled():
                return True
        return False
    finally:
        _places.release()
