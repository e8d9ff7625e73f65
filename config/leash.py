"""Children that die with their parent (Linux's parent-death signal)."""

import ctypes
import os
import signal
import sys
from collections.abc import Callable

PR_SET_PDEATHSIG = 1
# Loaded here, since nothing should be imported between fork and exec.
_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def die_with_parent(number: int = signal.SIGKILL) -> None:
    """Ask the kernel to send ``number`` to this process when the thread that made it ends."""
    if _libc is not None:
        _libc.prctl(PR_SET_PDEATHSIG, int(number), 0, 0, 0)


def leashed(parent: int) -> Callable[[], None]:
    """What a child started by process ``parent`` runs between fork and exec."""

    def prepare() -> None:
        die_with_parent()
        if os.getppid() != parent:  # the parent died before the request was made
            os._exit(1)

    return prepare
