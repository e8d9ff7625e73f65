"""Commands as processes of their own: seconds, peak memory and what they print."""

from __future__ import annotations

import os
import resource
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from bench.samples import Act, Sample

KIBIBYTE = 1024


class CommandFailedError(RuntimeError):
    """A command did not end well."""


def run(command: Sequence[str], output: Path) -> Sample:
    """Run a command to its end, what it prints goes to a file."""
    with output.open("wb") as out, tempfile.TemporaryFile() as errors:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=out, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            errors.seek(0)
            said = errors.read(500).decode(errors="replace")
            raise CommandFailedError(f"{' '.join(command)}: {process.returncode}: {said}")
    return Sample(wall, usage.ru_utime + usage.ru_stime, _memory(usage.ru_maxrss))


def _memory(peak: int) -> int:
    """Bytes of a command's peak; 0 where it is no more than what this process gave it to start."""
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak * KIBIBYTE if peak > own else 0


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
