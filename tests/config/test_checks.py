"""What keeps a wrong installation from starting."""

import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from config import address, checks, env
from config.production import production_faults

ROOT = Path(__file__).resolve().parents[2]
GOOD = {"secret": "x" * 50, "debug": False, "hosts": ["cb.example"]}


def test_production_in_order_has_no_faults():
    assert production_faults(**GOOD) == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"secret": ""}, "SECRET_KEY is missing"),
        ({"secret": "x" * 31}, "SECRET_KEY is too short"),
        ({"debug": True}, "DEBUG is on"),
        ({"hosts": []}, "ALLOWED_HOSTS is missing"),
        ({"hosts": ["cb.example", "*"]}, "ALLOWED_HOSTS has a wildcard"),
    ],
)
def test_production_fault_is_named_alone(change, fault):
    faults = production_faults(**{**GOOD, **change})
    assert len(faults) == 1
    assert faults[0].startswith(fault)


def start(**variables):
    return subprocess.run(
        [sys.executable, "-c", "import config.wsgi"],
        cwd=ROOT,
        env=env.child({"STATIC_MANIFEST": "false", **variables}),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_production_without_secret_refuses_to_start():
    done = start(PRODUCTION="true", ALLOWED_HOSTS="cb.example")
    assert done.returncode == 1
    assert "Centreboard does not start: SECRET_KEY is missing" in done.stderr


def test_production_in_order_starts():
    done = start(PRODUCTION="true", ALLOWED_HOSTS="cb.example", SECRET_KEY="s" * 50)
    assert (done.returncode, done.stderr) == (0, "")


LIMITS = {"lease": 45, "heartbeat": 11.25, "soft": 900, "hard": 960, "visible": 3600}


def test_time_limits_of_settings_are_in_order():
    assert checks.check_time_limits() == []
    assert settings.HEARTBEAT_SECONDS * 2 < settings.LEASE_SECONDS


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"soft": 960}, "the soft time limit (960 s) must be below the hard one (960 s)"),
        ({"visible": 900}, "must be below the visibility timeout (900 s)"),
        ({"heartbeat": 30}, "a lease of 45 s must outlive two heartbeats of 30 s"),
    ],
)
def test_time_limits_out_of_order_are_named(change, fault):
    faults = checks.time_limit_faults(**{**LIMITS, **change})
    assert len(faults) == 1
    assert faults[0].endswith(fault)


def test_sqlite_with_default_transactions_is_not_safe():
    assert not checks.is_safe_sqlite({"OPTIONS": {}})
    assert not checks.is_safe_sqlite(
        {"OPTIONS": {"transaction_mode": "IMMEDIATE"}, "ATOMIC_REQUESTS": True}
    )


def test_sqlite_as_configured_passes():
    assert checks.is_safe_sqlite(address.database("", Path("/somewhere")))
    assert checks.check_sqlite() == []
