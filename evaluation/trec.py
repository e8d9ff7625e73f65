"""Reads TREC run files: one pass over the text, then what only the whole run shows."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass, replace
from typing import Any

from evaluation.against import Against
from evaluation.checks import arrange
from evaluation.data import Qrels, Run
from evaluation.errors import FileRejected, Message, Outcome, outcome_of, visible
from evaluation.fast_tokens import fast_columns
from evaluation.report import Report
from evaluation.rules import CheckRules
from evaluation.runlines import RunReader
from evaluation.sniff import refuse_other_columns
from evaluation.source import Source, size_of
from evaluation.stream import read_chunks
from evaluation.table import Table
from evaluation.tokens import Tokeniser


@dataclass(frozen=True, slots=True)
class Summary:
    """What a file holds: ``documents`` counts its rows, the sums are of text and upload."""

    tag: str | None
    topics: int
    documents: int
    lines: int
    sha256: str | None
    upload_sha256: str | None
    upload_bytes: int
    text_bytes: int

    def as_dict(self) -> dict[str, Any]:
        """The summary as ``check --json`` shows it."""
        return {
            "tag": self.tag,
            "topics": self.topics,
            "documents": self.documents,
            "sha256": self.sha256,
        }


@dataclass(frozen=True, slots=True)
class CheckedRun:
    """A run that was read: None with the messages that say why, when it is rejected.

    ``messages`` holds those for organizers only as well; ``participant_messages`` does not.
    """

    run: Run | None
    messages: tuple[Message, ...]
    summary: Summary

    @property
    def outcome(self) -> Outcome:
        """The outcome as organizers see it, from all messages."""
        return outcome_of(self.messages)

    @property
    def participant_messages(self) -> tuple[Message, ...]:
        """The messages that give away nothing about judgments."""
        return tuple(message for message in self.messages if not message.organizers_only)

    @property
    def participant_outcome(self) -> Outcome:
        """The outcome as participants see it."""
        return outcome_of(self.participant_messages)

    def sound(self) -> Run:
        """The run; raises FileRejected when there is none."""
        if self.run is None:
            raise FileRejected(self.messages)
        return self.run


def read_run(
    source: Source,
    rules: CheckRules | None = None,
    *,
    topics: Iterable[str] | None = None,
    documents: Container[bytes] | None = None,
    pool: Run | Qrels | None = None,
    qrels: Qrels | None = None,
    tokeniser: Tokeniser = fast_columns,
) -> CheckedRun:
    """Read and check a run file, plain or gzip.

    ``topics`` are those of the task, ``documents`` the ids of the collection, ``pool`` an initial
    run to be reranked or the candidates with their utilities. What ``qrels`` show is for
    organizers only and changes neither the run nor the participant's outcome.
    """
    report = Report(rules or CheckRules())
    reader = RunReader(report)
    table = Table(size_of(source))

    def read(chunk: bytes, first_line: int) -> None:
        rows = tokeniser(chunk, first_line, reader)
        table.extend(reader.columns(chunk, first_line) if rows is None else rows)
        reader.end_chunk()

    reading = read_chunks(source, report, read, refuse_other_columns)
    table.close()
    rows_read = len(table)
    run = None
    if reading.is_complete and not reader.topics and not reader.damaged:
        report.add("empty_file", None, "the file holds no results")
    elif reading.is_complete:
        against = Against.of(topics, documents, pool, qrels)
        run = arrange(table, reader, against, reading.sha256 or "")
    messages = reading.messages()
    summary = Summary(
        tag=None if reader.tag is None else visible(reader.tag),
        topics=len(reader.topics),
        documents=rows_read,
        lines=reading.lines,
        sha256=reading.sha256,
        upload_sha256=reading.upload_sha256,
        upload_bytes=reading.upload_bytes,
        text_bytes=reading.text_bytes,
    )
    checked = CheckedRun(run, messages, summary)
    return replace(checked, run=None) if checked.participant_outcome == "rejected" else checked
