"""Runs a command of the library inside the test."""

import json
from typing import Any

import pytest

from evaluation import cli


def answer(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> Any:
    """What a command prints as JSON; nothing may stand on stderr."""
    assert cli.main([*arguments, "--json"]) == status
    captured = capsys.readouterr()
    assert captured.err == ""
    return json.loads(captured.out)


def text(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> tuple[str, str]:
    """What a command prints on stdout and stderr."""
    assert cli.main(arguments) == status
    captured = capsys.readouterr()
    return captured.out, captured.err
