"""A small client of the REST interface, version 1."""

import json
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any

import httpx

from centreboard.problem import Problem

ENDED = ("rejected", "scored", "failed")
LONGEST_WAIT = 30  # seconds that the site holds one answer back
PASSING = (502, 503, 504)
TRIES = 3


class Client:
    """One site and one token.

    >>> with Client("https://board.example", token="...") as site:  # doctest: +SKIP
    ...     run = site.submit_run("centre-2026", "task1", "my.run.gz", team="team-a")
    ...     site.wait(run["id"])["scores"]
    """

    def __init__(
        self,
        site: str,
        token: str = "",
        *,
        timeout: float = 60.0,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._http = httpx.Client(
            base_url=f"{site.rstrip('/')}/api/v1/",
            headers={"Authorization": f"Bearer {token}"} if token else {},
            timeout=timeout,
            transport=transport,
        )

    def __enter__(self) -> "Client":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the connections."""
        self._http.close()

    def submit_run(
        self, campaign: str, task: str, file: str | Path, *, team: str, **fields: Any
    ) -> dict[str, Any]:
        """Submit a run file (plain or gzip); ``fields`` as the interface names them.

        A broken connection is tried again under the same Idempotency-Key: never a second run.
        """
        address = f"campaigns/{campaign}/tasks/{task}/runs/"
        return self._post(address, {"file": Path(file)}, {"team": team, **fields})

    def submit_pair(
        self,
        campaign: str,
        task: str,
        baseline: str | Path,
        advanced: str | Path,
        *,
        team: str,
        **fields: Any,
    ) -> dict[str, Any]:
        """Submit the two runs of a reproduced experiment at once."""
        files = {"baseline": Path(baseline), "advanced": Path(advanced)}
        address = f"campaigns/{campaign}/tasks/{task}/pairs/"
        return self._post(address, files, {"team": team, **fields})

    def run(self, identifier: str) -> dict[str, Any]:
        """State, messages and, where they may be seen, scores of a run."""
        return self._get(f"runs/{identifier}/")

    def wait(self, identifier: str, seconds: float = 300.0) -> dict[str, Any]:
        """The run once it is rejected, scored or failed, else as it is after ``seconds``.

        A run may stay ``accepted`` for months, since qrels may come later.
        """
        end = time.monotonic() + seconds
        while True:
            left = max(0, min(LONGEST_WAIT, int(end - time.monotonic())))
            found = self._get(f"runs/{identifier}/", {"wait": str(left)} if left else {})
            if found.get("state") in ENDED or time.monotonic() >= end:
                return found
            time.sleep(min(1.0, max(0.0, end - time.monotonic())))

    def leaderboard(self, campaign: str, task: str) -> dict[str, Any]:
        """Columns and rows of a task's board."""
        return self._get(f"campaigns/{campaign}/tasks/{task}/leaderboard/")

    def effects(self, campaign: str, task: str) -> dict[str, Any]:
        """The points of a task's ER–ΔRI chart."""
        return self._get(f"campaigns/{campaign}/tasks/{task}/effects/")

    def campaigns(self) -> Iterator[dict[str, Any]]:
        """Every campaign that may be seen, page by page."""
        address: str | None = "campaigns/"
        while address:
            page = self._get(address)
            yield from page["results"]
            address = page.get("next")

    def _get(self, address: str, query: Mapping[str, str] | None = None) -> dict[str, Any]:
        return self._read(self._http.get(address, params=dict(query) if query else None))

    def _post(
        self, address: str, files: Mapping[str, Path], fields: Mapping[str, Any]
    ) -> dict[str, Any]:
        key = str(uuid.uuid4())
        data = {name: as_field(value) for name, value in fields.items() if value is not None}
        for attempt in range(1, TRIES + 1):
            with ExitStack() as opened:
                parts = {
                    name: (path.name, opened.enter_context(path.open("rb")))
                    for name, path in files.items()
                }
                try:
                    answer = self._http.post(
                        address, data=data, files=parts, headers={"Idempotency-Key": key}
                    )
                except httpx.TransportError:
                    if attempt == TRIES:
                        raise
                else:
                    if answer.status_code not in PASSING or attempt == TRIES:
                        return self._read(answer)
            time.sleep(attempt)
        raise AssertionError("the last attempt returns or raises")

    def _read(self, answer: httpx.Response) -> dict[str, Any]:
        if answer.is_error:
            raise Problem.of(answer)
        found: dict[str, Any] = answer.json()
        return found


def as_field(value: Any) -> str:
    """A form field: text as it is, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value)
