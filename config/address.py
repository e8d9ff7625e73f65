"""From addresses (DATABASE_URL, REDIS_URL, S3_*) to what Django and Celery want to be told."""

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import dj_database_url
from kombu import Queue
from redis.backoff import NoBackoff
from redis.retry import Retry

from config import env
from config.queues import QUEUES

NO_BROKER = "unix:///nonexistent/centreboard-broker.sock"

# Measured with three processes writing: any one of these missing loses writes to "locked".
SQLITE_OPTIONS = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": "PRAGMA synchronous=FULL",
}


def database(url: str, var_dir: Path) -> dict[str, Any]:
    """PostgreSQL by its address, else SQLite in ``var_dir``."""
    if not url:
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": var_dir / "centreboard.sqlite3",
            "ATOMIC_REQUESTS": False,
            # To open the file anew costs more than a page that is kept.
            "CONN_MAX_AGE": 60,
            "OPTIONS": dict(SQLITE_OPTIONS),
        }
    if urlsplit(url).scheme not in ("postgres", "postgresql"):
        raise env.EnvironmentFault("DATABASE_URL: give a postgresql:// address, or none for SQLite")
    found = dj_database_url.parse(url, conn_max_age=60, conn_health_checks=True)
    return {**found, "ATOMIC_REQUESTS": False}


def embedded_broker_file(var_dir: Path) -> Path:
    """Where the running broker of an embedded installation writes its address."""
    return var_dir / "broker.address"


def embedded_broker(var_dir: Path) -> str:
    """The address of the broker that ``make run`` started, else one where nobody answers."""
    try:
        return embedded_broker_file(var_dir).read_text(encoding="utf-8").strip() or NO_BROKER
    except OSError:
        return NO_BROKER


def celery_broker(url: str) -> str:
    """Celery's spelling of a Redis address: it has its own for sockets."""
    parts = urlsplit(url)
    if parts.scheme != "unix":
        return url
    return f"redis+socket://{parts.path}?virtual_host=0"


def cache(url: str, prefix: str, timeout: float) -> dict[str, Any]:
    """Django's cache beside the broker: a database of its own, if the server is ours."""
    parts = urlsplit(url)
    return {
        "BACKEND": "config.cache.ForgivingCache",
        "LOCATION": f"unix://{parts.path}?db=1" if parts.scheme == "unix" else url,
        "KEY_PREFIX": f"{prefix}:cache",
        "OPTIONS": {
            "socket_timeout": timeout,
            "socket_connect_timeout": timeout,
            "retry": Retry(NoBackoff(), 0),
        },
    }


def queues() -> list[Queue]:
    """The four queues, each its own exchange and key."""
    return [Queue(name, routing_key=name) for name in QUEUES]


def object_store(bucket: str) -> dict[str, Any]:
    """Run files in an S3 store; without keys, those that boto finds on the machine."""
    return {
        "BACKEND": "storages.backends.s3.S3Storage",
        "OPTIONS": {
            "bucket_name": bucket,
            "endpoint_url": env.text("S3_ENDPOINT_URL") or None,
            "region_name": env.text("S3_REGION") or None,
            "access_key": env.text("S3_ACCESS_KEY_ID") or None,
            "secret_key": env.text("S3_SECRET_ACCESS_KEY") or None,
            "addressing_style": env.text("S3_ADDRESSING_STYLE", "path"),
            "signature_version": "s3v4",
            "default_acl": None,
            "file_overwrite": False,
            "querystring_auth": True,
        },
    }
