"""Topic values as stored: little-endian doubles in the order of a ``TopicOrder``, NaN undefined."""

from __future__ import annotations

import math
import sys
from array import array
from collections.abc import Sequence


def unpacked(packed: bytes | memoryview | None) -> list[float | None]:
    """The values, None where undefined."""
    values = array("d", bytes(packed or b""))
    if sys.byteorder == "big":
        values.byteswap()
    return [value if math.isfinite(value) else None for value in values]


def by_topic(topics: Sequence[str], packed: bytes | memoryview | None) -> dict[str, float | None]:
    """Topic -> value."""
    return dict(zip(topics, unpacked(packed), strict=True)) if packed else {}
