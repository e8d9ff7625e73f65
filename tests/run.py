"""`make test`: the whole suite on SQLite, then the application's part again on PostgreSQL.

Arguments go to pytest. TEST_DATABASE_URL names the PostgreSQL server, TEST_WORKERS the number of
processes.
"""

import os
import subprocess
import sys
from pathlib import Path

import psycopg

ROOT = Path(__file__).resolve().parent.parent
SERVER = os.environ.get("TEST_DATABASE_URL", "postgres://postgres@127.0.0.1:5432/postgres")


def run(*arguments: str, database_url: str = "") -> int:
    """pytest in a process of its own, since the database is chosen once a process."""
    # One more than cores: tests of processes and browsers wait as often as they compute.
    workers = os.environ.get("TEST_WORKERS", str((os.cpu_count() or 1) + 1))
    command = [sys.executable, "-m", "pytest", "-q", "-n", workers, "--dist", "worksteal"]
    environment = {**os.environ, "DATABASE_URL": database_url}
    return subprocess.call([*command, *arguments, *sys.argv[1:]], cwd=ROOT, env=environment)


def why_unreachable() -> str:
    """Empty if the PostgreSQL server answers."""
    try:
        psycopg.connect(SERVER, connect_timeout=5).close()
    except psycopg.OperationalError as fault:
        return str(fault).strip().splitlines()[0]
    return ""


def main() -> int:
    print("On SQLite: the whole suite", flush=True)
    code = run()
    if reason := why_unreachable():
        print(f"On PostgreSQL: not run, no server answers ({reason})")
        return code or (1 if os.environ.get("CI") else 0)
    print("On PostgreSQL, sorted as en-US does: the application, and workers that die", flush=True)
    parts = ("tests/campaigns", "tests/worker/test_killed_workers.py")
    return run(*parts, database_url=SERVER) or code


if __name__ == "__main__":
    sys.exit(main())
