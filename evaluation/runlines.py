"""The columns of a run, line by line: ranks, scores, tags, and what is wrong with them."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from evaluation.errors import FileProblem
from evaluation.lines import (
    DECIMAL_COMMA,
    INTEGER,
    NOT_FINITE,
    NUMBER,
    LineReader,
    is_underflow,
)
from evaluation.report import Report
from evaluation.tokens import RUN_COLUMNS, Codes, Columns, Row

_LONGEST_TAG = 1000
# Printable ASCII, Q0, a whole number and a decimal one: nearly all lines of nearly all runs.
_PLAIN = re.compile(
    rb"[ \t]*([!\"$-~][!-~]*)[ \t]+Q0[ \t]+([!-~]+)[ \t]+([0-9]{1,18})[ \t]+"
    rb"([+-]?[0-9]+(?:\.[0-9]+)?)[ \t]+([!-~]+)[ \t]*\r?"
)


class RunReader(LineReader):
    """What is known of a run while its chunks are read; also the sink of its tokeniser."""

    def __init__(self, report: Report) -> None:
        super().__init__(report)
        self.topics = Codes()
        self.tag: bytes | None = None
        self.allows_extra = report.rules.level("extra_column") != "error"
        self.line_bytes = self.limit
        pattern = report.rules.tag_pattern
        self._pattern = None if pattern is None else re.compile(pattern)

    def note_tag(self, tag: bytes, line: int) -> bool:
        """Take the tag of the first line as the run's; false when another one came before."""
        if self.tag is None:
            self.tag = tag
            self._check_tag(tag, line)
        return tag == self.tag

    def note_second_column(self, line: int, count: int) -> None:
        """Note lines whose second column is not Q0."""
        self.report.add("q0_column", line, "the second column is not Q0", count=count)

    def note_extra(self, line: int, count: int) -> None:
        """Note lines with more than six columns."""
        self.report.add(
            "extra_column", line, "what follows the sixth column was dropped", count=count
        )

    def end_chunk(self) -> None:
        """Look after the budget of topics; past the first rows no header is expected."""
        self.has_started = self.has_started or bool(self.topics)
        allowed = self.report.rules.budgets.topics
        if len(self.topics) > allowed:
            raise FileProblem("file_too_large", f"the file has more than {allowed} topics")

    def _check_tag(self, tag: bytes, line: int) -> None:
        pattern = self._pattern
        if pattern is None:
            return
        if len(tag) > _LONGEST_TAG or pattern.fullmatch(tag.decode()) is None:
            self.report.add(
                "tag_invalid",
                line,
                "tag {} does not match {}",
                tag,
                self.report.rules.tag_pattern,
            )

    def columns(self, chunk: bytes, first_line: int) -> Columns:
        """The sound rows of a chunk, each line looked at on its own."""
        lines = chunk.split(b"\n")
        if not lines[-1]:
            lines.pop()
        rows = [
            row
            for number, line in enumerate(lines, first_line)
            if (row := self.row(number, line)) is not None
        ]
        return Columns.of(*zip(*rows, strict=True)) if rows else Columns.joined([])

    def row(self, number: int, line: bytes) -> Row | None:
        """The row of one line, None unless it counts; what is wrong with it goes to the report."""
        return self._plain_row(number, line) or self._row(number, line)

    def _plain_row(self, number: int, line: bytes) -> Row | None:
        """The row of a line with nothing odd about it, found by one pattern."""
        match = _PLAIN.fullmatch(line)
        if match is None or len(line) >= self.limit:
            return None
        topic, document, rank, score, tag = match.groups()
        value = float(score)
        if tag != self.tag or value == 0 or math.isinf(value):
            return None
        return number, self.topics[topic], document, int(rank), value

    def _row(self, number: int, line: bytes) -> Row | None:
        fields = self.fields(number, line)
        if fields is None:
            return None
        width = len(fields)
        if width < RUN_COLUMNS or (width > RUN_COLUMNS and not self.allows_extra):
            hint = _hint_of_width(fields)
            self.fault(
                "wrong_column_count",
                number,
                line,
                "{} instead of six columns{}",
                width,
                hint,
            )
            return None
        topic, second, document, rank, score, tag = fields[:RUN_COLUMNS]
        where = Place(number, topic, line)
        code = self.topics[topic]
        if second != b"Q0":
            self.note_second_column(number, 1)
        if width > RUN_COLUMNS:
            self.note_extra(number, 1)
        if not self.note_tag(tag, number):
            self._note("tag_inconsistent", where, "tag {} after tag {}", tag, self.tag)
        place = self._rank(rank, score, where)
        value = self._score(score, where)
        if value is None or place is None:
            self.mark_damaged(topic)
            return None
        return number, code, document, place, value

    def _note(self, kind: str, where: Place, text: str, *values: object) -> None:
        self.report.add(kind, where.number, text, *values, topic=where.topic, quoted=where.line)

    def _rank(self, rank: bytes, score: bytes, where: Place) -> int | None:
        if INTEGER.fullmatch(rank):
            return int(rank)
        swapped = NUMBER.fullmatch(rank) and INTEGER.fullmatch(score)
        hint = "; rank and score seem to be swapped" if swapped else ""
        self._note("bad_rank", where, "rank {} is not a whole number{}", rank, hint)
        # Where the task tolerates it, the line counts; checks of ranks leave its topic out.
        self.mark_damaged(where.topic)
        return None if self.report.rules.level("bad_rank") == "error" else 0

    def _score(self, score: bytes, where: Place) -> float | None:
        if NUMBER.fullmatch(score):
            value = float(score)
            if math.isinf(value):
                self._note("score_not_finite", where, "score {} is too large for a double", score)
                return None
            if value == 0 and is_underflow(score):
                self._note("score_underflow", where, "score {} was read as 0", score)
            return value
        if NOT_FINITE.fullmatch(score):
            self._note("score_not_finite", where, "score {} is not finite", score)
            return None
        hint = "; write a decimal point" if DECIMAL_COMMA.fullmatch(score) else ""
        self._note("bad_score", where, "score {} is not a number{}", score, hint)
        return None


@dataclass(frozen=True, slots=True)
class Place:
    """A line that a message is about."""

    number: int
    topic: bytes
    line: bytes


def _hint_of_width(fields: list[bytes]) -> str:
    if len(fields) == 1 and b"," in fields[0]:
        return "; columns are separated by blanks or tabs, not commas"
    if len(fields) == RUN_COLUMNS - 1 and not NUMBER.fullmatch(fields[-1]):
        return "; is a score, a rank or the tag missing?"
    if len(fields) == RUN_COLUMNS + 1:
        return "; does an id or the tag hold a blank?"
    return ""
