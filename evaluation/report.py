"""Collects the messages about one file: the first of each kind, then a count."""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from dataclasses import replace

from evaluation.errors import KINDS, FileProblem, Level, Message, visible
from evaluation.rules import CheckRules

LISTED = 100
WHOLE_FILE = float("inf")

Key = tuple[str, bool]


class Report:
    """Keeps the 100 messages of each kind that come first in the file, and counts the rest."""

    def __init__(self, rules: CheckRules) -> None:
        self.rules = rules
        # Organizers' messages are counted apart, so that no count gives them away.
        self._kept: dict[Key, list[tuple[float, int, Message]]] = {}
        self._counts: dict[Key, int] = {}
        self._sequence = 0
        self.has_errors = False

    def add(
        self,
        kind: str,
        line: int | None,
        text: str,
        *values: object,
        topic: bytes | str | None = None,
        quoted: bytes | None = None,
        level: Level | None = None,
        count: int = 1,
        organizers_only: bool = False,
    ) -> None:
        """Add a message unless its level is ``ignore``; ``text`` is formatted with ``values``."""
        level = level or self.rules.level(kind)
        if level == "ignore":
            return
        # What only organizers see never costs a run.
        self.has_errors = self.has_errors or (level == "error" and not organizers_only)
        key = (kind, organizers_only)
        self._counts[key] = self._counts.get(key, 0) + count
        kept = self._kept.setdefault(key, [])
        place = WHOLE_FILE if line is None else line
        limit = 1 if KINDS[kind].is_once else LISTED
        if len(kept) >= limit and -kept[0][0] <= place:
            return
        shown = [visible(value) if isinstance(value, bytes) else value for value in values]
        self._sequence += 1
        message = Message(
            level=level,
            line=line,
            kind=kind,
            topic=None if topic is None else visible(topic),
            text=text.format(*shown),
            remedy=KINDS[kind].remedy,
            quoted=None if quoted is None else visible(quoted),
            organizers_only=organizers_only,
        )
        entry = (-place, -self._sequence, message)
        if len(kept) >= limit:
            heapq.heapreplace(kept, entry)
        else:
            heapq.heappush(kept, entry)

    def problem(self, problem: FileProblem) -> None:
        """Add the fault that ended the reading."""
        self.add(problem.kind, problem.line, "{}", problem.text)

    def count(self, kind: str) -> int:
        """How often a kind was found."""
        return self._counts.get((kind, False), 0) + self._counts.get((kind, True), 0)

    def unquoted_lines(self) -> set[int]:
        """Lines of messages that do not show their line yet."""
        return {
            message.line
            for kept in self._kept.values()
            for _, _, message in kept
            if message.line is not None and message.quoted is None
        }

    def messages(self, quotes: Mapping[int, bytes]) -> tuple[Message, ...]:
        """All messages in order of line, those about the whole file and the counts last."""
        entries = [entry for kept in self._kept.values() for entry in kept]
        entries.sort(key=lambda entry: (-entry[0], -entry[1]))
        listed = [self._finished(message, quotes) for _, _, message in entries]
        return (*listed, *self._closing())

    def _finished(self, message: Message, quotes: Mapping[int, bytes]) -> Message:
        line = message.line
        if message.quoted is None and line is not None and line in quotes:
            message = replace(message, quoted=visible(quotes[line]))
        count = self._counts[message.kind, message.organizers_only]
        if KINDS[message.kind].is_once and count > 1:
            message = replace(message, text=f"{message.text} ({count} times in the file)")
        return message

    def _closing(self) -> list[Message]:
        closing = []
        for (kind, organizers_only), kept in sorted(self._kept.items()):
            count = self._counts[kind, organizers_only]
            more = count - len(kept)
            if more > 0 and not KINDS[kind].is_once:
                closing.append(
                    replace(
                        kept[0][2],
                        line=None,
                        topic=None,
                        quoted=None,
                        text=f"{more} more of {kind}, {count} in all",
                    )
                )
        return closing
