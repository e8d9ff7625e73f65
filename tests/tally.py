"""Counts what a runner of worked cases compared, and prints what failed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

Entry = tuple[str, object, object, bool]
"""A key, what was expected, what came, and whether the two agree."""


@dataclass
class Tally:
    """What passed, failed and was skipped; a line for each entry that failed."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    failures: list[str] = field(default_factory=list)
    skipped_keys: dict[str, int] = field(default_factory=dict)

    def record(self, case: str, entries: Iterable[Entry]) -> None:
        """Count entries as one: passed when all agree."""
        wrong = [
            f"{case} {key}: expected {expected!r}, got {got!r}"
            for key, expected, got, is_good in entries
            if not is_good
        ]
        self.failures += wrong
        self.passed += not wrong
        self.failed += bool(wrong)

    def skip(self, key: str) -> None:
        """Count something that is not offered (yet)."""
        self.skipped += 1
        self.skipped_keys[key] = self.skipped_keys.get(key, 0) + 1

    @property
    def summary(self) -> str:
        """The counts in one line."""
        counts = f"{self.passed} passed, {self.failed} failed"
        return counts + (f", {self.skipped} skipped" if self.skipped else "")

    def report(self) -> int:
        """Print the failures and the counts; the exit status."""
        for line in self.failures:
            print(line)
        print(self.summary)
        return 1 if self.failed else 0
