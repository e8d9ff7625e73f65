"""Rate limits by minute, counted in the cache. A cache that is away limits nobody."""

from __future__ import annotations

import time
from typing import Any

from django.conf import settings
from django.core.cache import cache
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

WINDOW = 60


class MinuteThrottle(BaseThrottle):
    """Counts requests of a caller in the current minute."""

    per_minute = 600
    scope = "user"

    def is_concerned(self, request: Request) -> bool:
        """Whether this limit is for the caller."""
        return bool(request.user and request.user.is_authenticated)

    def caller(self, request: Request) -> str:
        """Whom the requests are counted for."""
        return str(request.user.pk)

    def allow_request(self, request: Request, view: Any) -> bool:
        """Whether the caller is still below the limit."""
        if not self.is_concerned(request):
            return True
        window = int(time.time()) // WINDOW
        key = f"throttle:{self.scope}:{self.caller(request)}:{window}"
        try:
            cache.add(key, 0, timeout=2 * WINDOW)
            used = cache.incr(key)
        except ValueError:  # the cache is away, or forgot the key between the two calls
            return True
        return used <= self.per_minute

    def wait(self) -> float:
        """Seconds until the next minute begins."""
        return WINDOW - time.time() % WINDOW


class UserThrottle(MinuteThrottle):
    """Everything a person or their scripts ask for."""


class VisitorThrottle(MinuteThrottle):
    """Everything asked from one address without an account."""

    per_minute = 240
    scope = "visitor"

    def is_concerned(self, request: Request) -> bool:
        """Visitors only."""
        return not super().is_concerned(request)

    def caller(self, request: Request) -> str:
        """The address; a forwarded one counts only behind our own proxy."""
        forwarded = str(request.META.get("HTTP_X_FORWARDED_FOR", ""))
        if forwarded and getattr(settings, "SECURE_PROXY_SSL_HEADER", None):
            return forwarded.rpartition(",")[2].strip()
        return str(request.META.get("REMOTE_ADDR", ""))


class SubmissionThrottle(MinuteThrottle):
    """Files handed in; quotas of the tasks stand beside this."""

    per_minute = 120
    scope = "submission"

    def is_concerned(self, request: Request) -> bool:
        """Writing people."""
        return request.method == "POST" and super().is_concerned(request)
