"""The material shared by the tests: worked cases, golden values and real runs beside the clone."""

import os
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parent.parent.parent / "shared"


def shared_folder() -> Path:
    """The shared folder; without it the test is skipped, and fails where CI is set."""
    if SHARED.is_dir():
        return SHARED
    reason = f"the folder {SHARED.name}/ is missing beside the clone"
    if os.environ.get("CI"):
        pytest.fail(f"{reason}, and CI is set", pytrace=False)
    pytest.skip(reason)
