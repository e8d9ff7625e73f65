"""New qrels: a second set of boards fills in the background and takes over once."""

from __future__ import annotations

import pytest

from campaigns.models import Board, BoardState, Effect, Job, JobKind, JobState, Run, RunState
from campaigns.services import shown_boards
from campaigns.services.uploads import runs_storage
from campaigns.services.withdrawals import withdraw_run
from tests.campaigns.factories import OriginalFactory, TaskFactory, TeamFactory
from tests.campaigns.given_numbers import current, rows
from tests.campaigns.pipeline import (
    DO,
    add_original,
    collection_with,
    drain,
    member_of,
    publish,
    qrels_text,
    run_text,
    submit,
    submit_two,
)

pytestmark = pytest.mark.django_db

TOPICS = ["1", "2"]
V1 = {"1": {"a": 1, "b": 0}, "2": {"c": 1, "d": 0}}
# Under v1 AP 1 and 1, under v2 1/2 and 1.
V2 = {"1": {"a": 0, "b": 1}, "2": {"c": 1, "d": 0}}
BEST = {"1": ["a", "b"], "2": ["c", "d"]}
# Under v1 AP 1/2 and 1/2, under v2 1 and 1/2.
WORSE = {"1": ["b", "a"], "2": ["d", "c"]}


@pytest.fixture
def task():
    task = TaskFactory(measures=["AP"], primary="AP")
    task.collection = collection_with(task.campaign, TOPICS)
    task.save()
    return task


def hand_in(task, ranking, tag):
    return submit(task, TeamFactory(campaign=task.campaign), run_text(ranking, tag))


def waiting(kind):
    return list(Job.objects.filter(kind=kind, state=JobState.WAITING).order_by("created_at"))


def do(kind, most=None):
    """Do jobs of one kind that wait now."""
    for job in waiting(kind)[:most]:
        DO[kind](str(job.pk))


def shown(board):
    return {str(row.run or row.pair): row.cells["AP"]["value"] for row in rows(board)}


def test_qrels_published_during_scoring_are_the_ones_that_stay(task):
    runs = [hand_in(task, BEST, "best"), hand_in(task, WORSE, "worse")]
    drain()
    first = publish(task.collection, qrels_text(V1))
    do(JobKind.SCORE, most=1)
    second = publish(task.collection, qrels_text(V2))
    do(JobKind.RANK)
    board = current(task)
    assert (board.qrels, len(waiting(JobKind.SCORE))) == (first, 3)
    assert shown_boards.board_facts(board)["is_being_rescored"]
    drain()
    board = current(task)
    assert board.qrels == second
    assert shown(board) == {"best": 0.75, "worse": 0.75}
    old = Board.objects.get(task=task, qrels=first)
    assert (old.state, shown(old)) == (BoardState.PAST, {"best": 1.0, "worse": 0.5})
    assert {run.evaluations.count() for run in runs} == {2}


def test_run_checked_while_a_board_fills_is_scored_under_both_versions(task):
    publish(task.collection, qrels_text(V1))
    hand_in(task, BEST, "best")
    drain()
    second = publish(task.collection, qrels_text(V2))
    late = hand_in(task, WORSE, "late")
    do(JobKind.CHECK)
    assert Job.objects.filter(run=late, kind=JobKind.SCORE).count() == 2
    drain()
    board = current(task)
    assert (board.qrels, shown(board)) == (second, {"best": 0.75, "late": 0.75})
    assert sorted(late.evaluations.values_list("mean", flat=True)) == [0.5, 0.75]


def test_set_put_aside_while_it_filled_is_never_shown(task):
    first = publish(task.collection, qrels_text(V1))
    hand_in(task, BEST, "best")
    drain()
    second = publish(task.collection, qrels_text(V2))
    third = publish(task.collection, qrels_text(V2 | {"2": {"c": 0, "d": 1}}))
    assert Board.objects.get(task=task, qrels=second).state == BoardState.PAST
    assert current(task).qrels == first
    drain()
    board = current(task)
    assert (board.qrels, shown(board)) == (third, {"best": 0.5})
    assert shown_boards.find_board(task) == board
    assert shown_boards.find_board(task, qrels=1).qrels == first
    assert shown_boards.find_board(task, qrels=2) is None


def test_failed_scoring_does_not_hold_up_the_switch(task):
    publish(task.collection, qrels_text(V1))
    hand_in(task, BEST, "best")
    lost = hand_in(task, WORSE, "lost")
    drain()
    second = publish(task.collection, qrels_text(V2))
    runs_storage().delete(lost.file.key)
    drain()
    board = current(task)
    assert board.qrels == second
    assert shown(board) == {"best": 0.75, "lost": None}
    last = rows(board)[1]
    assert (last.rank, last.reason) == (None, "scoring failed")
    assert Job.objects.get(run=lost, qrels=second).state == JobState.FAILED


def test_run_withdrawn_while_a_board_fills_does_not_hold_it_up(task):
    publish(task.collection, qrels_text(V1))
    team = TeamFactory(campaign=task.campaign)
    viewer = member_of(team)
    hand_in(task, BEST, "best")
    gone = submit(task, team, run_text(WORSE, "gone"), viewer)
    drain()
    second = publish(task.collection, qrels_text(V2))
    withdraw_run(viewer, gone)
    for job in waiting(JobKind.SCORE):
        if job.run_id != gone.pk:
            DO[JobKind.SCORE](str(job.pk))
    do(JobKind.RANK)
    board = current(task)
    assert (board.qrels, shown(board)) == (second, {"best": 0.75})


def test_withdrawn_run_is_left_out_of_past_boards_and_before_the_next_ranking(task):
    publish(task.collection, qrels_text(V1))
    team = TeamFactory(campaign=task.campaign)
    viewer = member_of(team)
    hand_in(task, BEST, "best")
    gone = submit(task, team, run_text(WORSE, "gone"), viewer)
    drain()
    publish(task.collection, qrels_text(V2))
    drain()
    withdraw_run(viewer, gone)
    for board in Board.objects.filter(task=task):
        assert [str(row.run) for row in shown_boards.rows_of(board)] == ["best"]


def pair_task(**columns):
    task = TaskFactory(
        measures=["AP"], primary="AP", topics_averaged="judged_with_relevant", **columns
    )
    task.collection = collection_with(task.campaign, TOPICS)
    task.save()
    return task


def with_pair(task):
    """An original (WORSE, BEST) and a pair that does the same in topic 1 alone."""
    original = OriginalFactory(task=task)
    add_original(original, "baseline", run_text(WORSE, "b"))
    add_original(original, "advanced", run_text(BEST, "a"))
    half = {"1": ["a", "b"], "2": ["d", "c"]}
    return submit_two(
        task,
        TeamFactory(campaign=task.campaign),
        original,
        run_text(WORSE, "b2"),
        run_text(half, "a2"),
    )


def test_pair_boards_switch_to_new_qrels_once():
    task = pair_task(same_collection=True)
    first = publish(task.collection, qrels_text(V1))
    pair = with_pair(task)
    drain()
    # v1: effects (1/2, 1/2) and (1/2, 0): ER 1/2.
    assert rows(current(task, "pairs"))[0].cells["effect_ratio(AP)"]["value"] == 0.5
    second = publish(task.collection, qrels_text(V2))
    do(JobKind.SCORE, most=3)
    do(JobKind.COMPARE)
    do(JobKind.RANK)
    assert {current(task, subject).qrels for subject in ("pairs", "runs")} == {first}
    drain()
    board = current(task, "pairs")
    assert (board.qrels, current(task, "runs").qrels) == (second, second)
    # v2: original (1, 1/2) and (1/2, 1): mean effect 0, so ER has no value. RMSE of b' 0, and
    # of a' (1/2, 1/2) against (1/2, 1): sqrt(1/8).
    [row] = rows(board)
    assert row.cells["effect_ratio(AP)"]["value"] is None
    assert row.cells["effect_ratio(AP)"]["reason"]
    assert row.rank == 1
    assert row.cells["order"]["value"] == pytest.approx((0 + (1 / 8) ** 0.5) / 2)
    old = Board.objects.get(task=task, subject="pairs", qrels=first)
    assert (old.state, rows(old)[0].cells["effect_ratio(AP)"]["value"]) == (BoardState.PAST, 0.5)
    assert Effect.objects.filter(pair=pair).count() == 2


def test_new_qrels_of_the_original_alone_switch_the_pairs_of_a_new_collection():
    task = pair_task(new_collection=True)
    task.original_collection = collection_with(task.campaign, TOPICS)
    task.save()
    own = publish(task.collection, qrels_text(V1))
    first = publish(task.original_collection, qrels_text(V1))
    pair = with_pair(task)
    drain()
    board = current(task, "pairs")
    assert (board.qrels, board.original_qrels) == (own, first)
    assert rows(board)[0].cells["effect_ratio(AP)"]["value"] == 0.5
    # Topic 1 alone is judged now: the original's effect is 1/2 there, that of the pair stays 1/4.
    second = publish(task.original_collection, qrels_text({"1": V1["1"]}))
    submitted = Run.objects.filter(task=task, origin="submitted")
    assert not Job.objects.filter(run__in=submitted, qrels=second).exists()
    assert current(task, "pairs").original_qrels == first
    drain()
    board = current(task, "pairs")
    assert (board.qrels, board.original_qrels) == (own, second)
    effect = Effect.objects.get(pair=pair, original_qrels=second)
    assert (effect.original_effect, effect.submitted_effect) == (0.5, 0.25)
    assert rows(board)[0].cells["effect_ratio(AP)"]["value"] == 0.5
    assert Run.objects.filter(task=task, state=RunState.SCORED).count() == 4


def test_topic_that_the_run_lacks_counts_zero_for_rbo_and_leaves_tau_without_a_rank():
    task = pair_task(same_collection=True)
    publish(task.collection, qrels_text(V1))
    original = OriginalFactory(task=task)
    add_original(original, "baseline", run_text(WORSE, "b"))
    add_original(original, "advanced", run_text(BEST, "a"))
    for tag, baseline in (("whole", WORSE), ("part", {"1": WORSE["1"]})):
        team = TeamFactory(campaign=task.campaign)
        advanced = run_text(BEST, f"{tag}-a")
        submit_two(task, team, original, run_text(baseline, f"{tag}-b"), advanced)
    drain()
    cells = {str(row.pair): row.cells for row in rows(current(task, "pairs"))}
    whole, part = cells["whole-b / whole-a"], cells["part-b / part-a"]
    assert whole["baseline:rank_biased_overlap"] == {"value": pytest.approx(1.0), "rank": 1}
    assert part["baseline:rank_biased_overlap"] == {"value": pytest.approx(0.5), "rank": 2}
    tau = "baseline:kendall_tau_union_tied_below"
    assert whole[tau] == {"value": pytest.approx(1.0), "rank": 1}
    assert part[tau] == {"value": None, "reason": "the submitted run lacks topics of the task"}
    # A topic left out scores 0: AP (1/2, 0) against (1/2, 1/2).
    assert part["baseline:rmse(AP)"]["value"] == pytest.approx((1 / 8) ** 0.5)
