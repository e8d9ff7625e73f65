"""The report of a check, ready to be read: errors first, several of one kind folded into one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

SHOWN_LINES = 50

# In which columns of a line a fault of a kind can stand; 0 is all from the seventh on.
_COLUMNS: Mapping[str, tuple[int, ...]] = {
    "extra_column": (0,),
    "q0_column": (2,),
    **dict.fromkeys(("unknown_topic", "topic_not_contiguous", "duplicate_topic"), (1,)),
    **dict.fromkeys(
        (
            "duplicate_document", "document_not_in_pool", "document_not_in_collection",
            "id_differs_by_unicode_form", "conflicting_judgement", "duplicate_judgement",
        ),
        (3, 2),
    ),
    **dict.fromkeys(("bad_rank", "bad_relevance"), (4, 3)),
    **dict.fromkeys(("bad_score", "score_not_finite", "score_underflow"), (5, 3)),
    **dict.fromkeys(("tag_invalid", "tag_inconsistent"), (6,)),
}  # fmt: skip


def marked(kind: str, text: str, quoted: str) -> tuple[str, str, str]:
    """A quoted line as what is before the fault, the fault, what is after it.

    A column is marked only if the message names its value, so that a line of another format
    never gets a wrong mark; then all of it stands in the first part.

    >>> marked("score_not_finite", "score nan is not finite", "11 Q0 d1 4 nan demo")
    ('11 Q0 d1 4 ', 'nan', ' demo')
    >>> marked("tag_inconsistent", "tag b after tag a", "11 Q0 d1 4 2.5 c")
    ('11 Q0 d1 4 2.5 c', '', '')
    """
    columns = list(re.finditer(r"\S+", quoted))
    for number in _COLUMNS.get(kind, ()):
        if number == 0 and len(columns) > 6:
            start, end = columns[6].start(), columns[-1].end()
        elif 0 < number <= len(columns) and (
            kind == "q0_column" or columns[number - 1][0] in re.findall(r"[^\s,:;]+", text)
        ):
            start, end = columns[number - 1].span()
        else:
            continue
        return quoted[:start], quoted[start:end], quoted[end:]
    return quoted, "", ""


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
    def parts(self) -> tuple[str, str, str]:
        """The quoted line before, in and after its fault."""
        return marked(self.kind, self.text, self.quoted)

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
