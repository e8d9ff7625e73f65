"""Bytes on their way into the store: checksums, decompression and budgets while they stream."""

from __future__ import annotations

import hashlib
import os
import uuid
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from django.core.files.storage import Storage, storages
from django.utils import timezone

from campaigns.models import FilePurpose, StoredFile
from campaigns.services.marks import without_hidden_marks

GZIP_MAGIC = b"\x1f\x8b"
PIECE = 1 << 18


class UploadError(Exception):
    """A file that is not taken; ``kind`` as in the check report, ``status`` as over REST."""

    def __init__(self, kind: str, text: str, remedy: str, status: int) -> None:
        super().__init__(text)
        self.kind, self.text, self.remedy, self.status = kind, text, remedy, status

    def as_message(self) -> dict[str, Any]:
        """The fault in the form of a check report's message."""
        return {
            "level": "error",
            "line": None,
            "kind": self.kind,
            "topic": None,
            "text": self.text,
            "remedy": self.remedy,
        }


def too_large(limit: int, what: str) -> UploadError:
    """The budget is used up."""
    return UploadError(
        "file_too_large",
        f"The file holds more than {limit:,} bytes of {what}.",
        "Keep fewer documents per topic, shorten the scores, or ask the organizers for a "
        "higher limit.",
        413,
    )


def runs_storage() -> Storage:
    """Where run files, qrels and pools lie."""
    return storages["runs"]


@dataclass(frozen=True, slots=True)
class Received:
    """A file whose last byte is stored; its row is made by the service that uses it."""

    key: str
    name: str
    is_gzip: bool
    size: int
    text_size: int
    sha256: str
    text_sha256: str
    received_at: datetime

    def row(self, purpose: FilePurpose) -> StoredFile:
        """The unsaved row for this file."""
        return StoredFile(
            key=self.key,
            purpose=purpose,
            name=self.name,
            is_gzip=self.is_gzip,
            size=self.size,
            text_size=self.text_size,
            sha256=self.sha256,
            text_sha256=self.text_sha256,
        )


class Receiver:
    """Takes the bytes of one file as they come and writes them to the store.

    ``upload_limit`` bounds the bytes as sent, ``text_limit`` those after decompression; both
    raise ``UploadError`` on the very piece that goes over. Leaving the ``with`` block without
    ``close()`` removes what was written.
    """

    def __init__(self, name: str, *, upload_limit: int, text_limit: int) -> None:
        self.name = without_hidden_marks(Path(name.replace("\\", "/")).name)[:255]
        self.upload_limit, self.text_limit = upload_limit, text_limit
        stamp = uuid.uuid4().hex
        self.key = f"{stamp[:2]}/{stamp}"
        self.size = self.text_size = 0
        self._sha, self._text_sha = hashlib.sha256(), hashlib.sha256()
        self._head = b""
        self._inflater: Any = None
        self._is_gzip: bool | None = None
        self._is_closed = False
        self._storage = runs_storage()
        self._prepare_folder()
        self._file = self._storage.open(self.key, "wb")

    def _prepare_folder(self) -> None:
        try:
            path = Path(self._storage.path(self.key))
        except NotImplementedError:  # an object store has no folders
            return
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if not self._is_closed:
            self.discard()

    def feed(self, piece: bytes) -> None:
        """Take the next bytes."""
        self.size += len(piece)
        if self.size > self.upload_limit:
            raise too_large(self.upload_limit, "upload")
        self._sha.update(piece)
        self._file.write(piece)
        if self._is_gzip is None:
            self._head += piece
            if len(self._head) < len(GZIP_MAGIC):
                return
            self._is_gzip = self._head.startswith(GZIP_MAGIC)
            piece, self._head = self._head, b""
        if self._is_gzip:
            self._inflate(piece)
        else:
            self._count(piece)

    def _count(self, text: bytes) -> None:
        self.text_size += len(text)
        if self.text_size > self.text_limit:
            raise too_large(self.text_limit, "text")
        self._text_sha.update(text)

    def _inflate(self, piece: bytes) -> None:
        """Expand in bounded pieces, over several gzip members, ignoring zero padding."""
        while piece:
            if self._inflater is None:
                piece = piece.lstrip(b"\0") if self.text_size else piece
                if not piece:
                    return
                self._inflater = zlib.decompressobj(wbits=31)
            try:
                self._count(self._inflater.decompress(piece, PIECE))
            except zlib.error as error:
                raise self._damaged() from error
            if self._inflater.eof:
                piece, self._inflater = self._inflater.unused_data, None
            else:
                piece = self._inflater.unconsumed_tail

    @staticmethod
    def _damaged() -> UploadError:
        return UploadError(
            "archive_damaged",
            "The gzip file is damaged or cut off.",
            "Compress the run again and check it with “gzip -t”, or send it as plain text.",
            422,
        )

    def close(self) -> Received:
        """The file is complete: make it durable and say what was received.

        Raises ``UploadError`` for a damaged or cut-off archive and for an empty file.
        """
        if self._is_gzip is None:
            self._is_gzip = False
            self._count(self._head)
        if self._inflater is not None:
            raise self._damaged()
        if self.text_size == 0:
            raise UploadError(
                "empty_file", "The file is empty.", "Choose the file that holds your run.", 422
            )
        self._make_durable()
        self._is_closed = True
        return Received(
            self.key,
            self.name,
            self._is_gzip,
            self.size,
            self.text_size,
            self._sha.hexdigest(),
            self._text_sha.hexdigest(),
            timezone.now(),
        )

    def _make_durable(self) -> None:
        try:
            path = self._storage.path(self.key)
        except NotImplementedError:
            self._file.close()
            return
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        Path(path).chmod(0o600)
        folder = os.open(Path(path).parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def discard(self) -> None:
        """Remove what was written."""
        self._is_closed = True
        self._file.close()
        self._storage.delete(self.key)


def receive(pieces: Iterable[bytes], name: str, *, upload_limit: int, text_limit: int) -> Received:
    """Store a file given as an iterable of pieces."""
    with Receiver(name, upload_limit=upload_limit, text_limit=text_limit) as receiver:
        for piece in pieces:
            receiver.feed(piece)
        return receiver.close()
