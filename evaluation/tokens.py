"""The seam between a file's text and its columns: a chunk of whole lines becomes arrays.

A tokeniser takes a chunk that is sound from end to end; as soon as anything is odd it gives the
chunk back (None), and the line reader looks at each line. So exact line numbers cost nothing on
sound files, and another tokeniser has to know only the plain case.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from evaluation.data import Ids
from evaluation.lines import FORBIDDEN, INVISIBLE, is_underflow

RUN_COLUMNS = 6
QRELS_COLUMNS = 4

_CONTROLS = bytes([*range(9), 11, 12, *range(14, 32), 127])
_NUMERIC = b"0123456789+-.eE"


Row = tuple[int, int, bytes, int, float]
"""Line, topic code, document, rank and score."""


class Codes(dict[bytes, int]):
    """Numbers ids in the order in which they first appear."""

    def __missing__(self, key: bytes) -> int:
        self[key] = code = len(self)
        return code


@dataclass(frozen=True, slots=True)
class Columns:
    """Rows of a run: physical lines, topic codes, documents, ranks and scores, in file order."""

    lines: NDArray[np.int64]
    topics: NDArray[np.int32]
    documents: Ids
    ranks: NDArray[np.int64]
    scores: NDArray[np.float64]

    @classmethod
    def of(
        cls,
        lines: Sequence[int],
        topics: Sequence[int],
        documents: Sequence[bytes],
        ranks: Sequence[int],
        scores: Sequence[float],
    ) -> Columns:
        """Columns from lists."""
        return cls(
            np.array(lines, dtype=np.int64),
            np.array(topics, dtype=np.int32),
            Ids.of(documents),
            np.array(ranks, dtype=np.int64),
            np.array(scores, dtype=np.float64),
        )

    @classmethod
    def joined(cls, parts: Sequence[Columns]) -> Columns:
        """All parts, one after the other."""
        if not parts:
            return cls.of([], [], [], [], [])
        return cls(
            np.concatenate([part.lines for part in parts]),
            np.concatenate([part.topics for part in parts]),
            Ids.joined([part.documents for part in parts]),
            np.concatenate([part.ranks for part in parts]),
            np.concatenate([part.scores for part in parts]),
        )

    def __len__(self) -> int:
        return len(self.lines)

    def merged(self, others: Sequence[Row]) -> Columns:
        """These rows and some others, in order of their lines."""
        if not others:
            return self
        rest = Columns.of(*zip(*others, strict=True))
        if not len(self) or int(rest.lines[-1]) < int(self.lines[0]):
            return Columns.joined([rest, self]) if len(self) else rest
        both = Columns.joined([self, rest])
        order = np.argsort(both.lines, kind="stable")
        return Columns(
            both.lines[order],
            both.topics[order],
            both.documents.gathered([order]),
            both.ranks[order],
            both.scores[order],
        )


class RunSink(Protocol):
    """Where a tokeniser notes what it saw beside the columns."""

    topics: Codes
    tag: bytes | None
    allows_extra: bool
    line_bytes: int

    def row(self, number: int, line: bytes) -> Row | None:
        """Look at one line, note what is wrong with it; None unless it counts."""

    def note_tag(self, tag: bytes, line: int) -> bool:
        """Take the tag of all lines of a chunk; false when it is not the run's tag."""

    def note_second_column(self, line: int, count: int) -> None:
        """Note lines whose second column is not Q0."""

    def note_extra(self, line: int, count: int) -> None:
        """Note lines with more than six columns."""


class Tokeniser(Protocol):
    """Turns a chunk of whole lines into columns, or gives it back (None) when it is not sound."""

    def __call__(self, chunk: bytes, first_line: int, sink: RunSink) -> Columns | None: ...


def split_rows(chunk: bytes, line_bytes: int) -> list[list[bytes]] | None:
    """The columns of each line of a chunk, None when a line needs a look of its own."""
    if len(chunk.translate(None, _CONTROLS)) != len(chunk):
        return None
    if chunk.count(b"\r") != chunk.count(b"\r\n"):
        return None
    if not chunk.isascii() and not is_plain(chunk):
        return None
    lines = chunk.split(b"\n")
    if not lines[-1]:
        lines.pop()
    if max(map(len, lines), default=0) >= line_bytes:
        return None
    return list(map(bytes.split, lines))


def is_plain(chunk: bytes) -> bool:
    """Whether a chunk is UTF-8 without any character that a line reader has to see."""
    try:
        text = chunk.decode()
    except UnicodeDecodeError:
        return False
    # The line breaks themselves are control characters, and known to be in place.
    text = text.replace("\n", "").replace("\r", "")
    return not FORBIDDEN.search(text) and not INVISIBLE.search(text)


def split_columns(chunk: bytes, first_line: int, sink: RunSink) -> Columns | None:
    """The tokeniser on ``bytes.split``; the oracle for faster ones."""
    rows = split_rows(chunk, sink.line_bytes)
    if not rows:
        return None
    lines: Sequence[int] = range(first_line, first_line + len(rows))
    widths = set(map(len, rows))
    if 0 in widths:
        lines = [line for line, row in zip(lines, rows, strict=True) if row]
        rows = [row for row in rows if row]
        widths.discard(0)
    if not rows:
        return Columns.joined([])
    if min(widths) < RUN_COLUMNS or (max(widths) > RUN_COLUMNS and not sink.allows_extra):
        return None
    topics, seconds, documents, ranks, scores, tags, *_ = zip(*rows, strict=False)
    values = numbers(scores)
    places = integers(ranks)
    if values is None or places is None or any(one.startswith(b"#") for one in set(topics)):
        return None
    if len(set(tags)) != 1 or not sink.note_tag(tags[0], lines[0]):
        return None
    if set(seconds) != {b"Q0"}:
        odd = [line for line, value in zip(lines, seconds, strict=True) if value != b"Q0"]
        sink.note_second_column(odd[0], len(odd))
    if widths != {RUN_COLUMNS}:
        odd = [line for line, row in zip(lines, rows, strict=True) if len(row) > RUN_COLUMNS]
        sink.note_extra(odd[0], len(odd))
    return Columns(
        np.array(lines, dtype=np.int64),
        np.fromiter(map(sink.topics.__getitem__, topics), dtype=np.int32, count=len(rows)),
        Ids.of(documents),
        places,
        values,
    )


def integers(column: Sequence[bytes]) -> NDArray[np.int64] | None:
    """Whole numbers of a column, None unless all are plain digits that fit 64 bits."""
    if not b"".join(column).isdigit() or max(map(len, column)) > 18:
        return None
    return np.array(list(map(int, column)), dtype=np.int64)


def numbers(column: Sequence[bytes]) -> NDArray[np.float64] | None:
    """Finite numbers of a column, None if one is not a strict ASCII number or underflows."""
    if b"".join(column).translate(None, _NUMERIC):
        return None
    try:
        # Over this alphabet float() takes exactly the strict pattern: no nan, inf, _ or 0x.
        values = np.array(list(map(float, column)), dtype=np.float64)
    except ValueError:
        return None
    if not np.isfinite(values).all():
        return None
    if any(is_underflow(column[row]) for row in np.flatnonzero(values == 0).tolist()):
        return None
    return values
