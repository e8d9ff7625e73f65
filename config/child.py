"""One process that the supervisor started: own session, own log, dies with the supervisor."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from config.leash import leashed

MOST_LOG_BYTES = 10 * 2**20
# What a process gets to end by itself: asked, asked again, then killed with all it started.
PATIENCE: tuple[tuple[int, float], ...] = ((signal.SIGTERM, 8.0), (signal.SIGQUIT, 3.0))


class Child:
    """Start it from the main thread: the kernel ties the leash to the thread that forks."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        *,
        environment: Mapping[str, str],
        log: Path,
        keep_open: Iterable[int] = (),
    ) -> None:
        self.name = name
        self.command = list(command)
        self.environment = dict(environment)
        self.log = log
        self.keep_open = tuple(keep_open)
        self.process: subprocess.Popen[bytes] | None = None
        self.started_at = 0.0

    @property
    def pid(self) -> int | None:
        return self.process.pid if self.process else None

    def start(self) -> None:
        self.log.parent.mkdir(parents=True, exist_ok=True)
        if self.log.exists() and self.log.stat().st_size > MOST_LOG_BYTES:
            self.log.replace(self.log.with_suffix(".log.1"))
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(
                self.command,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                pass_fds=self.keep_open,
                start_new_session=True,
                preexec_fn=leashed(os.getpid()),  # noqa: PLW1509  (no other thread runs here)
            )
        self.started_at = time.monotonic()

    def code(self) -> int | None:
        """The exit code, None while it runs; 0 if it was never started."""
        return self.process.poll() if self.process else 0

    def is_alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def send(self, number: int) -> None:
        """Signal the main process alone."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(number)

    def wait(self, seconds: float) -> bool:
        """Whether it ended within ``seconds``."""
        if self.process is None:
            return True
        try:
            self.process.wait(max(0.0, seconds))
        except subprocess.TimeoutExpired:
            return False
        return True

    def last_line(self) -> str:
        """What it said last, for a message to its operator."""
        lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()
        return next((line.strip() for line in reversed(lines) if line.strip()), "it said nothing")

    def sweep(self) -> None:
        """Kill whatever is left of its session."""
        if self.process is None:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def stop_together(children: Sequence[Child]) -> None:
    """End all of them at once, each as gently as it lets us."""
    for number, seconds in PATIENCE:
        for child in children:
            child.send(number)
        end = time.monotonic() + seconds
        if all(child.wait(end - time.monotonic()) for child in children):
            break
    for child in children:
        child.sweep()
