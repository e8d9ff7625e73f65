"""Addresses become settings of Django and Celery."""

from pathlib import Path

import pytest

from config import address, env


def test_database_without_address_is_sqlite_that_survives_many_writers():
    found = address.database("", Path("/state"))
    assert found["NAME"] == Path("/state/centreboard.sqlite3")
    assert found["ATOMIC_REQUESTS"] is False
    assert found["OPTIONS"] == {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA synchronous=FULL",
    }


def test_database_address_with_escaped_password_is_postgresql():
    found = address.database("postgresql://cb:p%40ss@db.example:5433/board", Path("/state"))
    assert found["ENGINE"] == "django.db.backends.postgresql"
    assert (found["USER"], found["PASSWORD"]) == ("cb", "p@ss")
    assert (found["HOST"], found["PORT"], found["NAME"]) == ("db.example", 5433, "board")


def test_database_of_other_kind_is_refused():
    with pytest.raises(env.EnvironmentFault, match="DATABASE_URL: give a postgresql:// address"):
        address.database("mysql://a@b/c", Path("/state"))


@pytest.mark.parametrize(
    ("url", "celery", "cache"),
    [
        (
            "unix:///tmp/cb-1/broker.sock",
            "redis+socket:///tmp/cb-1/broker.sock?virtual_host=0",
            "unix:///tmp/cb-1/broker.sock?db=1",
        ),
        ("redis://r.example:6379/3", "redis://r.example:6379/3", "redis://r.example:6379/3"),
    ],
)
def test_broker_address_is_spelled_for_celery_and_for_the_cache(url, celery, cache):
    assert address.celery_broker(url) == celery
    assert address.cache(url, "cb", 1.5)["LOCATION"] == cache


def test_embedded_broker_that_does_not_run_has_an_address_where_nobody_answers(tmp_path):
    assert address.embedded_broker(tmp_path) == address.NO_BROKER
    address.embedded_broker_file(tmp_path).write_text("unix:///tmp/cb-2/broker.sock\n")
    assert address.embedded_broker(tmp_path) == "unix:///tmp/cb-2/broker.sock"


def test_object_store_takes_keys_from_the_environment(monkeypatch):
    monkeypatch.setenv("S3_ENDPOINT_URL", "http://store.example:9000")
    monkeypatch.setenv("S3_ACCESS_KEY_ID", "key")
    monkeypatch.delenv("S3_SECRET_ACCESS_KEY", raising=False)
    options = address.object_store("runs")["OPTIONS"]
    assert (options["bucket_name"], options["access_key"]) == ("runs", "key")
    assert options["endpoint_url"] == "http://store.example:9000"
    assert options["secret_key"] is None
    assert options["file_overwrite"] is False
