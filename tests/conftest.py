"""What every test may ask for: a database of its own, a broker of its own, the shared material."""

import os
import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from tests import postgres

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"


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


@pytest.fixture(scope="session")
def django_db_modify_db_settings() -> Iterator[None]:
    """A database of this process alone: a SQLite file, or one on PostgreSQL, dropped at the end.

    A file and not ``:memory:``, so that tests may open a second connection or start a worker; it
    lies in memory all the same where the machine has a folder for that (tests/environment.py).
    """
    database = settings.DATABASES["default"]
    if database["ENGINE"].endswith("sqlite3"):
        database.setdefault("TEST", {})["NAME"] = str(settings.VAR_DIR / "test.sqlite3")
        yield
        return
    with postgres.icu_template(database) as template:
        name = f"test_cb_{secrets.token_hex(6)}"
        database.setdefault("TEST", {}).update(NAME=name, TEMPLATE=template)
        yield
        postgres.drop(database, name)
