"""Typed reading of one mapping of the YAML; every fault goes to the list, with its path."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from campaigns.models.fields import ALWAYS, SLUG
from campaigns.services.folders.document import joined
from campaigns.services.folders.faults import Faults, suggestion
from campaigns.services.marks import has_hidden_marks
from campaigns.services.zones import REMEDY, read_time

MAX_TEXT = 100_000
MAX_WHOLE = 2_147_483_647


class Section:
    """One mapping: each getter takes a name off it, ``close`` refuses what is left."""

    def __init__(self, value: Any, path: str, faults: Faults) -> None:
        self.path, self.faults = path, faults
        self._value: dict[str, Any] = {}
        self._known: list[str] = []
        self.is_mapping = isinstance(value, dict)
        if isinstance(value, dict):
            self._value = dict(value)
        else:
            self.faults.add(path, f"must be a mapping of names to values, not {_shown(value)}")

    def at(self, name: str) -> str:
        """The path of a name here."""
        return joined(self.path, name)

    def fault(self, name: str, text: str) -> None:
        """Add a fault about one name."""
        self.faults.add(self.at(name), text)

    def has(self, name: str) -> bool:
        """Whether the name is given, be it null."""
        return name in self._value

    def take(self, name: str) -> Any:
        """The raw value, None when absent; the name counts as known."""
        self._known.append(name)
        return self._value.get(name)

    def close(self) -> None:
        """Refuse names that nobody asked for."""
        for name in self._value:
            if name not in self._known:
                self.fault(name, f"is not known here{suggestion(name, self._known)}")

    def _missing(self, name: str, required: bool) -> None:
        if required and self.is_mapping:
            self.fault(name, "is missing")

    def text(self, name: str, *, most: int = MAX_TEXT, required: bool = False) -> str:
        """A text; numbers must stand in quotes, so that nothing is silently reformatted."""
        value = self.take(name)
        if value is None or value == "":
            self._missing(name, required)
            return ""
        if not isinstance(value, str):
            self.fault(name, f"must be text, not {_shown(value)}: write it in quotes")
        elif len(value) > most:
            self.fault(name, f"has {len(value):,} characters, {most:,} are allowed")
        elif has_hidden_marks(value):
            self.fault(name, "holds invisible control characters: remove them")
        elif required and not value.strip():
            self.fault(name, "is blank")
        else:
            return value
        return ""

    def slug(self, name: str = "slug") -> str:
        """A name that stands in URLs; required."""
        value = self.take(name)
        if value is None:
            self._missing(name, required=True)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            self.fault(name, f"must be text, not {_shown(value)}: write it in quotes")
        elif not isinstance(value, str) or not SLUG.fullmatch(value):
            self.fault(
                name,
                f"{_shown(value)} is no slug: 1 to 64 lower-case letters, digits, dots, hyphens "
                "or underscores, a letter or digit first and last",
            )
        else:
            return value
        return ""

    def flag(self, name: str, default: bool = False) -> bool:
        """True or false."""
        value = self.take(name)
        if value is None:
            return default
        if not isinstance(value, bool):
            self.fault(name, f"must be true or false, not {_shown(value)}")
            return default
        return value

    def choice(self, name: str, choices: Iterable[str], default: str = "") -> str:
        """One of several words; required when there is no default."""
        offered = [choice for choice in choices if choice]
        value = self.take(name)
        if value is None:
            self._missing(name, required=not default)
        elif not isinstance(value, str) or value not in offered:
            near = suggestion(str(value), offered)
            self.fault(name, f"{_shown(value)} is not offered{near}")
        else:
            return value
        return str(default)

    def whole(
        self, name: str, default: int | None = None, *, least: int = 0, most: int = MAX_WHOLE
    ) -> int | None:
        """A whole number; null is None."""
        if not self.has(name):
            self._known.append(name)
            return default
        value = self.take(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            self.fault(name, f"must be a whole number from {least} to {most}, not {_shown(value)}")
            return default
        return value

    def number(self, name: str, *, above: float, below: float = math.inf) -> float | None:
        """A number between two bounds, both excluded."""
        value = self.take(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.fault(name, f"must be a number, not {_shown(value)}")
            return None
        if not above < value < below:
            until = "" if below == math.inf else f" and below {below:g}"
            self.fault(name, f"must be above {above:g}{until}, not {_shown(value)}")
            return None
        return float(value)

    def time(self, name: str) -> tuple[datetime | None, str]:
        """A moment and the zone it was given in."""
        value = self.take(name)
        if value is None:
            return None, ""
        return self._time(name, value)

    def _time(self, name: str, value: Any) -> tuple[datetime | None, str]:
        if not isinstance(value, str):
            self.fault(name, f"{_shown(value)} is not a time: {REMEDY}")
            return None, ""
        try:
            return read_time(value)
        except ValueError as error:
            self.fault(name, f"{_shown(value)} {error}")
            return None, ""

    def switch(self, name: str, default: datetime | None) -> datetime | None:
        """``always``, ``never`` or a moment from which something is visible."""
        value = self.take(name)
        if value is None:
            return default
        if value in ("always", "never"):
            return ALWAYS if value == "always" else None
        if not isinstance(value, str) or not value[:1].isdigit():
            self.fault(name, f"must be always, never or a time, not {_shown(value)}")
            return default
        return self._time(name, value)[0]

    def mapping(self, name: str) -> dict[str, Any]:
        """A mapping whose content somebody else looks at."""
        value = self.take(name)
        if value is None:
            return {}
        if not isinstance(value, dict):
            self.fault(name, f"must be a mapping of names to values, not {_shown(value)}")
            return {}
        return value

    def texts(self, name: str) -> list[str]:
        """A list of texts."""
        texts = []
        for position, value in enumerate(self.values(name)):
            if isinstance(value, str) and value.strip():
                texts.append(value)
            else:
                self.faults.add(f"{self.at(name)}[{position}]", "must be text")
        return texts

    def values(self, name: str) -> list[Any]:
        """A list."""
        value = self.take(name)
        if value is None:
            return []
        if not isinstance(value, list):
            self.fault(name, f"must be a list, not {_shown(value)}")
            return []
        return value

    def section(self, name: str) -> Section:
        """A mapping inside this one; an empty one when it is absent."""
        value = self.take(name)
        return Section({} if value is None else value, self.at(name), self.faults)

    def sections(self, name: str) -> list[Section]:
        """A list of mappings."""
        return [
            Section(value, f"{self.at(name)}[{position}]", self.faults)
            for position, value in enumerate(self.values(name))
        ]


def refuse_repeats(sections: Iterable[tuple[Section, str]], what: str) -> None:
    """Refuse a slug that stands twice."""
    seen: dict[str, str] = {}
    for section, slug in sections:
        if slug and slug in seen:
            section.fault("slug", f"{slug!r} is already the {what} at {seen[slug]}")
        seen.setdefault(slug, section.path)


def _shown(value: Any) -> str:
    if isinstance(value, Mapping):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    if value is None:
        return "nothing"
    text = {True: "true", False: "false"}.get(value) if isinstance(value, bool) else repr(value)
    return text if text is not None and len(text) <= 80 else f"{str(text)[:80]}…"
