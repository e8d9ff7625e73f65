"""Cases that need the site (uploads, boards, deadlines, quotas, queues), by area.

A function takes a case and the folder of the cases, and gives each expected value with the one
that came: ``(key, expected, got)``. An area without a function is skipped and counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

Case = Mapping[str, Any]
Compared = Iterator[tuple[str, Any, Any]]

AREAS: dict[str, Callable[[Case, Path], Compared]] = {}
