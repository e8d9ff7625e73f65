"""The secret that an embedded installation makes for itself."""

import os
import secrets
import tempfile
from pathlib import Path


def of_installation(var_dir: Path) -> str:
    """The secret kept in ``var_dir``; made on first use, readable by its owner alone."""
    kept = var_dir / "secret_key"
    if not kept.exists():
        var_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, made = tempfile.mkstemp(dir=var_dir, prefix=".secret")
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(50))
        try:
            os.link(made, kept)  # fails if another process was first: theirs counts
        except FileExistsError:
            pass
        finally:
            Path(made).unlink()
    return kept.read_text(encoding="ascii").strip()
