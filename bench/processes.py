"""Commands as processes of their own: seconds, peak memory and what they print."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from bench.samples import Act, Sample


class CommandFailedError(RuntimeError):
    """A command did not end well."""


def run(command: Sequence[str], output: Path) -> Sample:
    """Run a command to its end, what it prints goes to a file."""
    with output.open("wb") as out, tempfile.TemporaryDirectory() as place:
        cost = Path(place) / "cost"
        watched = [sys.executable, "-m", "bench.watched", str(cost), *command]
        done = subprocess.run(watched, stdout=out, stderr=subprocess.PIPE, check=False)
        if done.returncode:
            said = done.stderr[:500].decode(errors="replace")
            raise CommandFailedError(f"{' '.join(command)}: {done.returncode}: {said}")
        return Sample(*json.loads(cost.read_text(encoding="utf-8")))


def command(arguments: Sequence[str], output: Path) -> Act:
    """A command as one side of a comparison."""
    return lambda: run(arguments, output)


def inside(act: Callable[[], object], before: Callable[[], object] | None = None) -> Act:
    """A function of this process as one side of a comparison; ``before`` is not timed."""

    def timed() -> Sample:
        if before is not None:
            before()
        wall, cpu = time.perf_counter(), time.process_time()
        act()
        return Sample(time.perf_counter() - wall, time.process_time() - cpu)

    return timed
