"""The compose file and the table of variables say what the code reads."""

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
CALL = re.compile(r'env\.(?:text|flag|integer|listing|path)\(\s*"([A-Z0-9_]+)"')


def read_by_code():
    return {
        name for file in (ROOT / "config").glob("*.py") for name in CALL.findall(file.read_text())
    }


@pytest.fixture(scope="module")
def compose():
    return yaml.safe_load((ROOT / "docker-compose.yml").read_text())


def test_table_of_variables_names_each_that_is_read_and_no_other():
    table = (ROOT / "docs/operation.md").read_text().partition("## Variables")[2]
    named = {
        name
        for row in table.splitlines()
        for name in re.findall("`([A-Z0-9_]+)`", row.split("|")[1] if "|" in row else "")
    }
    assert named == read_by_code()


def test_compose_sets_only_variables_that_are_read(compose):
    given = set(compose["services"]["web"]["environment"])
    assert given <= read_by_code()
    assert {"PRODUCTION", "SECRET_KEY", "DATABASE_URL", "REDIS_URL", "S3_BUCKET"} <= given


def test_compose_web_and_worker_share_no_volume(compose):
    assert [n for n in ("web", "worker", "beat") if "volumes" in compose["services"][n]] == []


def test_environment_is_read_in_one_module_only():
    readers = {
        str(file.relative_to(ROOT))
        for folder in ("config", "campaigns", "evaluation", "centreboard")
        for file in (ROOT / folder).rglob("*.py")
        if re.search(r"os\.(environ|getenv)", file.read_text())
    }
    assert readers == {"config/env.py"}


def test_constraints_are_names_and_exact_versions():
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    assert [
        line for line in lines if not re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.]+", line)
    ] == []
