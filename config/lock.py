"""One installation at a time in a state folder."""

import fcntl
import os
import time
from pathlib import Path


class InUse(Exception):
    """Another installation holds the folder."""


def hold(var_dir: Path, seconds: float = 5.0) -> int:
    """Lock ``var_dir`` and return the descriptor that holds the lock.

    The broker inherits the descriptor, so the lock outlives a killed supervisor for as long as its
    broker does: two brokers never write one file. Hence the wait: such a broker ends at once.
    """
    var_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = os.open(var_dir / ".lock", os.O_RDWR | os.O_CREAT, 0o600)
    end = time.monotonic() + seconds
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except BlockingIOError:
            if time.monotonic() >= end:
                holder = os.pread(lock, 32, 0).decode("ascii", "replace").strip() or "unknown"
                os.close(lock)
                raise InUse(
                    f"{var_dir} is in use by process {holder}: stop that one, or set VAR_DIR"
                ) from None
            time.sleep(0.1)
    os.ftruncate(lock, 0)
    os.pwrite(lock, f"{os.getpid()}\n".encode("ascii"), 0)
    return lock
