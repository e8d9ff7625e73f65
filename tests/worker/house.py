"""Web, worker and beat as real processes, on the database, files and broker of the test."""

from __future__ import annotations

import http.client
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

from django.db import connection

from campaigns.models import Job, Run
from config import env
from config.child import Child
from tests.config.processes import free_port, is_running, wait_until

LONGEST = 120.0


class House:
    """Processes by name; ``held_at`` and ``release`` work on runs in the middle of scoring."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.hold, self.held = folder / "hold", folder / "held"
        self.children: list[Child] = []
        self.variables = {
            "DJANGO_SETTINGS_MODULE": "tests.worker.settings",
            "TEST_DATABASE_NAME": str(connection.settings_dict["NAME"]),
            "TEST_HOLD": str(self.hold),
            "LEASE_SECONDS": "3",
            "RECOVERY_SECONDS": "1",
            "WORKER_CONCURRENCY": "1",
            "WEB_THREADS": "4",
            "PORT": str(self.port),
        }

    def start(self, *kinds: str, **variables: str) -> list[Child]:
        """Start processes of these kinds: web, worker, beat."""
        started = []
        for kind in kinds:
            child = Child(
                kind,
                [sys.executable, "-m", "config.processes", kind],
                environment=env.child({**self.variables, **variables}),
                log=self.folder / f"{kind}-{len(self.children)}.log",
            )
            self.children.append(child)
            child.start()
            started.append(child)
        return started

    def stop(self) -> None:
        """Kill everything: what the test wanted to know it has seen."""
        self.hold.unlink(missing_ok=True)
        for child in self.children:
            child.sweep()

    def kill(self) -> None:
        """SIGKILL to every main process; what they had started dies with them."""
        for child in self.children:
            child.send(signal.SIGKILL)
            child.wait(30)

    def hold_run(self, run: Run) -> None:
        """From now on whoever scores this run stays in the middle of it."""
        self.hold.with_suffix(".new").write_text(run.text_sha256)
        self.hold.with_suffix(".new").replace(self.hold)

    def release(self) -> None:
        self.hold.unlink()

    def holder(self, job: Job, unlike: int = 0) -> int:
        """Wait until a process is in the middle of the job; its id, as on the row."""

        found = 0

        def is_held() -> bool:
            # The file may be seen empty while it is written, so it is read once.
            nonlocal found
            job.refresh_from_db()
            text = self.held.read_text() if self.held.exists() else ""
            found = int(text or 0)
            return (
                job.state == "running"
                and text == job.claimed_by.rpartition("/")[2]
                and found != unlike
            )

        self.until(is_held)
        return found

    def until(self, condition: Callable[[], object], seconds: float = LONGEST) -> None:
        """Wait for it; the logs tell why it did not come."""
        if not wait_until(condition, seconds):
            raise AssertionError(self.logs())

    def logs(self) -> str:
        return "\n".join(
            f"--- {path.name}\n{path.read_text()[-6000:]}"
            for path in sorted(self.folder.glob("*.log"))
        )

    def wait_for_web(self) -> None:
        self.until(lambda: self.status("GET", "/healthz") == 200)

    def status(self, method: str, path: str, body: bytes = b"", **headers: str) -> int:
        """The status of an answer; 0 when there is none."""
        return self.request(method, path, body, **headers)[0]

    def request(
        self, method: str, path: str, body: bytes = b"", **headers: str
    ) -> tuple[int, bytes]:
        """Status and body of an answer; 0 when there is none."""
        web = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        told = {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            web.request(method, path, body or None, {"Host": "localhost", **told})
            answer = web.getresponse()
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException):
            return 0, b""
        finally:
            web.close()


def pool_of(worker: Child) -> set[int]:
    """The pool children of a worker."""
    path = Path(f"/proc/{worker.pid}/task/{worker.pid}/children")
    return {int(word) for word in path.read_text().split()} if path.exists() else set()


def kill_and_wait(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
    end = time.monotonic() + 30
    while is_running(pid) and time.monotonic() < end:
        time.sleep(0.01)


def multipart(fields: dict[str, str], files: dict[str, bytes]) -> tuple[bytes, str]:
    """A form's body and its type."""
    edge = "edge-of-a-part"
    parts = [
        f'--{edge}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        for name, value in fields.items()
    ]
    for name, text in files.items():
        head = f'name="{name}"; filename="{name}.txt"\r\nContent-Type: text/plain'
        parts.append(
            f"--{edge}\r\nContent-Disposition: form-data; {head}\r\n\r\n".encode() + text + b"\r\n"
        )
    return b"".join(parts) + f"--{edge}--\r\n".encode(), f"multipart/form-data; boundary={edge}"
