"""Drives a reader over a file: chunks with their first line, budgets, beginnings, messages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass

import numpy as np

from evaluation.ahead import Ahead
from evaluation.errors import FileProblem, Message
from evaluation.report import Report
from evaluation.sniff import LOOKED_AT, refuse_other_files
from evaluation.source import Source, Text, chunks, opened, quoted_lines, size_of

_LARGE = 4 << 20  # bytes of a file from which on a thread of its own reads it
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Reading:
    """How the reading of a file ended; the sums are None unless all of it was read."""

    source: Source
    report: Report
    is_complete: bool
    lines: int
    sha256: str | None
    upload_sha256: str | None
    upload_bytes: int
    text_bytes: int

    def messages(self) -> tuple[Message, ...]:
        """All messages in order of line, each with the line it is about."""
        wanted = self.report.unquoted_lines()
        limit = self.report.rules.budgets.line_bytes
        return self.report.messages(quoted_lines(self.source, wanted, limit))


def read_chunks(
    source: Source,
    report: Report,
    read: Callable[[bytes, int], None],
    first: Callable[[bytes], None] | None = None,
    begin: Callable[[bytes], None] = refuse_other_files,
) -> Reading:
    """Call ``read(chunk, first line)`` for each chunk of whole lines, ``first`` for the first.

    ``begin`` sees how the file begins, without a byte order mark, before anything is read.
    What ends the reading (FileProblem, also from ``read``) becomes a message. A file without
    any byte of text but blanks is for the reader to judge.
    """
    budgets = report.rules.budgets
    lines = 0
    is_complete = False
    with opened(source) as file, ExitStack() as closed_first:
        text = Text(file, budgets)
        blocks = text.blocks()
        if size_of(source) >= _LARGE:
            blocks = iter(closed_first.enter_context(Ahead(blocks)))
        try:
            for chunk in chunks(_without_mark(blocks, report, begin), budgets.line_bytes):
                if first is not None and not lines:
                    first(chunk)
                if not chunk.isspace():
                    read(chunk, lines + 1)
                lines += _line_ends(chunk) + (not chunk.endswith(b"\n"))
                if lines > budgets.lines:
                    raise FileProblem(
                        "file_too_large", f"the file has more than {budgets.lines} lines"
                    )
            is_complete = True
        except FileProblem as problem:
            report.problem(problem)
    return Reading(
        source,
        report,
        is_complete,
        lines,
        text.sha256 if is_complete else None,
        text.upload_sha256 if is_complete else None,
        text.upload_bytes,
        text.text_bytes,
    )


def _line_ends(chunk: bytes) -> int:
    return int(np.count_nonzero(np.frombuffer(chunk, dtype=np.uint8) == ord("\n")))


def _without_mark(
    blocks: Iterator[bytes], report: Report, begin: Callable[[bytes], None]
) -> Iterator[bytes]:
    """Look at the beginning, which may be refused, and take off a byte order mark."""
    start = b""
    for block in blocks:
        start += block
        if len(start) >= LOOKED_AT:
            break
    if start.startswith(BYTE_ORDER_MARK):
        start = start[len(BYTE_ORDER_MARK) :]
        report.add("byte_order_mark", 1, "the file begins with a byte order mark")
    begin(start)
    if start:
        yield start
    yield from blocks
