"""Reads TREC run files: one pass over the text, then what only the whole run shows."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import Any

from evaluation.against import Against
from evaluation.checks import arrange
from evaluation.data import Qrels, Run
from evaluation.errors import FileProblem, FileRejected, Message, Outcome, outcome_of, visible
from evaluation.report import Report
from evaluation.rules import CheckRules
from evaluation.runlines import RunReader
from evaluation.sniff import refuse_other_columns, refuse_other_files
from evaluation.source import Source, Text, chunks, opened, quoted_lines
from evaluation.tokens import Columns, Tokeniser, split_columns

BYTE_ORDER_MARK = b"\xef\xbb\xbf"


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
    tokeniser: Tokeniser = split_columns,
) -> CheckedRun:
    """Read and check a run file, plain or gzip.

    ``topics`` are those of the task, ``documents`` the ids of the collection, ``pool`` an initial
    run to be reranked or the candidates with their utilities. What ``qrels`` show is for
    organizers only and changes neither the run nor the participant's outcome.
    """
    rules = rules or CheckRules()
    report = Report(rules)
    reader = RunReader(report)
    parts: list[Columns] = []
    lines = 0
    is_complete = False
    with opened(source) as file:
        text = Text(file, rules.budgets)
        try:
            for chunk in chunks(text.blocks(), rules.budgets.line_bytes):
                if not lines:
                    chunk = _beginning(chunk, report)
                parts.append(
                    tokeniser(chunk, lines + 1, reader) or reader.columns(chunk, lines + 1)
                )
                reader.has_started = reader.has_started or len(parts[-1]) > 0
                lines += chunk.count(b"\n") + (not chunk.endswith(b"\n"))
                _check_budgets(lines, reader, rules)
            is_complete = True
            _refuse_empty(reader, report)
        except FileProblem as problem:
            report.problem(problem)
    columns = Columns.joined(parts)
    parts.clear()
    run = None
    if is_complete and reader.topics:
        against = Against.of(topics, documents, pool, qrels)
        run = arrange(columns, reader, against, text.sha256)
    quotes = quoted_lines(source, report.unquoted_lines(), rules.budgets.line_bytes)
    messages = report.messages(quotes)
    summary = Summary(
        tag=None if reader.tag is None else visible(reader.tag),
        topics=len(reader.topics),
        documents=len(columns),
        lines=lines,
        sha256=text.sha256 if is_complete else None,
        upload_sha256=text.upload_sha256 if is_complete else None,
        upload_bytes=text.upload_bytes,
        text_bytes=text.text_bytes,
    )
    is_rejected = any(m.level == "error" and not m.organizers_only for m in messages)
    return CheckedRun(None if is_rejected else run, messages, summary)


def _beginning(chunk: bytes, report: Report) -> bytes:
    """Look at the first chunk: refuse what is no run, take off a byte order mark."""
    if chunk.startswith(BYTE_ORDER_MARK):
        chunk = chunk[len(BYTE_ORDER_MARK) :]
        report.add("byte_order_mark", 1, "the file begins with a byte order mark")
    refuse_other_files(chunk)
    refuse_other_columns(chunk)
    return chunk


def _check_budgets(lines: int, reader: RunReader, rules: CheckRules) -> None:
    budgets = rules.budgets
    if lines > budgets.lines:
        raise FileProblem("file_too_large", f"the file has more than {budgets.lines} lines")
    if len(reader.topics) > budgets.topics:
        raise FileProblem("file_too_large", f"the file has more than {budgets.topics} topics")


def _refuse_empty(reader: RunReader, report: Report) -> None:
    if reader.has_started or reader.damaged:
        return
    skipped = report.count("comment_lines_skipped")
    raise FileProblem(
        "empty_file", "the file holds only comments" if skipped else "the file holds no line"
    )
