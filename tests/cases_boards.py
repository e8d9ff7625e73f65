"""Cases of leaderboards: order, ranks, direction, and new qrels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from campaigns.models import Board, Job, JobKind, JobState, TaskKind
from campaigns.services import shown_boards
from tests.campaigns import given_numbers as given
from tests.campaigns import pipeline
from tests.campaigns.factories import TeamFactory
from tests.cases_task import task_of

Case = Mapping[str, Any]
Compared = Iterator[tuple[str, Any, Any]]


def leaderboard_case(case: Case, folder: Path) -> Compared:
    """A board of given scores, one of given pairs, or one whose qrels change."""
    if "best_by" in case["expect"]:
        yield from best_by(case, folder)
    elif "order" in case["expect"]:
        yield from ranked_runs(case, folder)
    else:
        yield from qrels_corrected(case, folder)


def ranked_runs(case: Case, folder: Path) -> Compared:
    """Runs with given scores; the list, its ranks, and unranked ones last when it is turned."""
    task = task_of(case, folder)
    qrels, _ = given.qrels_for(task)
    for tag, value, *received in case["scenario"]["entries"]:
        at = {"received_at": datetime.fromisoformat(received[0])} if received else {}
        given.run_with(task, qrels, value, tag=tag, **at)
    pipeline.drain()
    board = given.current(task)
    found = given.ranks(board)
    yield "order", case["expect"]["order"], [tag for tag, _ in found]
    yield "ranks", case["expect"]["ranks"], [rank for _, rank in found]
    turned = list(shown_boards.rows_of(board, is_reversed=True))
    unranked = [row.rank is None for row in turned]
    yield "unranked last when turned", sorted(unranked), unranked


def best_by(case: Case, folder: Path) -> Compared:
    """Pairs with given RMSE and ER: the first by each column."""
    task = task_of(case, folder, kind=TaskKind.SAME_COLLECTION)
    original = given.original_with(task)
    sets = given.qrels_for(task)
    for tag, values in case["scenario"]["entries"]:
        rmse, ratio = values["RMSE"], values["ER"]
        given.pair_with(original, sets, tag=tag, rmse=(rmse, rmse), effect_ratio=ratio)
    pipeline.drain()
    board = given.current(task, "pairs")
    columns = {
        "RMSE": ("order", f"baseline:rmse({task.primary})", f"advanced:rmse({task.primary})"),
        "ER": (f"effect_ratio({task.primary})",),
    }
    for name, best in case["expect"]["best_by"].items():
        for column in shown_boards.columns_of(board, list(columns[name])):
            first = shown_boards.rows_of(board, column).first()
            yield f"best by {column.key}", best, str(first.pair)


def rounded(values: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, 9) for name, value in values.items()}


def _described(board: Board, values: Mapping[int, Mapping[str, float]]) -> str:
    """What the board shows, in the words of the case."""
    facts = shown_boards.board_facts(board)
    shown = {str(row.run): round(row.cells["AP"]["value"], 9) for row in given.rows(board)}
    of = [f"v{version}" for version, expected in values.items() if shown == rounded(expected)]
    said = f"all {of[0]} values" if of else f"mixed values {shown}"
    if facts["is_being_rescored"]:
        return f"{said}, marked as being re-scored"
    return f"{said}, v{facts['qrels']['version']} named"


def qrels_corrected(case: Case, folder: Path) -> Compared:
    """Two runs scored with v1; v2 published; the board before and after the scoring ends."""
    task = task_of(case, folder)
    qrels = (folder / case["task"]["qrels"]).read_bytes()
    # AP under v1: "good" (1 + 1 + 1)/3, "poor" (1/2 + 1/2 + 1)/3. Without D-c in topic 101, and
    # D-b relevant in its place: "good" (5/6 + 1 + 1)/3, "poor" (5/6 + 1/2 + 1)/3.
    corrected = qrels.replace(b"101 0 D-b 0", b"101 0 D-b 1").replace(
        b"101 0 D-c 1", b"101 0 D-c 0"
    )
    runs = {
        "good": {"101": ["D-a", "D-c", "D-b"], "102": ["D-d"], "103": ["D-g", "D-f"]},
        "poor": {"101": ["D-b", "D-c", "D-a"], "102": ["D-e", "D-d"], "103": ["D-f", "D-g"]},
    }
    pipeline.publish(task.collection, qrels)
    for tag, ranking in runs.items():
        team = TeamFactory(campaign=task.campaign)
        pipeline.submit(task, team, pipeline.run_text(ranking, tag))
    pipeline.drain()
    values = {
        1: {"good": 1.0, "poor": (7 / 12 + 1 / 2 + 1) / 3},
        2: {"good": (5 / 6 + 1 + 1) / 3, "poor": (5 / 6 + 1 / 2 + 1) / 3},
    }
    pipeline.publish(task.collection, corrected)
    one, _ = Job.objects.filter(kind=JobKind.SCORE, state=JobState.WAITING)
    pipeline.DO["score"](str(one.pk))
    for job in Job.objects.filter(kind=JobKind.RANK, state=JobState.WAITING):
        pipeline.DO["rank"](str(job.pk))
    yield "before_end", case["expect"]["before_end"], _described(given.current(task), values)
    pipeline.drain()
    yield "after", case["expect"]["after"], _described(given.current(task), values)
