"""Reads topic files and lists of document ids."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from evaluation.document_ids import DocumentIds, IdReader
from evaluation.errors import FileRejected, Message, Outcome, outcome_of
from evaluation.report import Report
from evaluation.rules import CheckRules
from evaluation.sniff import refuse_other_files
from evaluation.source import Source
from evaluation.stream import read_chunks
from evaluation.topic_forms import TOPIC_FORMS, form_of
from evaluation.topic_reader import TopicReader, Wording


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

    ids: DocumentIds | None
    messages: tuple[Message, ...]
    sha256: str | None

    @property
    def outcome(self) -> Outcome:
        """Accepted, accepted with warning or rejected."""
        return outcome_of(self.messages)

    def sound(self) -> DocumentIds:
        """The ids; raises FileRejected when there are none."""
        if self.ids is None:
            raise FileRejected(self.messages)
        return self.ids


def read_topics(
    source: Source,
    rules: CheckRules | None = None,
    *,
    form: str | None = None,
    wording: Wording = "title",
    language: str = "",
) -> CheckedTopics:
    """Read topics of any form: ``tsv``, ``jsonl`` or ``xml`` (TREC's SGML as well).

    Without ``form`` the beginning of the file tells. Files with several texts a topic give its
    ``wording`` (empty where there is none); those with several languages the one asked for, or
    else the first. Blanks within the texts of JSON and XML become single spaces.
    """
    report = Report(rules or CheckRules())
    reader: TopicReader = TOPIC_FORMS[form or "tsv"](report, wording, language)

    def begin(start: bytes) -> None:
        nonlocal reader
        found = form_of(start) if form is None else form
        if found != "tsv":
            reader = TOPIC_FORMS[found](report, wording, language)
        elif form is not None:
            refuse_other_files(start)

    def read(chunk: bytes, first_line: int) -> None:
        reader.read(chunk, first_line)

    reading = read_chunks(source, report, read, begin=begin)
    if reading.is_complete:
        reader.finish()
        if not reader.topics and not reader.damaged:
            report.add("empty_file", None, "the file holds no topics")
    messages = reading.messages()
    is_rejected = outcome_of(messages) == "rejected"
    return CheckedTopics(None if is_rejected else reader.topics, messages, reading.sha256)


def read_document_ids(source: Source, rules: CheckRules | None = None) -> CheckedIds:
    """Read the ids of a collection's documents: a line each."""
    report = Report(rules or CheckRules())
    reader = IdReader(report)

    def read(chunk: bytes, first_line: int) -> None:
        reader.read(chunk, first_line)

    reading = read_chunks(source, report, reader.read)
    if reading.is_complete and reader.is_empty and not reader.damaged:
        report.add("empty_file", None, "the file holds no document ids")
    messages = reading.messages()
    is_rejected = outcome_of(messages) == "rejected"
    ids = None if is_rejected else DocumentIds.of(reader.ids())
    return CheckedIds(ids, messages, reading.sha256)
