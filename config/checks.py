"""What must hold before Centreboard starts."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register


def time_limit_faults(
    *, lease: float, heartbeat: float, soft: int, hard: int, visible: int
) -> list[str]:
    """Why a job could be lost or done twice for longer than needed; empty when all is in order."""
    faults = []
    if not 0 < heartbeat * 2 < lease:
        faults.append(f"a lease of {lease} s must outlive two heartbeats of {heartbeat} s")
    if not soft < hard:
        faults.append(f"the soft time limit ({soft} s) must be below the hard one ({hard} s)")
    if not hard < visible:
        faults.append(
            f"the hard time limit ({hard} s) must be below the visibility timeout ({visible} s)"
        )
    return faults


@register(Tags.compatibility)
def check_time_limits(**_: Any) -> list[CheckMessage]:
    """Heartbeat < lease, and soft < hard < visibility timeout."""
    faults = time_limit_faults(
        lease=settings.LEASE_SECONDS,
        heartbeat=settings.HEARTBEAT_SECONDS,
        soft=settings.CELERY_TASK_SOFT_TIME_LIMIT,
        hard=settings.CELERY_TASK_TIME_LIMIT,
        visible=settings.CELERY_BROKER_TRANSPORT_OPTIONS["visibility_timeout"],
    )
    return [Error(fault, id="config.E001") for fault in faults]


def is_safe_sqlite(database: Mapping[str, Any]) -> bool:
    """False where several processes would lose writes to "database is locked"."""
    options = database.get("OPTIONS", {})
    return options.get("transaction_mode") == "IMMEDIATE" and not database.get("ATOMIC_REQUESTS")


@register(Tags.compatibility)
def check_sqlite(**_: Any) -> list[CheckMessage]:
    """SQLite with Django's defaults loses writes as soon as three processes share it."""
    database = settings.DATABASES["default"]
    if not database["ENGINE"].endswith("sqlite3") or is_safe_sqlite(database):
        return []
    return [Error("SQLite needs transaction_mode IMMEDIATE, no ATOMIC_REQUESTS", id="config.E002")]
