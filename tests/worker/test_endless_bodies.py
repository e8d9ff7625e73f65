"""Bodies that never end, on every thread of the site at once."""

from __future__ import annotations

import socket
import time

from campaigns.models import Run
from campaigns.services.uploads import runs_storage
from tests.campaigns.factories import MembershipFactory, token_for
from tests.config.processes import wait_until
from tests.worker.house import multipart

THREADS = 4


def stored_files():
    folders, _ = runs_storage().listdir("")
    return {f"{folder}/{name}" for folder in folders for name in runs_storage().listdir(folder)[1]}


def test_submissions_that_never_end_on_every_thread_stop_neither_others_nor_leave_a_file(
    house, task, team
):
    """Without the time limit on reading, the site answers nobody any more."""
    token = token_for(MembershipFactory(team=team).user)
    house.start(
        "web",
        WEB_THREADS=str(THREADS),
        REQUEST_STALL_SECONDS="2",
        REQUEST_GRACE_SECONDS="4",
    )
    house.wait_for_web()
    before = stored_files()
    body, kind = multipart({}, {"file": b"101 Q0 d1 1 9 x\n" * 20_000})
    head = (
        f"POST /api/v1/campaigns/{task.campaign.slug}/tasks/{task.slug}/runs/ HTTP/1.1\r\n"
        f"Host: localhost\r\nAuthorization: Bearer {token}\r\nContent-Type: {kind}\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    ).encode()
    held = [socket.create_connection(("127.0.0.1", house.port), timeout=60) for _ in range(THREADS)]
    for connection in held:
        connection.sendall(head + body[:200_000])
    assert wait_until(lambda: len(stored_files() - before) == THREADS)
    begun = time.monotonic()
    assert house.status("GET", "/healthz") == 200
    assert time.monotonic() - begun < 30
    for connection in held:
        assert connection.recv(100).startswith(b"HTTP/1.1 408 ")
        connection.close()
    assert wait_until(lambda: stored_files() == before)
    assert Run.objects.count() == 0
