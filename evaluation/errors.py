"""Messages about a file, the outcome they make, and the exceptions of the library.

Imports the standard library alone: the web process shows these texts too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from evaluation.kinds import KINDS, LEVELS, Kind, Level

__all__ = [
    "KINDS",
    "LEVELS",
    "BadRules",
    "EvaluationError",
    "FileProblem",
    "FileRejected",
    "Kind",
    "Level",
    "Message",
    "Outcome",
    "outcome_of",
    "visible",
]

Outcome = Literal["accepted", "accepted_with_warning", "rejected"]

QUOTED_BYTES = 200


_HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\xa0\xad\u034f\u061c\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f"
    "\u3000\ufeff\ud800-\udfff]"
)


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    known = {9: "\\t", 10: "\\n", 13: "\\r"}
    return known.get(code) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")


def visible(raw: bytes | str, limit: int = QUOTED_BYTES) -> str:
    r"""Text that can be shown: at most ``limit`` bytes, hidden characters as escapes.

    >>> visible(b"a\x00b\xff")
    'a\\x00b\\xff'
    """
    data = raw.encode("utf-8", "surrogatepass") if isinstance(raw, str) else raw
    text = data[:limit].decode("utf-8", "backslashreplace")
    if len(data) > limit:
        # A character that the cut went through would show as stray bytes.
        text = re.sub(r"(\\x[89a-f][0-9a-f]){1,3}$", "", text) + "…"
    return _HIDDEN.sub(lambda match: " " if match[0] == "\t" else _escaped(match), text)


@dataclass(frozen=True, slots=True)
class Message:
    """One fault or warning about a file; ``line`` is physical, None for the whole file.

    ``organizers_only`` messages give away judgments and are never shown to participants
    while scores are closed.
    """

    level: Level
    line: int | None
    kind: str
    topic: str | None
    text: str
    remedy: str
    quoted: str | None = None
    organizers_only: bool = False

    def as_dict(self) -> dict[str, Any]:
        """The message as JSON shows it."""
        return {
            "level": self.level,
            "line": self.line,
            "kind": self.kind,
            "topic": self.topic,
            "text": self.text,
            "remedy": self.remedy,
            "quoted": self.quoted,
        }

    def __str__(self) -> str:
        where = "" if self.line is None else f"line {self.line}: "
        return f"{self.level}: {where}{self.text} [{self.kind}] {self.remedy}"


def outcome_of(messages: Iterable[Message]) -> Outcome:
    """``rejected`` with an error, ``accepted_with_warning`` with a warning, else ``accepted``."""
    levels = {message.level for message in messages}
    if "error" in levels:
        return "rejected"
    return "accepted_with_warning" if "warning" in levels else "accepted"


class EvaluationError(Exception):
    """Base of what this library raises about input."""


class BadRules(EvaluationError, ValueError):
    """Rules of a task that cannot be; ``faults`` lists each as (name, what is wrong)."""

    def __init__(self, faults: Iterable[tuple[str, str]]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(f"{name}: {text}" for name, text in self.faults))


class FileProblem(EvaluationError):
    """A fault that ends the reading of a file at once."""

    def __init__(self, kind: str, text: str, line: int | None = None) -> None:
        self.kind, self.text, self.line = kind, text, line
        super().__init__(text)


class FileRejected(EvaluationError, ValueError):
    """A file that was refused; ``messages`` says why."""

    def __init__(self, messages: Iterable[Message]) -> None:
        self.messages = tuple(messages)
        super().__init__("; ".join(str(message) for message in self.messages[:3]))
