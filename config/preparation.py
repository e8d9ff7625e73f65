"""What must be done before the site starts; what was done already is skipped by its stamp."""

import hashlib
import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from config import env
from config.processes import BASE_DIR, var_dir


@dataclass(frozen=True)
class Step:
    """One management command; with a stamp, it runs again only when what it reads has changed."""

    title: str
    arguments: tuple[str, ...]
    stamp: Path | None = None
    reads: tuple[Path, ...] = ()

    @property
    def command(self) -> list[str]:
        return [sys.executable, str(BASE_DIR / "manage.py"), *self.arguments]

    def is_done(self) -> bool:
        if self.stamp is None or not self.stamp.exists():
            return False
        return self.stamp.read_text(encoding="ascii") == fingerprint(self.reads)

    def mark_done(self) -> None:
        if self.stamp is not None:
            self.stamp.parent.mkdir(parents=True, exist_ok=True)
            self.stamp.write_text(fingerprint(self.reads), encoding="ascii")


def fingerprint(paths: Iterable[Path]) -> str:
    """Changes when a file below ``paths`` is added, removed, renamed or written."""
    digest = hashlib.sha256()
    for path in paths:
        files = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file())
        for file in files:
            status = file.stat()
            digest.update(f"{file}\0{status.st_size}\0{status.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def steps() -> list[Step]:
    """In order. The demo needs the broker, to ring for the runs it hands in.

    With the demo the database is brought up to date in the same process, which every start waits
    for; without it ``migrate`` checks the whole configuration, too.
    """
    # Of this installation alone: collecting clears the folder, and another may be served from it.
    static_root = env.path("STATIC_ROOT", var_dir() / "static")
    static = Step(
        "Static files",
        ("collectstatic", "--no-input", "--clear", "--verbosity", "0"),
        stamp=static_root / ".stamp",
        reads=(BASE_DIR / "static", BASE_DIR / "constraints.txt"),
    )
    if env.flag("DEMO", default=not env.flag("PRODUCTION")):
        title = "Database, example campaigns and demo accounts"
        return [static, Step(title, ("prepare_demo", "--migrate"))]
    return [Step("Database", ("migrate", "--no-input", "--verbosity", "0")), static]


def demo_accounts(folder: Path) -> dict[str, str]:
    """Address and password of each demo account that ``prepare_demo`` made."""
    try:
        accounts = json.loads((folder / "demo-accounts.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(email): str(password) for email, password in accounts.items()}
