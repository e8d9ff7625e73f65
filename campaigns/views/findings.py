"""The report of a check, ready to be read: errors first, several of one kind folded into one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

SHOWN_LINES = 50


@dataclass(slots=True)
class Finding:
    """All messages of one kind and level."""

    level: str
    kind: str
    text: str
    remedy: str
    line: int | None
    quoted: str
    more: list[Mapping[str, Any]] = field(default_factory=list)

    @property
    def place(self) -> str:
        """Where the first one stands."""
        return "Whole file" if self.line is None else f"Line {self.line:,}"

    @property
    def shown(self) -> list[Mapping[str, Any]]:
        """As many of the others as a page bears."""
        return self.more[:SHOWN_LINES]

    @property
    def hidden(self) -> int:
        """How many are only in the report that can be downloaded."""
        return max(0, len(self.more) - SHOWN_LINES)


def _weight(message: Mapping[str, Any]) -> int:
    return 0 if message.get("level") == "error" else 1


def findings(messages: Iterable[Mapping[str, Any]]) -> list[Finding]:
    """Messages grouped by kind, errors before warnings, each in order of line."""
    found: dict[tuple[str, str], Finding] = {}
    for message in sorted(messages, key=_weight):
        key = (str(message.get("level")), str(message.get("kind")))
        if key in found:
            found[key].more.append(message)
            continue
        found[key] = Finding(
            *key,
            text=str(message.get("text", "")),
            remedy=str(message.get("remedy", "")),
            line=message.get("line"),
            quoted=str(message.get("quoted") or ""),
        )
    return list(found.values())


def kinds_of_error(found: Iterable[Finding]) -> int:
    """How many kinds of error there are."""
    return sum(one.level == "error" for one in found)
