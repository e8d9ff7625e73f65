"""Which file of the folder a name in the YAML means. Nothing outside the folder is ever read."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import Any

from campaigns.models import FilePurpose
from campaigns.services.folders.faults import Faults
from campaigns.services.folders.specs import FileUse, Owner


class Folder:
    """A campaign folder."""

    def __init__(self, root: Path, faults: Faults) -> None:
        self.root = root.resolve()
        self.faults = faults

    def file(self, name: Any, at: str, purpose: FilePurpose, owner: Owner) -> FileUse | None:
        """The file of a relative name; None with a fault when it cannot be used."""
        fault = "must be the name of a file" if not isinstance(name, str) or not name else ""
        path = self.root
        if not fault:
            fault, path = self._find(name)
        if fault:
            self.faults.add(at, fault)
            return None
        return FileUse(path, at, purpose, owner)

    def _find(self, name: str) -> tuple[str, Path]:
        parts = PurePosixPath(name)
        if parts.is_absolute() or ".." in parts.parts or "\\" in name:
            return f"{name!r} must be a relative path inside the folder", self.root
        try:
            path = (self.root / parts).resolve()
            if not path.is_relative_to(self.root):
                return f"{name!r} leads out of the folder", self.root
            if path.is_dir():
                return f"{name!r} is a folder, not a file", self.root
            if not path.exists():
                return f"there is no file {name!r}", self.root
            if not path.is_file():
                return f"{name!r} is no ordinary file", self.root
            with path.open("rb"):
                return "", path
        except (OSError, ValueError, RuntimeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "not a file name"
            return f"{name[:200]!r} cannot be read: {reason}", self.root
