"""Tries a pattern on a tag in a process of its own: a pattern may take longer than the universe."""

from __future__ import annotations

import json
import subprocess
import sys

SECONDS = 2.0
_SCRIPT = (
    "import json, re, sys\n"
    "pattern, tag = json.load(sys.stdin)\n"
    "print(re.fullmatch(pattern, tag) is not None)\n"
)


def tag_matches(pattern: str, tag: str) -> bool | None:
    """Whether the whole tag matches; None when that takes too long or the pattern is none."""
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", _SCRIPT],
            input=json.dumps([pattern, tag]),
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=True,
        )
    except (subprocess.SubprocessError, OSError):
        return None
    return done.stdout.strip() == "True"
