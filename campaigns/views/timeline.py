"""Dates of a campaign in their order, and the best of each task whose scores are open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db.models import F

from campaigns import policies
from campaigns.models import ALWAYS, BoardColumn, BoardRow, BoardState, Task
from campaigns.policies import Viewer
from campaigns.services.zones import AOE
from campaigns.templatetags.numbers import DASH, Style
from campaigns.templatetags.times import spelled
from campaigns.views.board_columns import style_in

DATES = (
    ("opens", "Runs open"),
    ("closes", "Runs close"),
    ("scores_from", "Scores released"),
    ("team_names_from", "Team names released"),
    ("topic_scores_from", "Scores by topic"),
    ("qrels_from", "Judgments public"),
)
MOST_NAMED = 2


@dataclass(frozen=True, slots=True)
class Step:
    """A date: what happens, for which tasks, and whether it is over, the next, or later."""

    label: str
    tasks: str
    moment: datetime
    aoe: str
    utc: str
    iso: str
    state: str


def _named(tasks: Sequence[Task], every: int) -> str:
    """Which tasks a date is of; nothing where it is of all."""
    if len(tasks) == every:
        return ""
    if len(tasks) <= MOST_NAMED:
        return ", ".join(task.title for task in tasks)
    return f"{len(tasks)} of {every} tasks"


def timeline(tasks: Sequence[Task], now: datetime) -> list[Step]:
    """All dates that are set, the earliest first."""
    found: dict[tuple[datetime, int], list[Task]] = {}
    for place, (name, _) in enumerate(DATES):
        for task in tasks:
            moment = getattr(task, name)
            if moment is not None and moment > ALWAYS:
                found.setdefault((moment, place), []).append(task)
    order = sorted(found)
    following = next((key for key in order if key[0] > now), None)
    steps = []
    for key in order:
        moment, place = key
        state = "done" if moment <= now else ("now" if key == following else "")
        utc = moment.astimezone(UTC)
        steps.append(
            Step(
                DATES[place][1], _named(found[key], len(tasks)), moment,
                spelled(moment.astimezone(AOE)), spelled(utc),
                utc.isoformat(timespec="seconds"), state,
            )
        )  # fmt: skip
    return steps


@dataclass(frozen=True, slots=True)
class Best:
    """The first of a board, or that there is none to tell."""

    task: Task
    address: str
    name: str
    team: str
    measure: str
    value: str
    interval: str
    is_shared: bool


def _name(row: dict[str, Any]) -> str:
    if row["pair_id"]:
        tags = [row["pair__baseline__tag"] or DASH, row["pair__advanced__tag"] or DASH]
        return str(row["pair__title"] or " / ".join(tags))
    return str(row["run__tag"] or row["run__title"] or row["run_id"])


def _best(viewer: Viewer, task: Task, row: dict[str, Any], column: BoardColumn) -> Best:
    style: Style = style_in(column, task)
    cell = row["cells"].get(column.key, {})
    low, high = cell.get("low"), cell.get("high")
    team = row["team__name"] or ""
    if team and not (
        row["team__is_organizers"] or policies.may_see_team_name(viewer, task, row["team_id"])
    ):
        team = ""
    return Best(
        task,
        f"?board={row['board__slug']}#board",
        _name(row),
        team,
        column.label,
        style.text(cell.get("value")),
        DASH if low is None or high is None else f"{style.text(low)} to {style.text(high)}",
        row["is_shared"],
    )


def best_of(viewer: Viewer, tasks: Sequence[Task]) -> list[Best]:
    """The first of each current board of runs or pairs, where the viewer may see it."""
    open_tasks = {task.pk: task for task in tasks if policies.may_see_board(viewer, task)}
    rows = (
        BoardRow.objects.filter(
            board__task__in=list(open_tasks),
            board__state=BoardState.CURRENT,
            version=F("board__version"),
            rank=1,
            run__withdrawn_at__isnull=True,
            run__deleted_at__isnull=True,
            pair__deleted_at__isnull=True,
            pair__baseline__withdrawn_at__isnull=True,
            pair__advanced__withdrawn_at__isnull=True,
        )
        .order_by("board__task__position", "board__task__slug", "board__subject", "board_id",
                  "position")
        .values(
            "board_id", "board__slug", "board__task", "board__subject", "is_shared", "cells",
            "run_id", "run__tag", "run__title", "pair_id", "pair__title", "pair__baseline__tag",
            "pair__advanced__tag", "team_id", "team__name", "team__is_organizers",
        )
    )  # fmt: skip
    first: dict[int, dict[str, Any]] = {}
    with_pairs = set()
    for row in rows:
        first.setdefault(row["board_id"], row)
        if row["pair_id"]:
            with_pairs.add(row["board__task"])
    columns = {
        column.board_id: column
        for column in BoardColumn.objects.filter(board__in=list(first), is_primary=True)
    }
    return [
        _best(viewer, open_tasks[row["board__task"]], row, columns[board])
        for board, row in first.items()
        # Where pairs are ranked, runs alone do not tell who reproduced best.
        if board in columns and (row["pair_id"] or row["board__task"] not in with_pairs)
    ]
