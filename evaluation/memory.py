"""How a process that reads large files keeps the memory that it has been given."""

from __future__ import annotations

import ctypes
import sys

# Names and numbers of glibc's malloc.h.
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
_KEPT = 1 << 28
_ARRAYS = 1 << 24


def keep_freed_memory() -> bool:
    """Reuse freed memory rather than give it back and ask anew; whether the system can.

    Each chunk of a file needs arrays of some hundred kilobytes. By default glibc returns such
    memory at once, and every page of the next array costs a fault: a fifth of the time of a large
    file. For programs of our own; a library must not change the process it is loaded into.
    """
    if not sys.platform.startswith("linux"):
        return False
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):
        return False
    return bool(mallopt(_TRIM_THRESHOLD, _KEPT)) and bool(mallopt(_MMAP_THRESHOLD, _ARRAYS))
