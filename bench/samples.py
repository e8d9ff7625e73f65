"""Samples of work done side by side, their medians, and ratios against what was promised."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping
from dataclasses import dataclass

REPEATS = 5


@dataclass(frozen=True, slots=True)
class Sample:
    """One run of a work: seconds on the clock, seconds of the processor, peak memory in bytes."""

    wall: float
    cpu: float
    memory: int = 0


Act = Callable[[], Sample]


@dataclass(frozen=True, slots=True)
class Samples:
    """All samples of one side."""

    side: str
    found: tuple[Sample, ...]

    @property
    def wall(self) -> float:
        """Median seconds on the clock."""
        return statistics.median(one.wall for one in self.found)

    @property
    def cpu(self) -> float:
        """Median seconds of the processor, all threads."""
        return statistics.median(one.cpu for one in self.found)

    @property
    def memory(self) -> int:
        """Largest peak of memory, in bytes."""
        return max(one.memory for one in self.found)


@dataclass(frozen=True, slots=True)
class Promise:
    """What a work must reach, and aims at.

    ``is_ceiling`` tells that smaller ratios are better: memory, or time over another time.
    """

    must: float
    aim: float
    is_ceiling: bool = False

    def verdict(self, ratio: float) -> str:
        """``aim met``, ``must met`` or ``missed``.

        >>> Promise(2, 4).verdict(3.0), Promise(1.5, 1.0, is_ceiling=True).verdict(0.9)
        ('must met', 'aim met')
        """
        return "missed" if not self._holds(ratio, self.must) else self._beyond(ratio)

    def _beyond(self, ratio: float) -> str:
        return "aim met" if self._holds(ratio, self.aim) else "must met"

    def _holds(self, ratio: float, bound: float) -> bool:
        return ratio <= bound if self.is_ceiling else ratio >= bound

    def __str__(self) -> str:
        sign = "<=" if self.is_ceiling else ">="
        return f"{sign} {self.must:g}x, aim {self.aim:g}x"


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table: a work, its ratio by the clock and by the processor, the promise.

    ``cpu_ratio`` is None where the ratio is none of times.
    """

    work: str
    ratio: float
    cpu_ratio: float | None
    promise: Promise

    @property
    def verdict(self) -> str:
        """Whether the promise holds by the clock and by the processor: the worse of both.

        A machine that others use disturbs the clock, and a side with threads spends more of the
        processor.
        """
        both = [self.ratio] if self.cpu_ratio is None else [self.ratio, self.cpu_ratio]
        return self.promise.verdict(max(both) if self.promise.is_ceiling else min(both))


class DifferentNumbersError(RuntimeError):
    """Two sides do not give the same numbers, so that their speeds must not be compared."""


def alternate(sides: Mapping[str, Act], repeats: int = REPEATS) -> dict[str, Samples]:
    """Run all sides in turn, ``repeats`` times; each round begins with the next side.

    What disturbs the machine for a while so disturbs them all, each side comes at every place,
    and none after itself, when it would find memory as it left it.
    """
    found: dict[str, list[Sample]] = {side: [] for side in sides}
    for turn in range(repeats):
        listed = [*sides]
        # Of two sides a turned round would begin with the one that came last.
        first = turn % len(listed) if len(listed) > 2 else 0
        for side in (*listed[first:], *listed[:first]):
            found[side].append(sides[side]())
    return {side: Samples(side, tuple(samples)) for side, samples in found.items()}


def faster(work: str, ours: Samples, theirs: Samples, promise: Promise) -> Row:
    """How many times faster ours is."""
    return Row(work, theirs.wall / ours.wall, theirs.cpu / ours.cpu, promise)


def longer(work: str, ours: Samples, other: Samples, promise: Promise) -> Row:
    """How many times the other's time ours takes."""
    return Row(work, ours.wall / other.wall, ours.cpu / other.cpu, promise)


def close(
    name: str, ours: Mapping[object, float], theirs: Mapping[object, float], by: float
) -> None:
    """Raise DifferentNumbersError unless both hold the same numbers under the same names."""
    if ours.keys() != theirs.keys():
        odd = sorted(map(str, ours.keys() ^ theirs.keys()))[:5]
        raise DifferentNumbersError(f"{name}: only one side has {', '.join(odd)}")
    wrong = [key for key, value in ours.items() if not abs(value - theirs[key]) <= by]
    if wrong:
        key = wrong[0]
        raise DifferentNumbersError(
            f"{name}: {len(wrong)} numbers differ; {key}: {ours[key]!r} and {theirs[key]!r}"
        )


@dataclass(frozen=True, slots=True)
class Report:
    """What a subset found: all samples of all sides, rows of the table, what to know of them."""

    sides: tuple[Samples, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()
