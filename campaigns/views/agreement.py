"""How measures agree on the pairs of a task: the paper's Tables 4 and 5, for any board."""

from __future__ import annotations

import math
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from campaigns import kinds, policies
from campaigns.models import Board, BoardState, BoardSubject, Task
from campaigns.services.measure_agreement import Agreement, agreement_of
from campaigns.templatetags.numbers import DASH, SCORE
from campaigns.views import board_part, board_query
from campaigns.views.kept_pages import kept
from campaigns.views.lookups import task_or_404, viewer_of
from campaigns.views.wording import kind_label

SHADES = 6


def _cell(value: float, *, is_diagonal: bool) -> dict[str, str]:
    if is_diagonal or math.isnan(value):
        return {"text": DASH, "css": "undef"}
    shade = "qn" if value < 0 else f"q{min(SHADES - 1, int(value * SHADES))}"
    return {"text": SCORE.text(value)[:-2] if abs(value) < 1 else f"{value:.0f}", "css": shade}


def _lines(found: Agreement) -> list[dict[str, Any]]:
    return [
        {
            "label": label,
            "cells": [_cell(value, is_diagonal=i == j) for j, value in enumerate(row)],
        }
        for i, (label, row) in enumerate(zip(found.labels, found.values, strict=True))
    ]


def _boards(task: Task) -> list[Board]:
    return [
        board
        for board in board_query.all_boards(task)
        if board.state == BoardState.CURRENT and board.subject == BoardSubject.PAIRS
    ]


@require_safe
def agreement(request: HttpRequest, campaign: str, task: str) -> HttpResponse:
    """The matrix of one original's pairs."""
    viewer = viewer_of(request)
    found = task_or_404(viewer, campaign, task)
    if not kinds.of(found).is_pair:
        raise Http404
    may_see = policies.may_see_board(viewer, found)
    boards = _boards(found) if may_see else []
    board = board_part.chosen_or_404(boards, request.GET)
    matrix = None
    if board is not None:
        key = (board.pk, board.version, board_part.stamps(found, board))
        matrix = kept("agreement", key, lambda: [agreement_of(found, board)])[0]
    context = {
        "section": "campaigns",
        "campaign": found.campaign,
        "task": found,
        "kind_label": kind_label(found),
        "may_see_board": may_see,
        "board": board,
        "boards": boards,
        "matrix": matrix,
        "lines": _lines(matrix) if matrix else [],
    }
    return render(request, "pages/agreement.html", context)
