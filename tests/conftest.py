"""What every test may ask for: a database of its own, a broker of its own, the shared material."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from django.conf import settings
from django.test import override_settings
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from kombu import pools

from config import address
from config.broker import Broker
from config.celery import app
from tests import site_database

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"
QUICK_HASHER = "django.contrib.auth.hashers.MD5PasswordHasher"

# Machines may be busy, so slowness is no fault; and a change is judged by the same examples.
hypothesis_settings.register_profile(
    "centreboard",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=bool(os.environ.get("CI")),
)
hypothesis_settings.load_profile("centreboard")


def missing(what: str) -> None:
    """Skip for want of an optional part, or fail where nothing may be missing."""
    if os.environ.get("CI"):
        pytest.fail(f"{what} is missing, and CI is set", pytrace=False)
    pytest.skip(f"{what} is missing")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of worked cases and real runs beside the clone."""
    if not SHARED.is_dir():
        missing(f"the folder {SHARED.name}/ beside the clone")
    return SHARED


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """On PostgreSQL only what asks for the database: the rest would be the same once more."""
    if settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
        return
    config.hook.pytest_deselected(items=[one for one in items if not _asks_for_database(one)])
    items[:] = filter(_asks_for_database, items)


def _asks_for_database(item: pytest.Item) -> bool:
    names = set(getattr(item, "fixturenames", ()))
    return item.get_closest_marker("django_db") is not None or bool(
        names & {"db", "transactional_db", "live_server"}
    )


@pytest.fixture(scope="session", autouse=True)
def _quick_passwords() -> Iterator[None]:
    """Argon2 is slow by design; what it hashed is still understood."""
    with override_settings(PASSWORD_HASHERS=[QUICK_HASHER, *settings.PASSWORD_HASHERS]):
        yield


@pytest.fixture(scope="session")
def django_db_modify_db_settings() -> Iterator[None]:
    """A database of this process alone, dropped at the end."""
    with site_database.named():
        yield


@pytest.fixture(scope="session")
def broker_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    """One Valkey server for each test process; ask for ``broker`` to use it."""
    folder = tmp_path_factory.mktemp("broker")
    server = Broker(folder / "data", folder / "broker.log")
    server.start()
    yield server
    server.stop()


@pytest.fixture
def broker(broker_process: Broker) -> Iterator[Broker]:
    """An empty, running broker that Celery and the cache use; give its ``url`` to processes.

    The test may stop, freeze or kill it (``broker.child``): the next test finds it running.
    """
    broker_process.child.send(signal.SIGCONT)
    if not broker_process.is_well() or not broker_process.answers():
        broker_process.child.sweep()
        broker_process.start()
    with redis.Redis(unix_socket_path=str(broker_process.socket)) as client:
        client.flushall()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("REDIS_URL", broker_process.url)
        cache = address.cache(
            broker_process.url, settings.REDIS_PREFIX, settings.REDIS_TIMEOUT_SECONDS
        )
        with override_settings(REDIS_URL=broker_process.url, CACHES={"default": cache}):
            _point_celery_at(address.celery_broker(broker_process.url))
            yield broker_process
    _point_celery_at(settings.CELERY_BROKER_URL)


def _point_celery_at(url: str) -> None:
    pools.reset()
    app.conf.broker_url = app.conf.broker_read_url = app.conf.broker_write_url = url
    app._after_fork()  # forgets connections and producers of the old address


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Bytes do not name tests: gzip puts the time into them, and all processes must agree."""
    return argname if isinstance(val, bytes) and not val.isascii() else None
