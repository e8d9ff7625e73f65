"""Chance that falls the same way on every machine.

Only ``random()`` is drawn, which Python keeps the same between versions, and only sums, products
and comparisons are made of it, which IEEE 754 fixes to the last bit. No logarithm, no shuffle.
"""

from __future__ import annotations

import hashlib
from random import Random
from typing import TypeVar

SEED = "centreboard-demo-1"
ROOT_OF_THREE = 1.7320508075688772

T = TypeVar("T")


def chance(*names: object) -> Random:
    """A stream of numbers of its own for each name."""
    return Random("/".join([SEED, *map(str, names)]))  # noqa: S311  (made-up data, no secret)


def normals(count: int, *names: object) -> list[float]:
    """Nearly normal numbers, mean 0 and variance 1: four uniform ones added up."""
    draw = chance(*names).random
    return [(draw() + draw() + draw() + draw() - 2.0) * ROOT_OF_THREE for _ in range(count)]


def picked(values: list[T], count: int, *names: object) -> list[T]:
    """Some of the values, in their order."""
    draw = chance(*names).random
    keyed = sorted((draw(), at) for at in range(len(values)))[:count]
    return [values[at] for at in sorted(at for _, at in keyed)]


def unique_id(*names: object) -> str:
    """An identifier in the form of a UUID."""
    text = hashlib.sha256("/".join([SEED, *map(str, names)]).encode()).hexdigest()
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:32]))
