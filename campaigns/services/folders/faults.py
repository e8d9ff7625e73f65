"""What is wrong with a campaign folder: all of it, each fault with its YAML path and line."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing to put right; ``path`` as in ``tasks[1].limits.per_day``."""

    path: str
    text: str
    line: int | None = None

    def __str__(self) -> str:
        where = self.path or "campaign.yaml"
        line = "" if self.line is None else f" (line {self.line})"
        return f"{where}{line}: {self.text}"


class FolderRefusedError(Exception):
    """A campaign folder with faults; nothing was created or changed."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(map(str, self.faults)))


class Faults:
    """Collects faults while everything is looked at."""

    def __init__(self, lines: dict[str, int] | None = None) -> None:
        self._lines = lines or {}
        self._found: dict[tuple[str, str], Fault] = {}

    def __bool__(self) -> bool:
        return bool(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def add(self, path: str, text: str) -> None:
        """Add a fault; the line is that of the path, or of the nearest thing around it."""
        known = path
        while known and known not in self._lines:
            known = known[: max(known.rfind("."), known.rfind("["))] if known[1:] else ""
        self._found.setdefault((path, text), Fault(path, text, self._lines.get(known)))

    def refuse_if_any(self) -> None:
        """Raises ``FolderRefusedError`` with all faults in the order of the file."""
        if self._found:
            last = 1 << 30
            raise FolderRefusedError(
                sorted(self._found.values(), key=lambda fault: fault.line or last)
            )


def suggestion(word: str, known: Iterable[str]) -> str:
    """``; did you mean …?`` when something similar is known, else what there is."""
    offered = list(known)
    near = difflib.get_close_matches(word, offered, n=1)
    if near:
        return f"; did you mean {near[0]!r}?"
    return f"; known: {', '.join(offered)}" if offered else "; there are none"
