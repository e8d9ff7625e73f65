"""Reads ahead: a thread reads, expands and sums blocks while those before are worked on."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from types import TracebackType
from typing import Self

_DEPTH = 8
_PATIENCE = 0.1  # seconds after which a thread with a full queue looks whether it is still wanted


class Ahead:
    """The blocks of an iterator in their order, a few of them made before they are asked for.

    What the iterator raises is raised here, after the blocks before it. Leave the context before
    anything that the iterator uses is closed: the thread has ended then.
    """

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks = blocks
        self._ready: queue.Queue[bytes | None] = queue.Queue(_DEPTH)
        self._is_over = threading.Event()
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._work, name="read ahead", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._is_over.set()
        self._thread.join()

    def __iter__(self) -> Iterator[bytes]:
        while (block := self._ready.get()) is not None:
            yield block
        if self._error is not None:
            raise self._error

    def _work(self) -> None:
        try:
            for block in self._blocks:
                if not self._put(block):
                    return
        except BaseException as error:  # noqa: BLE001  (it is raised where the blocks are read)
            self._error = error
        self._put(None)

    def _put(self, block: bytes | None) -> bool:
        """Whether it was wanted."""
        while not self._is_over.is_set():
            try:
                self._ready.put(block, timeout=_PATIENCE)
            except queue.Full:
                continue
            return True
        return False
