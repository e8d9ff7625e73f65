"""A task with its board."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from campaigns import kinds, policies
from campaigns.models import Board, Task
from campaigns.policies import Viewer
from campaigns.services.task_downloads import downloads_of
from campaigns.views import board_part, board_query
from campaigns.views.board_filters import TeamName
from campaigns.views.board_part import BoardPart
from campaigns.views.kept_pages import LONGEST_QUERY, answered, is_nobody, kept, state_of
from campaigns.views.lookups import task_or_404, viewer_of
from campaigns.views.phases import phase_of
from campaigns.views.run_list import own_runs
from campaigns.views.wording import kind_label, kind_sentence


def _key(
    viewer: Viewer, task: Task, board: Board, boards: Sequence[Board], teams: Sequence[TeamName]
) -> tuple[Any, ...]:
    """Everything that a rendered board depends on, but what its address asks for."""
    return (
        board.pk,
        [(one.pk, one.state, one.version) for one in boards],
        policies.phase(task, viewer.now),
        policies.audience(viewer, task.campaign_id),
        state_of(task),
        state_of(task.campaign),
        [tuple(team) for team in teams],
        board_part.stamps(task, board),
    )


def _page(request: HttpRequest, viewer: Viewer, task: Task, board: BoardPart | None) -> bytes:
    kind = kinds.of(task)
    context: dict[str, Any] = {
        "section": "campaigns",
        "campaign": task.campaign,
        "task": task,
        "kind": kind,
        "kind_label": kind_label(task),
        "kind_sentence": kind_sentence(task),
        "phase": phase_of(task, viewer.now),
        "takes_part": policies.takes_part(viewer, task.campaign_id),
        "may_see_board": policies.may_see_board(viewer, task),
        "oversees": policies.oversees(viewer, task.campaign_id),
        "own_runs": own_runs(viewer, task=task)[:20] if viewer.teams else [],
        "downloads": downloads_of(task),
        "board": board,
        **(board.safe() if board is not None else {}),
    }
    return render_to_string("pages/task.html", context, request).encode()


def _swap(board: BoardPart) -> bytes:
    return render_to_string("parts/board_swap.html", board.safe()).encode()


@require_safe
def task(request: HttpRequest, campaign: str, task: str) -> HttpResponse:
    """The page of a task; for a change of the board alone, only that part."""
    viewer = viewer_of(request)
    found = task_or_404(viewer, campaign, task, is_brief=True)
    is_swap = request.headers.get("HX-Target") == "board-part"
    response = answered(request, viewer, _body(request, viewer, found, is_swap=is_swap))
    patch_vary_headers(response, ["HX-Target", "Cookie"])
    return response


def _body(request: HttpRequest, viewer: Viewer, task: Task, *, is_swap: bool) -> bytes:
    if not policies.may_see_board(viewer, task):
        return _page(request, viewer, task, None)
    boards = board_query.all_boards(task, is_brief=True)
    shown = [board for board in boards if board_query.is_shown(board)]
    board = board_part.chosen_or_404(shown, request.GET)
    if board is None:
        return _page(request, viewer, task, None)
    teams = board_part.teams_of(task)
    key = _key(viewer, task, board, boards, teams)
    query = request.META.get("QUERY_STRING", "")

    def part() -> BoardPart:
        return board_part.rendered(viewer, task, board.pk, teams, request.GET)

    def whole() -> bytes:
        found = part() if is_long else kept("board", (*key, query), part)
        return _swap(found) if is_swap else _page(request, viewer, task, found)

    is_long = len(query) > LONGEST_QUERY
    if is_swap or is_long or not is_nobody(request, viewer):
        return whole()
    # The page says how long it is until the deadline: for a minute that stays true.
    minute = int(viewer.now.timestamp() // 60)
    return kept("task-page", (*key, minute, request.build_absolute_uri()), whole)
