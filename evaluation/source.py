"""Reads a file as a stream of whole lines, plain or gzip, within its budgets.

Memory stays at a few blocks whatever the file holds: gzip is expanded piece by piece, and the
part of a line beyond the longest one allowed is dropped while it is read.
"""

from __future__ import annotations

import hashlib
import io
import os
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from evaluation.errors import FileProblem
from evaluation.rules import UNLIMITED, Budgets

Source = str | os.PathLike[str] | bytes | BinaryIO

GZIP_MAGIC = b"\x1f\x8b"
BLOCK = 1 << 18


@contextmanager
def opened(source: Source) -> Iterator[BinaryIO]:
    """The source as a binary file, read from its beginning; an open one is left open."""
    if isinstance(source, bytes):
        yield io.BytesIO(source)
    elif isinstance(source, str | os.PathLike):
        with Path(source).open("rb") as file:
            yield file
    else:
        if source.seekable():
            source.seek(0)
        yield source


def size_of(source: Source) -> int:
    """Bytes of the source as far as that can be told beforehand, else 0."""
    try:
        if isinstance(source, bytes):
            return len(source)
        if isinstance(source, str | os.PathLike):
            return Path(source).stat().st_size
        return os.fstat(source.fileno()).st_size
    except (OSError, AttributeError):
        return 0


class Text:
    """The decompressed text of a file, block by block, with the sums of both forms.

    ``sha256`` and ``upload_sha256`` are complete once all blocks have been read, and empty when
    the text ``is_summed`` not at all.
    Raises FileProblem (``file_too_large``, ``archive_damaged``) while it is read.
    """

    def __init__(self, file: BinaryIO, budgets: Budgets, *, is_summed: bool = True) -> None:
        self._file = file
        self._budgets = budgets
        self._is_summed = is_summed
        self._upload_sum = hashlib.sha256()
        self._text_sum = self._upload_sum
        self.upload_bytes = 0
        self.text_bytes = 0

    @property
    def sha256(self) -> str:
        """SHA-256 of the decompressed text read so far."""
        return self._text_sum.hexdigest() if self._is_summed else ""

    @property
    def upload_sha256(self) -> str:
        """SHA-256 of the bytes as they were uploaded."""
        return self._upload_sum.hexdigest() if self._is_summed else ""

    def blocks(self) -> Iterator[bytes]:
        """The text in blocks of at most 256 KB."""
        raw = self._raw()
        first = next(raw, b"")
        joined = _chain(first, raw)
        if first[:2] != GZIP_MAGIC:
            for block in joined:
                self._count(block)
                yield block
            return
        # Plain text is its own upload, so that one sum is enough.
        self._text_sum = hashlib.sha256()
        for block in _expanded(joined):
            self._count(block)
            if self._is_summed:
                self._text_sum.update(block)
            yield block

    def _count(self, block: bytes) -> None:
        self.text_bytes += len(block)
        self._check_text()

    def _raw(self) -> Iterator[bytes]:
        limit = self._budgets.upload_bytes
        while block := self._file.read(BLOCK):
            self.upload_bytes += len(block)
            if self.upload_bytes > limit:
                raise FileProblem("file_too_large", f"the file is larger than {limit} bytes")
            if self._is_summed:
                self._upload_sum.update(block)
            yield block

    def _check_text(self) -> None:
        budgets = self._budgets
        if self.text_bytes > budgets.text_bytes:
            raise FileProblem(
                "file_too_large", f"the text is larger than {budgets.text_bytes} bytes"
            )
        expanded = self.text_bytes > budgets.expansion * self.upload_bytes
        if expanded and self.text_bytes > budgets.expansion_from:
            raise FileProblem(
                "file_too_large",
                f"the archive expands to more than {budgets.expansion} times its size",
            )


def _chain(first: bytes, rest: Iterable[bytes]) -> Iterator[bytes]:
    if first:
        yield first
        yield from rest


def _expanded(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Expand gzip of one or more members, zero padding after the last one allowed."""
    expander = None
    try:
        for block in blocks:
            rest = block
            while rest:
                if expander is None:
                    rest = rest.lstrip(b"\0")
                    if not rest:
                        break
                    expander = zlib.decompressobj(wbits=31)
                yield from _pieces(expander, rest)
                rest = expander.unused_data
                if expander.eof:
                    expander = None
    except zlib.error as error:
        raise FileProblem("archive_damaged", f"the gzip data is damaged ({error})") from None
    if expander is not None:
        raise FileProblem("archive_damaged", "the gzip data ends before its end mark")


def _pieces(expander: zlib._Decompress, block: bytes) -> Iterator[bytes]:
    piece = expander.decompress(block, BLOCK)
    while piece or (expander.unconsumed_tail and not expander.eof):
        if piece:
            yield piece
        # At the end of a member what is left belongs to the next one.
        piece = b"" if expander.eof else expander.decompress(expander.unconsumed_tail, BLOCK)


def chunks(blocks: Iterable[bytes], line_bytes: int) -> Iterator[bytes]:
    """Cut a stream into chunks of whole lines; a line over ``line_bytes`` loses its tail.

    What is left of such a line is ``line_bytes`` long, so that it is still seen as too long.
    """
    pending = b""
    for block in blocks:
        end = block.rfind(b"\n") + 1
        if not end:
            room = max(0, line_bytes - len(pending))
            pending += block[:room]
            continue
        if len(pending) >= line_bytes:
            start = block.find(b"\n")
            yield pending + block[start:end]
        else:
            yield pending + block[:end]
        pending = block[end : end + line_bytes]
    if pending:
        yield pending


def quoted_lines(source: Source, wanted: set[int], line_bytes: int) -> dict[int, bytes]:
    """The text of some physical lines, read again; empty when the source cannot be read twice."""
    if not wanted:
        return {}
    if not isinstance(source, bytes | str | os.PathLike) and not source.seekable():
        return {}
    last, before = max(wanted), 0
    found: dict[int, bytes] = {}
    with opened(source) as file:
        text = Text(file, UNLIMITED, is_summed=False)
        try:
            for chunk in chunks(text.blocks(), line_bytes):
                after = before + chunk.count(b"\n") + (not chunk.endswith(b"\n"))
                here = [line for line in wanted if before < line <= after]
                if here:
                    lines = chunk.split(b"\n")
                    found.update((line, lines[line - before - 1]) for line in here)
                if after >= last:
                    break
                before = after
        except FileProblem:
            pass
    return found
