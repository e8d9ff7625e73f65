"""The command lines of web, worker and beat: for the supervisor and for containers.

``python -m config.processes web|worker|beat`` becomes that process.
"""

import os
import sys
from pathlib import Path

from config import env
from config.queues import QUEUES

BASE_DIR = Path(__file__).resolve().parent.parent


def var_dir() -> Path:
    """The state folder."""
    return env.path("VAR_DIR", BASE_DIR / "var")


def address() -> tuple[str, int]:
    """Host and port of the site."""
    return env.text("HOST", "127.0.0.1"), env.integer("PORT", 8000, least=1, most=65535)


def web() -> list[str]:
    """One process with many threads: SQLite has one writer, and waiters sleep."""
    host, port = address()
    return [
        *(sys.executable, "-m", "gunicorn", "config.wsgi:application"),
        *("--bind", f"[{host}]:{port}" if ":" in host else f"{host}:{port}"),
        *("--worker-class", "config.web.ImpatientWorker"),
        *("--workers", str(env.integer("WEB_WORKERS", 1, least=1))),
        *("--threads", str(env.integer("WEB_THREADS", 24, least=4))),
        *("--timeout", "60", "--graceful-timeout", "5", "--keep-alive", "5"),
        "--no-control-socket",
    ]


def worker() -> list[str]:
    """Checks, scores and compares."""
    return [
        *(sys.executable, "-m", "celery", "-A", "config", "worker", "-Q", ",".join(QUEUES)),
        *("--concurrency", str(env.integer("WORKER_CONCURRENCY", 2, least=1))),
        *("--without-gossip", "--without-mingle", "--without-heartbeat"),
        *("--loglevel", env.text("LOG_LEVEL", "INFO")),
    ]


def beat() -> list[str]:
    """Recovery every half minute, sweeping every hour; its schedule may be lost at any time."""
    folder = var_dir() / "beat"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return [
        *(sys.executable, "-m", "celery", "-A", "config", "beat"),
        *("--schedule", str(folder / "schedule"), "--pidfile", ""),
        *("--loglevel", env.text("LOG_LEVEL", "INFO")),
    ]


COMMANDS = {"web": web, "worker": worker, "beat": beat}


def main() -> None:
    """Become the process that the first argument names."""
    if len(sys.argv) != 2 or sys.argv[1] not in COMMANDS:
        sys.exit(f"usage: python -m config.processes {'|'.join(COMMANDS)}")
    os.chdir(BASE_DIR)
    command = COMMANDS[sys.argv[1]]()
    os.execv(command[0], command)  # noqa: S606  (a list, no shell)


if __name__ == "__main__":
    main()
