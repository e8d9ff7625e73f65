"""Clients that send slowly cannot hold gunicorn's threads: a real server with four of them."""

import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from config import env
from tests.config.processes import free_port, wait_until

ROOT = Path(__file__).resolve().parents[2]
THREADS = 4
STALL, GRACE = 1, 3


@pytest.fixture(scope="module")
def port():
    chosen = free_port()
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "gunicorn", "tests.config.slow_app:application"),
            *("--bind", f"127.0.0.1:{chosen}", "--threads", str(THREADS)),
            *("--worker-class", "config.web.ImpatientWorker", "--no-control-socket"),
        ],
        cwd=ROOT,
        env=env.child({"REQUEST_STALL_SECONDS": str(STALL), "REQUEST_GRACE_SECONDS": str(GRACE)}),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    assert wait_until(lambda: answer(chosen, b"") == b"0", 20)
    yield chosen
    process.send_signal(signal.SIGTERM)
    process.wait(20)


def answer(port, body):
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", data=body, timeout=20) as found:
            return found.read()
    except OSError:
        return None


def begin(port, text):
    connection = socket.create_connection(("127.0.0.1", port), timeout=20)
    connection.sendall(text)
    return connection


def test_whole_body_arrives(port):
    assert answer(port, b"x" * 3_000_000) == b"3000000"


@pytest.mark.parametrize(
    "text",
    [
        b"GET / HTTP/1.1\r\nHost: a\r\nX-",
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nab",
    ],
    ids=["headers", "body"],
)
def test_unfinished_requests_on_all_threads_do_not_stop_the_site(port, text):
    held = [begin(port, text) for _ in range(THREADS)]
    begun = time.monotonic()
    assert answer(port, b"abc") == b"3"
    assert time.monotonic() - begun < STALL + 20
    for connection in held:
        connection.close()


def test_stalled_body_is_answered_by_the_application(port):
    connection = begin(port, b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nab")
    assert connection.recv(100).startswith(b"HTTP/1.1 408 ")
    connection.close()


def test_dripping_body_ends_although_it_never_stalls(port):
    connection = begin(port, b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999\r\n\r\n")
    connection.settimeout(0.2)
    begun = time.monotonic()
    found = b""
    while not found and time.monotonic() - begun < 60:
        connection.sendall(b"x")
        try:
            found = connection.recv(100)
        except TimeoutError:
            continue
    assert found.startswith(b"HTTP/1.1 408 ")
    assert GRACE - 0.5 < time.monotonic() - begun < GRACE + 20
    connection.close()


def test_slow_but_steady_upload_passes(port):
    """Above the least rate a body may take longer than the grace period."""
    piece, count = b"x" * 8192, 16
    connection = begin(
        port, f"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: {len(piece) * count}\r\n\r\n".encode()
    )
    for _ in range(count):
        connection.sendall(piece)
        time.sleep(0.25)
    assert f"\r\n{len(piece) * count}\r\n".encode() in connection.recv(1000)
    connection.close()
