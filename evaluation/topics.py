"""Reads topic files and lists of document ids."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from evaluation.errors import FileRejected, Message, Outcome, outcome_of
from evaluation.lines import LineReader
from evaluation.report import Report
from evaluation.rules import CheckRules
from evaluation.source import Source
from evaluation.stream import read_chunks

# Texts may hold any blank, but nothing that a database or JSON cannot.
_CONTROL = re.compile("[\x00-\x08\x0a-\x1f\x7f]")
_NAMES = frozenset(
    ("id", "qid", "query", "query_id", "text", "title", "topic", "topic_id", "topicid")
)


@dataclass(frozen=True, slots=True)
class CheckedTopics:
    """Topics that were read, id to text in the order of the file; None when rejected."""

    topics: Mapping[str, str] | None
    messages: tuple[Message, ...]
    sha256: str | None

    @property
    def outcome(self) -> Outcome:
        """Accepted, accepted with warning or rejected."""
        return outcome_of(self.messages)

    def sound(self) -> Mapping[str, str]:
        """The topics; raises FileRejected when there are none."""
        if self.topics is None:
            raise FileRejected(self.messages)
        return self.topics


@dataclass(frozen=True, slots=True)
class CheckedIds:
    """Document ids that were read, byte for byte; None when rejected."""

    ids: frozenset[bytes] | None
    messages: tuple[Message, ...]
    sha256: str | None

    @property
    def outcome(self) -> Outcome:
        """Accepted, accepted with warning or rejected."""
        return outcome_of(self.messages)

    def sound(self) -> frozenset[bytes]:
        """The ids; raises FileRejected when there are none."""
        if self.ids is None:
            raise FileRejected(self.messages)
        return self.ids


class TabSeparatedTopics(LineReader):
    """Topics as lines of id, tab, text; further columns belong to the text."""

    def __init__(self, report: Report) -> None:
        super().__init__(report)
        self.topics: dict[str, str] = {}
        self._lines: dict[str, int] = {}

    def read(self, chunk: bytes, first_line: int) -> None:
        """Take the topics of a chunk."""
        for number, line in enumerate(chunk.split(b"\n"), first_line):
            self._line(number, line)

    def _line(self, number: int, line: bytes) -> None:
        name, _, text = line.rstrip(b"\r").partition(b"\t")
        is_first = not self.has_started
        # Only the id has to obey the rules of ids: its text may hold any blank.
        fields = self.fields(number, name)
        if fields is None:
            if text.strip() and not name.strip():
                self.fault("wrong_column_count", number, line, "the line has no topic id")
            return
        if len(line) >= self.limit:
            self.fault("line_too_long", number, line, f"the line has {self.limit} bytes or more")
            return
        if len(fields) != 1:
            self.fault("wrong_column_count", number, line, "the line is not topic id, tab, text")
            return
        try:
            topic, wording = fields[0].decode(), text.strip().decode()
        except UnicodeDecodeError:
            self.fault("encoding_not_utf8", number, line, "the text is not UTF-8")
            return
        if _CONTROL.search(wording):
            self.fault("character_not_allowed", number, line, "the text holds control characters")
            return
        if is_first and {topic.lower(), wording.lower()} <= _NAMES:
            self.report.add("header_line", number, "the first line names the columns", quoted=line)
            return
        if topic in self.topics:
            self.report.add(
                "duplicate_topic", number, "topic {} is already on line {}",
                fields[0], self._lines[topic], topic=topic, quoted=line,
            )  # fmt: skip
            return
        self.topics[topic] = wording
        self._lines[topic] = number


TOPIC_FORMATS: Mapping[str, Callable[[Report], TabSeparatedTopics]] = {"tsv": TabSeparatedTopics}


def read_topics(
    source: Source, rules: CheckRules | None = None, *, form: str = "tsv"
) -> CheckedTopics:
    """Read topics: a line each, with id, tab and text (``tsv``)."""
    report = Report(rules or CheckRules())
    reader = TOPIC_FORMATS[form](report)
    reading = read_chunks(source, report, reader.read)
    if reading.is_complete and not reader.topics and not reader.damaged:
        report.add("empty_file", None, "the file holds no topics")
    messages = reading.messages()
    is_rejected = outcome_of(messages) == "rejected"
    return CheckedTopics(None if is_rejected else reader.topics, messages, reading.sha256)


class IdReader(LineReader):
    """Document ids, a line each."""

    def __init__(self, report: Report) -> None:
        super().__init__(report)
        self.ids: set[bytes] = set()

    def read(self, chunk: bytes, first_line: int) -> None:
        """Take the ids of a chunk."""
        for number, line in enumerate(chunk.split(b"\n"), first_line):
            fields = self.fields(number, line)
            if fields is None:
                continue
            if len(fields) == 1:
                self.ids.add(fields[0])
            else:
                self.fault("wrong_column_count", number, line, "{} columns, not one", len(fields))


def read_document_ids(source: Source, rules: CheckRules | None = None) -> CheckedIds:
    """Read the ids of a collection's documents: a line each."""
    report = Report(rules or CheckRules())
    reader = IdReader(report)
    reading = read_chunks(source, report, reader.read)
    if reading.is_complete and not reader.ids and not reader.damaged:
        report.add("empty_file", None, "the file holds no document ids")
    messages = reading.messages()
    is_rejected = outcome_of(messages) == "rejected"
    return CheckedIds(None if is_rejected else frozenset(reader.ids), messages, reading.sha256)
