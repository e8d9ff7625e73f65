"""Uploaded files go straight into the store while the form is being parsed.

handler = receive_into_store(request, fields=("file",), limit=task.file_bytes)
try:
    request.POST                      # parses; nothing may have read the body before
    handler.check_complete()          # raises UploadError: body cut off, file damaged, ...
    submit_run(..., handler.received["file"], ...)
    handler.keep()
finally:
    handler.discard()                 # what was not kept
"""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any, TypeVar

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler, SkipFile, StopUpload
from django.http import HttpRequest

from campaigns.services.uploads import Received, Receiver, UploadError, runs_storage

View = TypeVar("View", bound=Callable[..., Any])


class StoredUpload(UploadedFile):  # type: ignore[type-arg]  # not generic at run time
    """Stands in ``request.FILES`` for a file that is already in the store."""

    def __init__(self, received: Received) -> None:
        super().__init__(BytesIO(), received.name or "file", None, received.size)
        self.received = received


class _Watch:
    """Passes a body on and sees whether all of it came, with its closing boundary."""

    def __init__(self, read: Any, boundary: bytes, length: int) -> None:
        self._read, self._end = read, b"--" + boundary + b"--"
        self._tail, self._left = b"", length
        self._is_closed = False

    @property
    def is_whole(self) -> bool:
        """Whether as much came as was announced, and its end among it."""
        return self._is_closed and self._left <= 0

    def read(self, *size: int) -> bytes:
        """The next bytes of the body."""
        piece: bytes = self._read(*size)
        self._left -= len(piece)
        if not self._is_closed:
            seen = self._tail + piece
            self._is_closed = self._end in seen
            self._tail = seen[-len(self._end) :]
        return piece


class StoreUploadHandler(FileUploadHandler):
    """Feeds the named file fields to a ``Receiver`` each; others are a fault."""

    def __init__(self, request: HttpRequest, fields: tuple[str, ...], limit: int) -> None:
        super().__init__(request)
        self.fields = fields
        self.limit = min(limit, settings.MAX_EXPANDED_BYTES)
        self.received: dict[str, Received] = {}
        self.faults: dict[str, UploadError] = {}
        self._field = ""
        self._receiver: Receiver | None = None
        self._watch: _Watch | None = None
        self._is_kept = False

    def handle_raw_input(
        self,
        input_data: Any,
        META: dict[str, str],  # noqa: N803  (Django's name)
        content_length: int,
        boundary: Any,
        encoding: str | None = None,
    ) -> None:
        """Watch the body on its way to Django's parser, which takes a cut-off file for whole."""
        self._watch = _Watch(input_data.read, boundary, content_length)
        input_data.read = self._watch.read

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        """A file begins."""
        super().new_file(*args, **kwargs)
        name = str(self.field_name)
        self._field = name
        if name not in self.fields:
            self._fault("unexpected_file", "This address takes no file of this name.")
            raise SkipFile
        if name in self.received or name in self.faults:
            self._fault("unexpected_file", "Send one file under this name.")
            raise SkipFile
        self._receiver = Receiver(
            str(self.file_name), upload_limit=self.limit, text_limit=self.limit
        )

    def _fault(self, kind: str, text: str) -> None:
        remedy = f"Files go under: {', '.join(self.fields)}."
        self.faults[self._field] = UploadError(kind, text, remedy, 422)

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        """Some bytes of the file; over a limit nothing more of the body is read."""
        if self._receiver is None:
            return
        try:
            self._receiver.feed(raw_data)
        except UploadError as fault:
            self.faults[self._field] = fault
            self._drop()
            if fault.status == 413:
                raise StopUpload(connection_reset=True) from fault
            raise SkipFile from fault

    def file_complete(self, file_size: int) -> StoredUpload | None:
        """The file has ended."""
        if self._receiver is None:
            return None
        receiver, self._receiver = self._receiver, None
        try:
            with receiver:
                received = receiver.close()
        except UploadError as fault:
            self.faults[self._field] = fault
            return None
        self.received[self._field] = received
        return StoredUpload(received)

    def upload_interrupted(self) -> None:
        """The body ended inside a file."""
        self._drop()

    def _drop(self) -> None:
        if self._receiver is not None:
            self._receiver.discard()
            self._receiver = None

    def check_complete(self) -> None:
        """Raise ``UploadError`` for a file over a limit or a body that was cut off."""
        for fault in self.faults.values():
            if fault.status == 413:
                raise fault
        if self._watch is not None and not self._watch.is_whole:
            raise UploadError(
                "body_cut_off",
                "The request ended before all of it had arrived.",
                "Send it again; if you set Content-Length yourself, let the client do it.",
                400,
            )

    def keep(self) -> None:
        """The files belong to a run now."""
        self._is_kept = True

    def discard(self) -> None:
        """Remove everything that was not kept."""
        self._drop()
        if not self._is_kept:
            for received in self.received.values():
                runs_storage().delete(received.key)
            self._is_kept = True


def taking_files(view: View) -> View:
    """Mark a view function as one that takes run files, so that bodies may be as long as uploads.

    Outermost decorator; a view class says ``takes_files = True`` instead.
    """
    view.takes_files = True  # type: ignore[attr-defined]  # an attribute of ours on a function
    return view


def receive_into_store(
    request: HttpRequest, *, fields: tuple[str, ...], limit: int
) -> StoreUploadHandler:
    """Install the handler as the only one; the body must not have been parsed yet."""
    handler = StoreUploadHandler(request, fields, limit)
    request.upload_handlers = [handler]
    return handler
