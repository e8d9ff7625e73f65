"""Memory that was freed stays with the process: fewer faults for the same work."""

import subprocess
import sys

import pytest

from evaluation import memory

WORK = """
import resource
import numpy as np
from evaluation.memory import keep_freed_memory
{call}
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(100):
    a, b = np.ones(1 << 20, dtype=np.uint8), np.ones(1 << 20, dtype=np.uint8)
    del a, b
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def faults(call: str) -> int:
    done = subprocess.run(
        [sys.executable, "-c", WORK.format(call=call)], capture_output=True, check=True, text=True
    )
    return int(done.stdout)


@pytest.mark.skipif(not memory.keep_freed_memory(), reason="another allocator than glibc's")
def test_arrays_are_made_of_memory_that_was_freed_before():
    assert faults("keep_freed_memory()") < 2000


def test_elsewhere_nothing_is_done(monkeypatch):
    monkeypatch.setattr(memory.sys, "platform", "darwin")
    assert memory.keep_freed_memory() is False
