"""A task with its board."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from campaigns import kinds, policies
from campaigns.models import Board, BoardState, BoardSubject, Task
from campaigns.policies import Viewer
from campaigns.views import board_query
from campaigns.views.board_columns import heads, shown_columns
from campaigns.views.board_table import table
from campaigns.views.effect_chart import board_chart
from campaigns.views.lookups import task_or_404, viewer_of
from campaigns.views.passports import passport_of
from campaigns.views.phases import phase_of
from campaigns.views.run_list import own_runs
from campaigns.views.wording import kind_label, kind_sentence


def _tab_label(board: Board, boards: list[Board]) -> str:
    word = "Pairs" if board.subject == BoardSubject.PAIRS else "Runs"
    originals = {one.original_id for one in boards}
    if board.original is not None and len(originals) > 1:
        return f"{word}: {board.original.title}"
    return word


def _board_context(request: HttpRequest, viewer: Viewer, task: Task) -> dict[str, Any]:
    """What the board shows; call it only when ``may_see_board`` allows it."""
    boards = board_query.shown_boards(task)
    board = board_query.chosen_board(boards, request.GET)
    if board is None:
        if request.GET.get("board") or request.GET.get("set"):
            raise Http404
        return {"board": None}
    query = request.GET
    every = list(board.columns.order_by("position"))
    order = board_query.chosen_order(every, query)
    columns = shown_columns(every, board.subject, task, query)
    listed = heads(columns, task, board.subject, order, query)
    page = board_query.page_of(board_query.ordered_rows(board, order), query)
    current = [one for one in boards if one.state == BoardState.CURRENT]
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
        {
            "href": board_query.address(query, board=one.slug, set=str(one.number), page=None),
            "board": one,
        }
        for one in boards
        if one.slug == board.slug and one.pk != board.pk
    ]
    return {
        "board": board,
        "heads": listed,
        "primary": next((head for head in listed if head.is_primary), None),
        "table": table(list(page.object_list), listed, viewer, task, board.subject),
        "page": page,
        "pages": [
            {"number": number, "href": board_query.address(query, page=str(number))}
            for number in page.paginator.page_range
        ],
        "tabs": tabs if len(tabs) > 1 else [],
        "versions": versions,
        "is_past": board.state == BoardState.PAST,
        "hidden_columns": len(every) - len(columns),
        "all_columns": board_query.address(query, columns="all", page=None),
        "few_columns": board_query.address(query, columns=None, page=None),
        "shows_all": query.get("columns") == "all",
        "order": order,
        "passport": passport_of(task, board.qrels),
        "chart": board_chart(viewer, task, board),
    }


def task(request: HttpRequest, campaign: str, task: str) -> HttpResponse:
    """The page of a task."""
    viewer = viewer_of(request)
    found = task_or_404(viewer, campaign, task)
    kind = kinds.of(found)
    context: dict[str, Any] = {
        "section": "campaigns",
        "campaign": found.campaign,
        "task": found,
        "kind": kind,
        "kind_label": kind_label(found),
        "kind_sentence": kind_sentence(found),
        "phase": phase_of(found, viewer.now),
        "takes_part": policies.takes_part(viewer, found.campaign_id),
        "may_see_board": policies.may_see_board(viewer, found),
        "oversees": policies.oversees(viewer, found.campaign_id),
        "are_scores_open": policies.is_reached(found.scores_from, viewer.now),
        "own_runs": own_runs(viewer, task=found)[:20] if viewer.teams else [],
    }
    if context["may_see_board"]:
        context |= _board_context(request, viewer, found)
    return render(request, "pages/task.html", context)
