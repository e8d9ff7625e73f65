"""Whether this process lives (healthz) and whether it can take a run (readyz)."""

from collections.abc import Callable

import redis
from django.conf import settings
from django.core.files.storage import storages
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from redis.backoff import NoBackoff
from redis.retry import Retry


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """The process answers; nothing else is asked."""
    return HttpResponse("ok\n", content_type="text/plain; charset=utf-8")


@require_safe
@never_cache
def readyz(request: HttpRequest) -> JsonResponse:
    """503 without database or storage. A missing broker only delays: runs are still taken."""
    parts = {
        "database": _works(_ask_database),
        "storage": _works(_ask_storage),
        "broker": _works(_ask_broker),
    }
    is_ready = parts["database"] and parts["storage"]
    words = {name: "ok" if works else "away" for name, works in parts.items()}
    return JsonResponse({"ready": is_ready, **words}, status=200 if is_ready else 503)


def _works(ask: Callable[[], object]) -> bool:
    try:
        ask()
    except (DatabaseError, OSError, redis.RedisError):
        return False
    except Exception as fault:
        # The object store's faults come from botocore, which is installed only where it is used.
        if type(fault).__module__.startswith("botocore"):
            return False
        raise
    return True


def _ask_database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def _ask_storage() -> None:
    storages["runs"].exists("readyz")


def _ask_broker() -> None:
    client = redis.Redis.from_url(
        settings.REDIS_URL,
        socket_timeout=settings.REDIS_TIMEOUT_SECONDS,
        socket_connect_timeout=settings.REDIS_TIMEOUT_SECONDS,
        retry=Retry(NoBackoff(), 0),
    )
    try:
        client.ping()
    finally:
        client.close()
