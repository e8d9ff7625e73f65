"""Sets the variables of a test session before Django's settings are read (pytest -p).

The session has a state folder of its own, so it neither sees nor touches the one of ``make run``.
"""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

PREFIX = "cbtest-"
ROOM = 1 << 30  # a container may give /dev/shm 64 MiB only


def _prepare() -> None:
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker:
        folder = Path(os.environ["VAR_DIR"]) / worker
        folder.mkdir(exist_ok=True)
    else:
        # In memory where there is such a place: SQLite then syncs at no cost.
        memory = Path("/dev/shm")
        has_room = os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > ROOM
        root = memory if has_room else None
        folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=root))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ["VAR_DIR"] = str(folder)
    os.environ["STATIC_MANIFEST"] = "false"
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    for name in ("PRODUCTION", "DEBUG", "SECRET_KEY", "ALLOWED_HOSTS", "REDIS_URL", "HOST", "PORT"):
        os.environ.pop(name, None)


_prepare()
