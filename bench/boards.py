"""``python -m bench.boards``: what the page of a board costs the server, in CPU milliseconds.

Boards of 200 and of 10,000 runs with six columns are made in an empty database of their own; each
request goes through every middleware. Cold: nothing is kept; kept: the page lies in the cache;
304: the reader has it. Samples are CPU time of this process, so that a busy machine matters little.
"""

from __future__ import annotations

import gc
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from tests import site_database

SIZES = (200, 10_000)
GOALS = {"cold": 12.0, "kept": 3.0, "304": 2.0}
REPEATS = 15


def board_of(runs: int) -> str:
    """Make a ranked board; the address of its page."""
    from campaigns.models import Board, BoardCell, BoardRow, Run
    from tests.campaigns import given_numbers as given
    from tests.campaigns import pipeline
    from tests.campaigns.factories import RunFactory, TaskFactory, TeamFactory

    measures = ["nDCG@10", "AP", "P@10", "RR", "R@1000", "Judged@10"]
    task = TaskFactory(measures=measures, primary="nDCG@10")
    qrels, _ = given.qrels_for(task)
    teams = [TeamFactory(campaign=task.campaign) for _ in range(20)]
    pipeline.drain()
    board = Board.objects.get(task=task)
    made = [
        RunFactory.build(
            task=task,
            team=teams[i % 20],
            tag=f"run-{i}",
            state="scored",
            file=None,
            is_scores_only=True,
        )
        for i in range(runs)
    ]
    made = Run.objects.bulk_create(made, batch_size=500)
    columns = list(board.columns.all())
    version = board.version + 1
    rows = [
        BoardRow(
            board=board,
            version=version,
            position=place,
            rank=place,
            run=run,
            team=run.team,
            cells={
                c.key: {"value": (runs - place) / runs, "rank": place, "low": 0.1, "high": 0.9}
                for c in columns
            },
        )
        for place, run in enumerate(made, start=1)
    ]
    rows = BoardRow.objects.bulk_create(rows, batch_size=500)
    BoardCell.objects.bulk_create(
        [
            BoardCell(row=r, column=c, version=version, value=r.cells[c.key]["value"], rank=r.rank)
            for r in rows
            for c in columns
        ],
        batch_size=2000,
    )
    Board.objects.filter(pk=board.pk).update(version=version, state="current")
    del qrels
    return f"/campaigns/{task.campaign.slug}/tasks/{task.slug}/"


def samples(act: Callable[[], object], before: Callable[[], object]) -> list[float]:
    """CPU milliseconds of an act, after a warm-up."""
    found = []
    for turn in range(REPEATS + 2):
        before()
        start = time.process_time()
        act()
        if turn >= 2:
            found.append(1000 * (time.process_time() - start))
    return found


def told(name: str, found: Sequence[float], goal: float) -> str:
    """A line of the table; the raw samples stand at its end."""
    median = statistics.median(found)
    verdict = "met" if median <= goal else "missed"
    raw = " ".join(f"{one:.1f}" for one in sorted(found))
    return f"{name:<34} {median:6.1f} ms  (goal {goal:g}, {verdict})  {raw}"


def measure(size: int) -> None:
    """Print the costs of one board."""
    from django.core.cache import cache
    from django.test import RequestFactory

    from config.wsgi import application as site

    place = board_of(size)
    requests = RequestFactory()
    # What filled the database is none of the server's.
    gc.collect()
    gc.freeze()

    def get(address: str, status: int = 200, **more: str) -> Callable[[], object]:
        """A request as the web server hands it over."""

        def act() -> dict[str, str]:
            environ = requests.get(address, **more).environ
            told: list[Any] = []
            response = site(environ, lambda code, headers: told.extend((code, headers)))
            sum(map(len, response))
            response.close()
            if not told[0].startswith(str(status)):
                raise RuntimeError(f"{address}: {told[0]}")
            return dict(told[1])

        return act

    def nothing() -> None:
        """Leave the cache as it is."""

    views = {
        "first page": place,
        "sorted by AP": f"{place}?sort=AP",
        "last page": f"{place}?page=-",
    }
    pages = max(1, -(-size // 200))
    views["last page"] = f"{place}?page={pages}"
    for name, address in views.items():
        print(
            told(f"{size:,} runs, {name}, cold", samples(get(address), cache.clear), GOALS["cold"])
        )
    etag = get(place)()["ETag"]
    print(told(f"{size:,} runs, kept", samples(get(place), nothing), GOALS["kept"]))
    again = get(place, 304, HTTP_IF_NONE_MATCH=etag)
    print(told(f"{size:,} runs, 304", samples(again, nothing), GOALS["304"]), flush=True)


def main() -> int:
    """Measure all sizes."""
    with site_database.site():
        from django.test import override_settings

        memory = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
        with override_settings(ALLOWED_HOSTS=["*"], CACHES=memory):
            for size in SIZES:
                measure(size)
    return 0


if __name__ == "__main__":
    sys.exit(main())
