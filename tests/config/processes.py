"""What tests of real processes ask: is it running, what did it start, is the port free."""

import os
import socket
import time
from collections.abc import Callable
from pathlib import Path


def is_running(pid: int) -> bool:
    """A zombie has ended."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return status.rpartition(")")[2].split()[0] not in "ZX"


def with_variable(assignment: str) -> set[int]:
    """The running processes in whose environment ``NAME=value`` stands."""
    found = set()
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            try:
                variables = (folder / "environ").read_bytes().split(b"\0")
            except OSError:
                continue
            if assignment.encode() in variables and is_running(int(folder.name)):
                found.add(int(folder.name))
    return found


def wait_until(condition: Callable[[], object], seconds: float = 60.0) -> bool:
    """Whether ``condition`` became true in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return bool(condition())


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
