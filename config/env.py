"""The only reader of the environment.

Every function names the variable and the remedy when a value cannot be used.
"""

import os
from collections.abc import Mapping
from pathlib import Path

TRUE = frozenset({"1", "true", "yes", "on"})
FALSE = frozenset({"0", "false", "no", "off"})


class EnvironmentFault(Exception):
    """A variable holds something that cannot be used."""


def text(name: str, default: str = "") -> str:
    """The variable without surrounding blanks; empty counts as unset."""
    return os.environ.get(name, "").strip() or default


def flag(name: str, default: bool = False) -> bool:
    """A switch: 1, true, yes, on or 0, false, no, off."""
    value = text(name).lower()
    if not value:
        return default
    if value in TRUE:
        return True
    if value in FALSE:
        return False
    raise EnvironmentFault(f"{name} is {value!r}: write true or false")


def integer(name: str, default: int, *, least: int = 0, most: int | None = None) -> int:
    """A whole number of at least ``least`` and at most ``most``."""
    value = text(name)
    if not value:
        return default
    try:
        number = int(value)
    except ValueError:
        raise EnvironmentFault(f"{name} is {value!r}: write a whole number") from None
    if number < least:
        raise EnvironmentFault(f"{name} is {number}: the least value is {least}")
    if most is not None and number > most:
        raise EnvironmentFault(f"{name} is {number}: the greatest value is {most}")
    return number


def listing(name: str, default: tuple[str, ...] = ()) -> list[str]:
    """Values separated by commas, blanks around them ignored."""
    value = text(name)
    if not value:
        return list(default)
    return [part for part in (piece.strip() for piece in value.split(",")) if part]


def path(name: str, default: Path) -> Path:
    """A path, made absolute, with ~ expanded."""
    value = text(name)
    return Path(value).expanduser().absolute() if value else default


def child(changes: Mapping[str, str]) -> dict[str, str]:
    """The environment to hand to a child process."""
    return {**os.environ, **changes}


def use_project_settings() -> None:
    """Make Django read ``config.settings`` unless told otherwise."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
