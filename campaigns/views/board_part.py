"""A board as a page shows it: its head, and the part that filters and sorting change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.db.models import Count
from django.http import Http404, QueryDict
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString

from campaigns import policies
from campaigns.models import (
    Board,
    BoardColumn,
    BoardState,
    BoardSubject,
    Pair,
    Task,
    Team,
)
from campaigns.policies import Viewer
from campaigns.services.listed_rows import gone_runs, listed_rows
from campaigns.views import board_query
from campaigns.views.board_columns import Head, heads, shown_columns
from campaigns.views.board_filters import Filters, TeamName, filters_of, told_fields
from campaigns.views.board_query import Order
from campaigns.views.board_table import table
from campaigns.views.effect_chart import board_chart
from campaigns.views.heat_map import heat_map
from campaigns.views.paging import page_links
from campaigns.views.passports import passport_of


@dataclass(frozen=True, slots=True)
class BoardPart:
    """Rendered, so that it can be kept; ``part`` is what changes without a new page."""

    head: str
    part: str
    status: str
    has_chart: bool

    def safe(self) -> dict[str, Any]:
        """For a template; both were rendered by one that escapes."""
        return {
            "board_head": SafeString(self.head),
            "board_part": SafeString(self.part),
            "board_status": self.status,
            "has_chart": self.has_chart,
        }


def _tab_label(board: Board, boards: Sequence[Board]) -> str:
    word = "Pairs" if board.subject == BoardSubject.PAIRS else "Runs"
    originals = {one.original_id for one in boards}
    if board.original is not None and len(originals) > 1:
        return f"{word}: {board.original.title}"
    return word


def chosen_or_404(boards: Sequence[Board], query: QueryDict) -> Board | None:
    """The board the address names; None where nothing is ranked yet."""
    board = board_query.chosen_board(boards, query)
    if board is None and (query.get("board") or query.get("set")):
        raise Http404
    return board


def _head(viewer: Viewer, task: Task, board: Board, boards: Sequence[Board]) -> dict[str, Any]:
    shown = [one for one in boards if board_query.is_shown(one)]
    current = [one for one in shown if one.state == BoardState.CURRENT]
    by_subject = sorted(current, key=lambda one: (one.subject != BoardSubject.PAIRS, one.pk))
    tabs = [
        {
            "href": f"?board={one.slug}",
            "label": _tab_label(one, current),
            "is_here": one.slug == board.slug,
        }
        for one in by_subject
    ]
    versions = [
        {"href": f"?board={one.slug}&set={one.number}", "board": one}
        for one in shown
        if one.slug == board.slug and one.pk != board.pk
    ]
    is_filling = any(one.state == BoardState.FILLING and one.slug == board.slug for one in boards)
    return {
        "export": _export(task, board),
        "tabs": tabs if len(tabs) > 1 else [],
        "versions": versions,
        "is_past": board.state == BoardState.PAST,
        "is_being_rescored": is_filling and board.state == BoardState.CURRENT,
        "oversees": policies.oversees(viewer, task.campaign_id),
        "are_scores_open": policies.is_reached(task.scores_from, viewer.now),
        "chart": board_chart(viewer, task, board),
    }


def _export(task: Task, board: Board) -> str:
    """Where the interface gives the same board as a file."""
    asked = {"subject": board.subject}
    if board.original is not None:
        asked["original"] = board.original.slug
    if board.state == BoardState.PAST and board.qrels is not None:
        asked["qrels"] = str(board.qrels.number)
    place = reverse("api-leaderboard", args=[task.campaign.slug, task.slug])
    return f"{place}?{urlencode(asked)}"


def _rows_by_team(board: Board) -> dict[int | None, int]:
    """How many rows each team has, from one pass over an index."""
    counted = listed_rows(board).values_list("team_id").annotate(Count("pk"))
    return dict(counted)


def _part(
    viewer: Viewer, task: Task, board: Board, teams: Sequence[TeamName], query: QueryDict
) -> dict[str, Any]:
    every = list(board.columns.order_by("position"))
    order = board_query.chosen_order(every, query)
    columns = shown_columns(every, board.subject, task, query)
    listed = heads(columns, task, board.subject, order, query)
    by_team = _rows_by_team(board)
    present = [team for team in teams if team.pk in by_team]
    filters = filters_of(viewer, task, board, present, query)
    rows = filters.of(board_query.ordered_rows(board, order))

    def count() -> int:
        # Unsorted rows are cheaper to count; without filters they have been counted.
        return filters.of(listed_rows(board)).count() if filters.are_on else sum(by_team.values())

    fields = board_query.fields_of(board, with_metadata=bool(told_fields(task)))
    page, shown_rows = board_query.page_of(rows, count, query, fields)
    return {
        "heads": listed,
        "primary": next((head for head in listed if head.is_primary), None),
        "table": table(shown_rows, listed, viewer, task, board.subject),
        "page": page,
        "pages": page_links(page, lambda number: board_query.address(query, page=str(number))),
        "filters": filters,
        "all_rows": board_query.address(query, **dict.fromkeys(filters.chosen)),
        **_columns(task, board, every, columns, query),
        "status": _status(board, listed, order, filters, page.paginator.count),
        "passport": passport_of(task, board.qrels),
        "heat": heat_map(viewer, task, board, shown_rows),
    }


def _columns(
    task: Task,
    board: Board,
    every: Sequence[BoardColumn],
    columns: Sequence[BoardColumn],
    query: QueryDict,
) -> dict[str, Any]:
    """The picker: every column, and which of them stand there now."""
    shown = {column.key for column in columns}
    short = shown_columns(every, board.subject, task, QueryDict())
    return {
        "every_column": [
            {"column": column, "is_shown": column.key in shown}
            for column in every
            if not column.is_primary
        ],
        "hidden_columns": len(every) - len(columns),
        "all_columns": board_query.address(query, columns="all", show=None, page=None),
        "few_columns": board_query.address(query, columns=None, show=None, page=None),
        "shows_others": shown != {column.key for column in short},
        "kept": [(name, query[name]) for name in ("board", "set", "sort", "dir") if name in query],
    }


def _status(
    board: Board, listed: Sequence[Head], order: Order, filters: Filters, count: int
) -> str:
    """What is announced after a change."""
    word = "pair" if board.subject == BoardSubject.PAIRS else "run"
    left = f"{count:,} {word}{'' if count == 1 else 's'}{' left' if filters.are_on else ''}"
    active = next((head for head in listed if head.aria_sort), None)
    if active is None:
        return f"{left}."
    way = ", turned round" if order.is_reversed else ""
    return f"{left}, sorted by {active.label}{way}."


def rendered(
    viewer: Viewer,
    task: Task,
    board_pk: int,
    teams: Sequence[TeamName],
    query: QueryDict,
) -> BoardPart:
    """Call it only when ``may_see_board`` allows it."""
    boards = board_query.all_boards(task)
    board = next((one for one in boards if one.pk == board_pk), None)
    if board is None:
        raise Http404
    part = _part(viewer, task, board, teams, query)
    context = {
        "campaign": task.campaign,
        "task": task,
        "board": board,
        **_head(viewer, task, board, boards),
        **part,
    }
    return BoardPart(
        render_to_string("parts/board.html", context),
        render_to_string("parts/board_part.html", context),
        part["status"],
        context["chart"] is not None,
    )


def teams_of(task: Task) -> list[TeamName]:
    """Teams of the campaign."""
    rows = Team.objects.filter(campaign=task.campaign_id, deleted_at__isnull=True)
    return [
        TeamName(*row)
        for row in rows.order_by("name", "pk").values_list("pk", "slug", "name", "is_organizers")
    ]


def stamps(task: Task, board: Board) -> tuple[Any, ...]:
    """What was taken from a board since its ranking: it is gone from what is kept, too."""
    gone = gone_runs(board).order_by().values_list("pk", flat=True)
    if board.subject == BoardSubject.PAIRS:
        pairs = Pair.objects.filter(task=task, deleted_at__isnull=False)
        gone = gone.union(pairs.order_by().values_list("pk", flat=True))
    return tuple(gone.order_by("pk"))
