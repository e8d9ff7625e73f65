"""What a site answers when it refuses something (RFC 9457)."""

from typing import Any

import httpx


class Problem(Exception):
    """The site refused: ``status``, ``title``, ``detail`` and every fault in ``faults``."""

    def __init__(self, status: int, title: str, detail: str, faults: list[Any]) -> None:
        super().__init__(f"{status} {title}" + (f": {detail}" if detail else ""))
        self.status, self.title, self.detail, self.faults = status, title, detail, faults

    @classmethod
    def of(cls, answer: httpx.Response) -> "Problem":
        """From an answer, whatever its body is."""
        try:
            body = answer.json()
        except ValueError:
            body = {}
        if not isinstance(body, dict):
            body = {}
        faults = body.get("errors") or body.get("messages") or []
        return cls(
            answer.status_code,
            str(body.get("title") or answer.reason_phrase),
            str(body.get("detail") or ""),
            faults if isinstance(faults, list) else [faults],
        )
