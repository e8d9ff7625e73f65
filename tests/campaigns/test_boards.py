"""The rules of boards of runs, worked by hand: ranks, ties, directions, who is unranked."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from campaigns.models import BoardRow, Role
from campaigns.policies import Viewer
from campaigns.services import shown_boards
from campaigns.services.boards import wake_boards
from campaigns.services.withdrawals import disqualify_run, reinstate_run
from tests.campaigns.factories import TaskFactory, TeamFactory, organizer_of
from tests.campaigns.given_numbers import (
    UNDEFINED,
    current,
    qrels_for,
    ranks,
    rows,
    run_with,
    scored,
)
from tests.campaigns.pipeline import drain

pytestmark = pytest.mark.django_db


def moment(minute: int) -> datetime:
    return datetime(2026, 5, 1, 12, minute, tzinfo=UTC)


def board_of(*entries, **columns):
    """A board of runs: tag, primary value, minute of receipt."""
    task = TaskFactory(measures=["nDCG@10", "AP"], primary="nDCG@10", **columns)
    qrels, _ = qrels_for(task)
    for minute, (tag, value) in enumerate(entries):
        run = run_with(task, qrels, value, tag=tag, received_at=moment(minute))
        scored(run, qrels, AP=0.5)
    drain()
    return current(task)


def test_equal_values_share_a_rank_and_the_next_rank_counts_them():
    board = board_of(("c", 0.4), ("a", 0.5), ("b", 0.5), ("d", 0.1))
    assert ranks(board) == [("a", 1), ("b", 1), ("c", 3), ("d", 4)]
    assert [row.is_shared for row in rows(board)] == [True, True, False, False]


def test_equal_values_are_listed_by_receipt():
    board = board_of(("late", 0.5), ("first", 0.5))
    first, late = reversed(rows(board))
    first.run.received_at, late.run.received_at = moment(30), moment(31)
    first.run.save()
    late.run.save()
    wake_boards(board.task)
    drain()
    assert ranks(board) == [("first", 1), ("late", 1)]


@pytest.mark.parametrize(
    ("other", "expected"), [(0.5 + 4e-13, 1), (0.5 - 4e-13, 1), (0.5 - 2e-12, 2)]
)
def test_values_are_compared_at_twelve_decimals(other, expected):
    board = board_of(("a", 0.5), ("b", other))
    assert ranks(board) == [("a", 1), ("b", expected)]


def test_undefined_value_is_last_with_its_reason_in_both_directions():
    board = board_of(("none", None), ("zero", 0.0), ("best", 0.5), ("lost", None))
    assert ranks(board) == [("best", 1), ("zero", 2), ("none", None), ("lost", None)]
    assert [row.reason for row in rows(board)] == ["", "", UNDEFINED, UNDEFINED]
    assert rows(board)[2].cells["nDCG@10"] == {"value": None, "reason": UNDEFINED}
    column = board.columns.get(key="nDCG@10")
    for sort in (None, column):
        turned = shown_boards.rows_of(board, sort, is_reversed=True)
        assert [str(row.run) for row in turned] == ["zero", "best", "none", "lost"]


def test_each_column_has_ranks_of_its_own_and_sorts_by_them():
    task = TaskFactory(measures=["nDCG@10", "AP"], primary="nDCG@10")
    qrels, _ = qrels_for(task)
    for tag, ndcg, precision in (("a", 0.9, 0.1), ("b", 0.8, 0.3), ("c", 0.7, None)):
        run = run_with(task, qrels, ndcg, tag=tag)
        scored(run, qrels, AP=precision)
    drain()
    board = current(task)
    assert ranks(board) == [("a", 1), ("b", 2), ("c", 3)]
    assert [row.cells["AP"].get("rank") for row in rows(board)] == [2, 1, None]
    column = board.columns.get(key="AP")
    assert [str(row.run) for row in shown_boards.rows_of(board, column)] == ["b", "a", "c"]
    turned = shown_boards.rows_of(board, column, is_reversed=True)
    assert [str(row.run) for row in turned] == ["a", "b", "c"]


def test_run_without_scores_yet_is_unranked_and_says_so():
    board = board_of(("a", 0.5))
    run = run_with(board.task, board.qrels, 0.9, tag="b")
    run.evaluations.all().delete()
    wake_boards(board.task)
    drain()
    assert ranks(board) == [("a", 1), ("b", None)]
    assert rows(board)[1].reason == "not scored yet"


def test_disqualified_run_is_unranked_without_values_and_can_be_reinstated():
    board = board_of(("best", 0.9), ("next", 0.5), ("none", None))
    best = rows(board)[0].run
    organizer = Viewer.of(organizer_of(board.campaign, Role.ORGANIZER))
    disqualify_run(organizer, best, "trained on the qrels")
    drain()
    assert ranks(board) == [("next", 1), ("none", None), ("best", None)]
    last = rows(board)[-1]
    assert (last.reason, last.cells) == ("Disqualified: trained on the qrels", {})
    reinstate_run(organizer, best, "it was another run")
    drain()
    assert ranks(board) == [("best", 1), ("next", 2), ("none", None)]


def test_best_of_team_is_the_teams_first_ranked_row():
    task = TaskFactory(measures=["nDCG@10"], primary="nDCG@10")
    qrels, _ = qrels_for(task)
    one, two, three = TeamFactory.create_batch(3, campaign=task.campaign)
    for tag, team, value in (
        ("one-a", one, 0.9),
        ("one-b", one, 0.8),
        ("two-a", two, 0.8),
        ("three-a", three, None),
        ("two-b", two, 0.1),
    ):
        run_with(task, qrels, value, tag=tag, team=team)
    drain()
    found = rows(current(task))
    assert [str(row.run) for row in found if row.is_best_of_team] == ["one-a", "two-a"]
    assert [row.rank for row in found] == [1, 2, 2, 4, None]


def test_board_keeps_only_its_last_two_versions():
    board = board_of(("a", 0.5))
    for _ in range(3):
        wake_boards(board.task)
        drain()
    board.refresh_from_db()
    kept = set(BoardRow.objects.filter(board=board).values_list("version", flat=True))
    assert kept == {board.version - 1, board.version}
