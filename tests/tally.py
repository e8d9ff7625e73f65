"""Counts what a runner of worked cases compared, and prints what failed."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Tally:
    """How many entries passed, failed and were skipped; one line for each that failed."""

    passed: int = 0
    skipped: int = 0
    failures: list[str] = field(default_factory=list)
    skipped_keys: dict[str, int] = field(default_factory=dict)

    def record(self, case: str, key: str, is_good: bool, expected: object, got: object) -> None:
        if is_good:
            self.passed += 1
        else:
            self.failures.append(f"{case} {key}: expected {expected!r}, got {got!r}")

    def skip(self, key: str) -> None:
        self.skipped += 1
        self.skipped_keys[key] = self.skipped_keys.get(key, 0) + 1

    @property
    def summary(self) -> str:
        counts = f"{self.passed} passed, {len(self.failures)} failed"
        return counts + (f", {self.skipped} skipped" if self.skipped else "")

    def report(self) -> int:
        """Print the failures and the counts; the exit status."""
        for line in self.failures:
            print(line)
        print(self.summary)
        return 1 if self.failures else 0
