"""Databases for tests on PostgreSQL: an ICU collation, random names, gone afterwards."""

import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from django.db.backends.postgresql.operations import DatabaseOperations
from psycopg import sql


def _connect(database: Mapping[str, Any]) -> psycopg.Connection:
    return psycopg.connect(
        host=database["HOST"] or None,
        port=database["PORT"] or None,
        user=database["USER"] or None,
        password=database["PASSWORD"] or None,
        dbname="postgres",
        autocommit=True,
        connect_timeout=5,
    )


def drop(database: Mapping[str, Any], name: str) -> None:
    """Remove ``name`` whoever is still connected to it."""
    with _connect(database) as connection:
        connection.execute(
            sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
        )


@contextmanager
def icu_template(database: Mapping[str, Any]) -> Iterator[str]:
    """An empty database that sorts text as en-US does: byte order must not come from it."""
    name = f"test_cb_{secrets.token_hex(6)}"
    with _connect(database) as connection:
        connection.execute(
            sql.SQL(
                "CREATE DATABASE {} TEMPLATE template0 ENCODING 'UTF8' "
                "LOCALE_PROVIDER icu ICU_LOCALE 'en-US' LOCALE 'C.UTF-8'"
            ).format(sql.Identifier(name))
        )
    try:
        yield name
    finally:
        drop(database, name)


def _deletions(operations: DatabaseOperations, _style: Any, tables: Any, **_: Any) -> list[str]:
    if not tables:
        return []
    return [
        "SET LOCAL session_replication_role = replica",  # no foreign keys for a moment
        *(f"DELETE FROM {operations.quote_name(table)}" for table in sorted(tables)),
        "SET LOCAL session_replication_role = DEFAULT",
    ]


@contextmanager
def emptied_by_deleting() -> Iterator[None]:
    """Tables are emptied row by row: TRUNCATE writes hundreds of files, 3 s for each test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DatabaseOperations, "sql_flush", _deletions)
        yield
