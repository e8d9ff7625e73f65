"""The folder's files in the store: written before any row, removed again unless a row took them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from django.conf import settings
from django.utils import timezone

from campaigns.models import FilePurpose, StoredFile
from campaigns.services.folders.faults import Faults
from campaigns.services.folders.specs import SUBMITTED, CampaignSpec, FileUse, RunSpec
from campaigns.services.uploads import (
    GZIP_MAGIC,
    PIECE,
    Received,
    Receiver,
    UploadError,
    receive,
    runs_storage,
)
from campaigns.work import StoredText

SCORES_BYTES = 64 << 20
"""Of a file of topic scores: read into memory, and a few lines a topic."""


UNREADABLE = ("empty_file", "archive_damaged")
"""Faults of a past submission that its check reports, as of any other run."""


class RawReceiver(Receiver):
    """Takes bytes that hold no text to read, as they are."""

    def feed(self, piece: bytes) -> None:
        """Take the next bytes."""
        self.size += len(piece)
        self._head = self._head or piece[: len(GZIP_MAGIC)]
        self._sha.update(piece)
        self._file.write(piece)

    def close(self) -> Received:
        """The file is complete; its checksums are both those of its bytes."""
        self._make_durable()
        self._is_closed = True
        checksum = self._sha.hexdigest()
        is_gzip = self._head == GZIP_MAGIC
        return Received(
            self.key, self.name, is_gzip, self.size, 0, checksum, checksum, timezone.now()
        )


class StoredFiles:
    """What was received of a folder, by the path in the YAML."""

    def __init__(self, spec: CampaignSpec) -> None:
        self._file_bytes = {task.slug: task.columns["file_bytes"] for task in spec.tasks}
        self._received: dict[str, Received] = {}
        self._untaken: set[str] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        keys = {one.key for one in self._received.values()} if error else self._untaken
        for key in keys:
            runs_storage().delete(key)

    def receive(self, uses: Iterable[FileUse], faults: Faults) -> None:
        """Store the files; a file that cannot be taken is a fault."""
        for use in uses:
            try:
                self._keep(use, _pieces(use.path), use.path.name)
            except UploadError as error:
                if use.owner[0] == SUBMITTED and error.kind in UNREADABLE:
                    self._keep_raw(use)
                    continue
                faults.add(use.at, f"{use.path.name}: {error} {error.remedy}")
            except OSError as error:
                faults.add(use.at, f"{use.path.name} cannot be read: {error.strerror}")

    def replace(self, use: FileUse, data: bytes) -> None:
        """Store a part of a file in its place."""
        before = self._received.pop(use.at)
        runs_storage().delete(before.key)
        self._untaken.discard(before.key)
        self._keep(use, [data], f"{use.path.stem}.txt")

    def _keep(self, use: FileUse, pieces: Iterable[bytes], name: str) -> None:
        received = receive(
            pieces, name, upload_limit=settings.MAX_UPLOAD_BYTES, text_limit=self._limit(use)
        )
        self._received[use.at] = received
        self._untaken.add(received.key)

    def _keep_raw(self, use: FileUse) -> None:
        with RawReceiver(use.path.name, upload_limit=0, text_limit=0) as receiver:
            for piece in _pieces(use.path):
                receiver.feed(piece)
            received = receiver.close()
        self._received[use.at] = received
        self._untaken.add(received.key)

    def _limit(self, use: FileUse) -> int:
        most: int = settings.MAX_EXPANDED_BYTES
        if use.purpose == FilePurpose.TOPIC_SCORES:
            return min(SCORES_BYTES, most)
        if use.purpose == FilePurpose.RUN:
            return min(int(self._file_bytes.get(use.owner[1], most)), most)
        return most

    def has(self, use: FileUse | None) -> bool:
        """Whether the file was received."""
        return use is not None and use.at in self._received

    def received(self, use: FileUse) -> Received:
        """What was received, without taking it."""
        return self._received[use.at]

    def text(self, use: FileUse) -> StoredText:
        """The stored file as ``numerics`` reads it."""
        received = self._received[use.at]
        return StoredText(received.key, received.text_sha256)

    def take(self, use: FileUse) -> Received:
        """The file for a row that is about to be made."""
        received = self._received[use.at]
        self._untaken.discard(received.key)
        return received

    def row(self, use: FileUse) -> StoredFile:
        """A new row for the file."""
        row = self.take(use).row(use.purpose)
        row.save(force_insert=True)
        return row

    def fingerprint(self, run: RunSpec) -> str:
        """What tells a run from others: the text of its file, or all its given scores."""
        if run.file is not None:
            return self.received(run.file).text_sha256
        return scores_fingerprint(
            (measure, self.received(use).text_sha256) for measure, use in run.scores.items()
        )


def scores_fingerprint(scores: Iterable[tuple[str, str]]) -> str:
    """One checksum for the files of given scores, as (measure, checksum of the text)."""
    return hashlib.sha256("\n".join(" ".join(one) for one in sorted(scores)).encode()).hexdigest()


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            yield piece
