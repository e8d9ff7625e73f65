"""The rules of boards of pairs, worked by hand: every order, its ties, and who is unranked."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from campaigns.models import OrderBy, Role
from campaigns.policies import Viewer
from campaigns.services.withdrawals import disqualify_run
from tests.campaigns.factories import TaskFactory, TeamFactory, organizer_of
from tests.campaigns.given_numbers import (
    UNDEFINED,
    current,
    original_with,
    pair_with,
    qrels_for,
    ranks,
    rows,
)
from tests.campaigns.pipeline import drain

pytestmark = pytest.mark.django_db


def moment(minute: int) -> datetime:
    return datetime(2026, 5, 1, 12, minute, tzinfo=UTC)


def pair_board(order_by, *pairs, kind="same_collection"):
    """A board of pairs whose numbers are given by keyword."""
    task = TaskFactory(**{kind: True}, measures=["AP"], primary="AP")
    task.order_by = order_by
    task.save()
    original = original_with(task)
    sets = qrels_for(task)
    for pair in pairs:
        pair_with(original, sets, **pair)
    drain()
    return current(task, "pairs")


def orders(board):
    return [(str(row.pair), row.rank, row.cells["order"]["value"]) for row in rows(board)]


# Two pairs by each order: values, then tags and numbers in the expected order.
BY_ORDER = {
    OrderBy.RMSE: (
        {"tag": "x", "rmse": (0.5, 0.25), "effect_ratio": 1.0},
        {"tag": "y", "rmse": (0.25, 0.25), "effect_ratio": 3.0},
        [("y", 1, 0.25), ("x", 2, 0.375)],
    ),
    OrderBy.ARP: (
        {"tag": "x", "delta_arp": (0.5, 0.25)},
        {"tag": "y", "delta_arp": (0.25, 0.125)},
        [("y", 1, 0.1875), ("x", 2, 0.375)],
    ),
    OrderBy.RBO: (
        {"tag": "x", "rbo": (0.25, 0.5)},
        {"tag": "y", "rbo": (0.5, 1.0)},
        [("y", 1, 0.75), ("x", 2, 0.375)],
    ),
    OrderBy.EFFECT_RATIO: (
        {"tag": "x", "effect_ratio": 1.5},
        {"tag": "y", "effect_ratio": 0.75},
        [("y", 1, 0.25), ("x", 2, 0.5)],
    ),
    OrderBy.DELTA_RI: (
        {"tag": "x", "delta_ri": 0.5},
        {"tag": "y", "delta_ri": -0.25},
        [("y", 1, 0.25), ("x", 2, 0.5)],
    ),
    # Distances to (1, 0): 3, 4, 5 and 5, 12, 13.
    OrderBy.DISTANCE: (
        {"tag": "x", "effect_ratio": 1.5, "delta_ri": -1.2},
        {"tag": "y", "effect_ratio": 0.7, "delta_ri": 0.4},
        [("y", 1, 0.5), ("x", 2, 1.3)],
    ),
}


@pytest.mark.parametrize("order_by", BY_ORDER)
def test_pairs_are_ordered_by_the_tasks_choice(order_by):
    first, second, expected = BY_ORDER[order_by]
    board = pair_board(order_by, first, second)
    assert orders(board) == [
        (tag, rank, pytest.approx(value, abs=1e-12)) for tag, rank, value in expected
    ]


@pytest.mark.parametrize(
    ("order_by", "kind"),
    [
        (OrderBy.EFFECT_RATIO, "same_collection"),
        (OrderBy.DISTANCE, "same_collection"),
        (OrderBy.DISTANCE, "new_collection"),
    ],
)
def test_pair_without_what_decides_is_unranked_with_the_reason(order_by, kind):
    board = pair_board(
        order_by,
        {"tag": "none", "effect_ratio": None},
        {"tag": "far", "effect_ratio": 9.0},
        kind=kind,
    )
    assert ranks(board) == [("far", 1), ("none", None)]
    assert rows(board)[1].reason == "the original effect is 0"


def test_delta_ri_undefined_unranks_by_distance_but_not_by_effect_ratio():
    pairs = ({"tag": "none", "delta_ri": None}, {"tag": "far", "effect_ratio": 9.0})
    assert ranks(pair_board(OrderBy.DISTANCE, *pairs)) == [("far", 1), ("none", None)]
    assert ranks(pair_board(OrderBy.EFFECT_RATIO, *pairs)) == [("none", 1), ("far", 2)]


@pytest.mark.parametrize("missing", [(None, 0.2), (0.2, None), (None, None)])
def test_rmse_of_one_run_undefined_unranks_the_pair(missing):
    board = pair_board(
        OrderBy.RMSE, {"tag": "none", "rmse": missing}, {"tag": "far", "rmse": (0.9, 0.9)}
    )
    assert ranks(board) == [("far", 1), ("none", None)]
    assert rows(board)[1].reason == UNDEFINED


def test_effect_ratio_undefined_alone_does_not_unrank_a_same_collection_pair():
    board = pair_board(
        OrderBy.RMSE, {"tag": "none", "effect_ratio": None}, {"tag": "far", "rmse": (0.9, 0.9)}
    )
    assert ranks(board) == [("none", 1), ("far", 2)]


def test_equal_pairs_share_a_rank_and_stand_by_effect_ratio_then_delta_ri_then_receipt():
    at = {"received": (moment(3), moment(5))}
    board = pair_board(
        OrderBy.RMSE,
        {"tag": "null", "effect_ratio": None, **at},
        {
            "tag": "later",
            "effect_ratio": 1.25,
            "delta_ri": -0.25,
            "received": (moment(2), moment(6)),
        },
        {"tag": "earlier", "effect_ratio": 0.75, "delta_ri": 0.25, **at},
        {"tag": "null-ri", "effect_ratio": 1.25, "delta_ri": None, **at},
        {"tag": "close", "effect_ratio": 0.875, "delta_ri": 0.5, **at},
    )
    # The later of its two runs is the pair's receipt: minute 5 before minute 6.
    assert ranks(board) == [
        ("close", 1),
        ("earlier", 1),
        ("later", 1),
        ("null-ri", 1),
        ("null", 1),
    ]


def test_columns_with_a_target_are_ranked_by_their_distance_to_it():
    board = pair_board(
        OrderBy.RMSE,
        {
            "tag": "x",
            "effect_ratio": 1.5,
            "delta_ri": 0.25,
            "rbo": (0.9, 0.9),
            "delta_arp": (-0.1, 0),
        },
        {
            "tag": "y",
            "effect_ratio": 0.5,
            "delta_ri": -0.125,
            "rbo": (0.9, 0.1),
            "delta_arp": (0.2, 0),
        },
        {
            "tag": "z",
            "effect_ratio": 0.75,
            "delta_ri": -0.5,
            "rbo": (0.5, 0.5),
            "delta_arp": (0.1, 0),
        },
    )
    found = {str(row.pair): row.cells for row in rows(board)}
    expected = {
        "effect_ratio(AP)": {"x": 2, "y": 2, "z": 1},
        "delta_ri(AP)": {"x": 2, "y": 1, "z": 3},
        "baseline:rank_biased_overlap": {"x": 1, "y": 1, "z": 3},
        "advanced:rank_biased_overlap": {"x": 1, "y": 3, "z": 2},
        "baseline:delta_arp(AP)": {"x": 1, "y": 3, "z": 1},
        "region(AP)": {"x": None, "y": None, "z": None},
        "baseline:p_value(AP)": {"x": None, "y": None, "z": None},
    }
    got = {key: {tag: cells[key].get("rank") for tag, cells in found.items()} for key in expected}
    assert got == expected


def test_disqualified_run_takes_its_pair_off_the_ranks():
    board = pair_board(OrderBy.RMSE, {"tag": "x"}, {"tag": "y", "rmse": (0.5, 0.5)})
    organizer = Viewer.of(organizer_of(board.campaign, Role.ORGANIZER))
    disqualify_run(organizer, rows(board)[0].pair.advanced, "not their own")
    drain()
    assert ranks(board) == [("y", 1), ("x", None)]
    assert rows(board)[1].reason == "Disqualified: not their own"


def test_all_pairs_of_a_team_are_listed_and_its_best_is_marked():
    task = TaskFactory(same_collection=True, measures=["AP"], primary="AP")
    original, team = original_with(task), TeamFactory(campaign=task.campaign)
    sets = qrels_for(task)
    for tag, rmse in (("a", 0.3), ("b", 0.1), ("c", 0.2)):
        pair_with(original, sets, tag=tag, rmse=(rmse, rmse), team=team)
    drain()
    found = rows(current(task, "pairs"))
    assert [(str(row.pair), row.is_best_of_team) for row in found] == [
        ("b", True),
        ("c", False),
        ("a", False),
    ]


def test_two_originals_of_a_task_have_boards_of_their_own():
    task = TaskFactory(same_collection=True, measures=["AP"], primary="AP")
    first, second = original_with(task, slug="one"), original_with(task, slug="two")
    sets = qrels_for(task)
    pair_with(first, sets, tag="x", rmse=(0.5, 0.5))
    pair_with(second, sets, tag="y", rmse=(0.25, 0.25))
    pair_with(second, sets, tag="z", rmse=(0.125, 0.125))
    drain()
    assert ranks(current(task, "pairs", original=first)) == [("x", 1)]
    assert ranks(current(task, "pairs", original=second)) == [("z", 1), ("y", 2)]
    runs = {str(row.run) for row in rows(current(task, "runs", original=second))}
    assert runs == {"y-baseline", "y-advanced", "z-baseline", "z-advanced"}


def test_pair_without_its_advanced_run_stands_last_with_its_run_values():
    task = TaskFactory(same_collection=True, measures=["AP"], primary="AP")
    original = original_with(task)
    sets = qrels_for(task)
    half = pair_with(original, sets, tag="half", rmse=(0.0, 0.0))
    pair_with(original, sets, tag="far", rmse=(0.9, 0.9))
    half.effects.all().delete()
    half.advanced = None
    half.save()
    drain()
    board = current(task, "pairs")
    assert ranks(board) == [("far", 1), ("half", None)]
    row = rows(board)[1]
    assert row.reason == "the advanced run is missing"
    assert row.cells["baseline:rmse(AP)"] == {"value": 0.0, "rank": 1}
    assert row.cells["advanced:rmse(AP)"]["reason"] == "the advanced run is missing"
    assert row.cells["effect_ratio(AP)"]["reason"] == "the advanced run is missing"
