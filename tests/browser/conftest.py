"""A live server on a file database, and Debian's chromium."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.conftest import missing

ARGUMENTS = [
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def chromium() -> str:
    """The browser's program; without it these tests are skipped, or fail where CI is set."""
    found = shutil.which("chromium")
    if found is None:
        missing("the program chromium")
    return str(found)


@pytest.fixture(scope="session")
def browser_type_launch_args(chromium):
    """Start the installed browser; Playwright downloads none."""
    # The browser's event loop runs in this thread, where the tests also write rows.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    return {"executable_path": chromium, "args": ARGUMENTS}


@pytest.fixture(scope="session")
def pictures() -> Path | None:
    """Where pictures of the pages go, if the variable SCREENS names a folder."""
    folder = os.environ.get("SCREENS")
    if not folder:
        return None
    Path(folder).mkdir(parents=True, exist_ok=True)
    return Path(folder)
