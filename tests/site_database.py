"""A database for one test process: a SQLite file, or one on PostgreSQL that is dropped again."""

from __future__ import annotations

import importlib
import secrets
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def named() -> Iterator[None]:
    """Name the test database of this process, before Django makes it.

    A file and not ``:memory:``, so that tests may open a second connection or start a worker; it
    lies in memory all the same where the machine has a folder for that (tests/environment.py).
    """
    from django.conf import settings

    from tests import postgres

    database = settings.DATABASES["default"]
    if database["ENGINE"].endswith("sqlite3"):
        database.setdefault("TEST", {})["NAME"] = str(settings.VAR_DIR / "test.sqlite3")
        yield
        return
    with postgres.icu_template(database) as template:
        name = f"test_cb_{secrets.token_hex(6)}"
        database.setdefault("TEST", {}).update(NAME=name, TEMPLATE=template)
        try:
            yield
        finally:
            postgres.drop(database, name)


@contextmanager
def site() -> Iterator[None]:
    """Django with an empty database of its own, for a program that pytest does not run."""
    importlib.import_module("tests.environment")
    import django
    from django.test.utils import setup_databases, teardown_databases

    django.setup()
    with named():
        databases = setup_databases(verbosity=0, interactive=False)
        try:
            yield
        finally:
            teardown_databases(databases, verbosity=0)
