"""What is refused at the door, before a run exists."""

from __future__ import annotations

from collections.abc import Mapping


class RefusalError(Exception):
    """A request that is not carried out; ``status`` as over REST, ``errors`` by field."""

    def __init__(
        self, kind: str, text: str, status: int, errors: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(text)
        self.kind, self.text, self.status = kind, text, status
        self.errors = dict(errors or {})
