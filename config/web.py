"""A gunicorn worker whose threads cannot be held for ever by clients that send slowly.

gunicorn's gthread worker reads without a time limit: as many unfinished requests as there are
threads would stop the site. Here a client must send something within STALL_SECONDS, and at
LEAST_RATE on average after GRACE_SECONDS of waiting for it. The application sees a TimeoutError
(Django: UnreadablePostError) and answers 408.
"""

import errno
import socket
import time
from typing import Any

from gunicorn.workers.gthread import TConn, ThreadWorker

from config import env

STALL_SECONDS = env.integer("REQUEST_STALL_SECONDS", 10, least=1)
GRACE_SECONDS = env.integer("REQUEST_GRACE_SECONDS", 20, least=1)
SEND_SECONDS = 60
LEAST_RATE = 8 * 1024  # bytes a second


class ImpatientSocket(socket.socket):
    """Counts what a request sent and how long we waited for it."""

    waited = 0.0
    received = 0

    def begin_request(self) -> None:
        self.waited, self.received = 0.0, 0

    def setblocking(self, flag: bool, /) -> None:
        self.settimeout(STALL_SECONDS if flag else 0.0)

    def recv(self, size: int, flags: int = 0, /) -> bytes:
        left = GRACE_SECONDS + self.received / LEAST_RATE - self.waited
        if left <= 0:
            # gunicorn logs this number quietly; any other with a stack trace.
            raise TimeoutError(errno.ECONNRESET, "the request came too slowly")
        limit = self.gettimeout()
        self.settimeout(left if limit is None else min(left, limit))
        begun = time.monotonic()
        try:
            data = super().recv(size, flags)
        except TimeoutError:
            self.waited = float("inf")
            raise TimeoutError(errno.ECONNRESET, "the request came too slowly") from None
        finally:
            self.settimeout(limit)
            self.waited += time.monotonic() - begun
        self.received += len(data)
        return data

    def sendall(self, data: Any, flags: int = 0, /) -> None:
        limit = self.gettimeout()
        self.settimeout(SEND_SECONDS)
        try:
            super().sendall(data, flags)
        finally:
            self.settimeout(limit)


class ImpatientListener:
    """Hands out impatient sockets."""

    def __init__(self, listener: Any) -> None:
        self.listener = listener

    def accept(self) -> tuple[ImpatientSocket, Any]:
        plain, client = self.listener.accept()
        return ImpatientSocket(fileno=plain.detach()), client

    def getsockname(self) -> Any:
        return self.listener.getsockname()


class ImpatientWorker(ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
    """gthread with time limits on reading."""

    def accept(self, listener: Any) -> None:
        super().accept(ImpatientListener(listener))

    def handle(self, conn: TConn) -> Any:
        conn.sock.begin_request()
        return super().handle(conn)
