"""``python -m bench.watched FILE COMMAND ...``: run a command and write what it cost.

A process of its own between the bench and the command: at its start a command counts the memory of
whoever started it, and the bench may have used more than the command ever will.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from pathlib import Path


def main() -> int:
    """The exit code of the command."""
    place, *command = sys.argv[1:]
    start = time.perf_counter()
    code = subprocess.call(command)
    wall = time.perf_counter() - start
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    cost = [wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024]
    Path(place).write_text(json.dumps(cost), encoding="utf-8")
    return code


if __name__ == "__main__":
    sys.exit(main())
