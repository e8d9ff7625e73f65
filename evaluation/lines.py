"""Reads a chunk line by line and says what is wrong with each; the slow and exact way."""

from __future__ import annotations

import re

from evaluation.errors import FileProblem
from evaluation.report import Report

# What no id may hold: control characters, Unicode blanks and line separators. Spaces, tabs and
# the carriage return at a line's end have been taken off before.
FORBIDDEN = re.compile(
    "[\x00-\x08\x0a-\x1f\x7f-\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"
)
INVISIBLE = re.compile(
    "[\xad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff"
    "\ufff9-\ufffb\U000e0000-\U000e007f]"
)
INTEGER = re.compile(rb"[+-]?[0-9]{1,18}")
NUMBER = re.compile(rb"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
NOT_FINITE = re.compile(rb"[+-]?(?:nan|inf|infinity)", re.IGNORECASE)
DECIMAL_COMMA = re.compile(rb"[+-]?[0-9]*,[0-9]+")

_NAMES = frozenset(
    b"qid query query_id queryid topic topic_id topicid q0 iter iteration docid doc_id docno "
    b"document document_id doc corpus_id rank score sim tag run run_id runid run_tag system "
    b"relevance rel grade label utility".split()
)


class LineReader:
    """What all files of lines have in common: length, encoding, characters, comments, header."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.limit = report.rules.budgets.line_bytes
        self.has_started = False
        self._damaged: set[bytes] = set()
        self._lost = 0
        self._most_lost = report.rules.budgets.faulty_lines

    def fields(self, number: int, line: bytes) -> list[bytes] | None:
        """The columns of a line, or None when it is blank, skipped or damaged."""
        if len(line) >= self.limit:
            self.fault("line_too_long", number, line, f"the line has {self.limit} bytes or more")
            return None
        line = line.rstrip(b" \t\r").lstrip(b" \t")
        if not line:
            return None
        try:
            text = line.decode()
        except UnicodeDecodeError as error:
            self.fault(
                "encoding_not_utf8", number, line, f"byte {error.start + 1} is not part of UTF-8"
            )
            return None
        if line.startswith(b"#"):
            self.report.add(
                "comment_lines_skipped", number, "a line that starts with # was skipped",
                quoted=line,
            )  # fmt: skip
            return None
        if (found := FORBIDDEN.search(text)) is not None:
            self.fault("character_not_allowed", number, line, f"{_named(found[0])} is not allowed")
            return None
        if (found := INVISIBLE.search(text)) is not None:
            self.report.add(
                "invisible_character_in_id", number, "the line holds the invisible {}",
                _named(found[0]), quoted=line,
            )  # fmt: skip
        fields = line.split()
        if not self.has_started:
            self.has_started = True
            if is_header(fields):
                self.report.add(
                    "header_line", number, "the first line names the columns", quoted=line
                )
                return None
        return fields

    def fault(self, kind: str, number: int, line: bytes, text: str, *values: object) -> None:
        """Report a fault that costs the line; its topic is known to be incomplete."""
        self.has_started = True
        self.mark_damaged(b"".join(line[:_LONGEST_TOPIC].split(None, 1)[:1]))
        self.report.add(kind, number, text, *values, quoted=line)

    def mark_damaged(self, topic: bytes) -> None:
        """Remember that a topic lacks a line; a hopeless file is not read to its end."""
        self._lost += 1
        if self._lost > self._most_lost:
            raise FileProblem(
                "not_a_run", f"more than {self._most_lost} lines are faulty; the rest was not read"
            )
        if len(self._damaged) < _MOST_DAMAGED:
            self._damaged.add(topic)

    def is_damaged(self, topic: bytes) -> bool:
        """Whether a line of the topic was lost, so that what is missing says nothing."""
        return topic in self._damaged or len(self._damaged) >= _MOST_DAMAGED

    @property
    def damaged(self) -> frozenset[bytes]:
        """Topics of lost lines, as far as can be told from their first column."""
        return frozenset(self._damaged)


_LONGEST_TOPIC = 1000
_MOST_DAMAGED = 10_000


def _named(character: str) -> str:
    return f"character U+{ord(character):04X}"


def is_header(fields: list[bytes]) -> bool:
    """Whether a line holds names of columns: three known names, or one where numbers belong.

    A line of a run with a number in its place is none, whatever its ids are called.
    """
    if len(fields) == 6 and any(NUMBER.fullmatch(field) for field in fields[3:5]):
        return False
    known = [field.lower().replace(b"-", b"_") in _NAMES for field in fields]
    return sum(known) >= 3 or (len(fields) == 6 and any(known[3:5]))


def is_underflow(text: bytes) -> bool:
    """Whether a number that was read as 0 is written with a digit other than 0."""
    mantissa = re.split(rb"[eE]", text, maxsplit=1)[0]
    return bool(mantissa.strip(b"+-0."))
