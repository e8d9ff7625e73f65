"""A run goes in, a score comes out: the whole way, in one process."""

from __future__ import annotations

import struct

import pytest

from campaigns.models import (
    Board,
    BoardState,
    Comparison,
    Effect,
    Evaluation,
    Job,
    JobKind,
    JobState,
    Run,
    RunState,
    TaskKind,
)
from campaigns.services.qrels import start_evaluation
from campaigns.services.withdrawals import withdraw_run
from tests.campaigns.factories import OriginalFactory, TaskFactory, TeamFactory
from tests.campaigns.pipeline import (
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

TOPICS = ["1", "2", "3"]
QRELS = {"1": {"a": 1, "b": 0}, "2": {"c": 2, "d": 1}, "3": {"e": 0}}
# AP: topic 1 1/1, topic 2 (1/1 + 2/2)/2 = 1, topic 3 has none: mean 2/3.
BEST = {"1": ["a", "b"], "2": ["c", "d"], "3": ["e"]}
# AP: topic 1 1/2, topic 2 (1/2 + 0)/2 = 1/4, topic 3 0: mean 1/4.
WORSE = {"1": ["b", "a"], "2": ["x", "c"], "3": ["e"]}


@pytest.fixture
def task():
    task = TaskFactory(measures=["AP", "P@10"], primary="AP")
    task.collection = collection_with(task.campaign, TOPICS)
    task.save()
    return task


def current(task, subject="runs", **more):
    return Board.objects.get(task=task, subject=subject, state=BoardState.CURRENT, **more)


def shown(board):
    rows = board.rows.filter(version=board.version).order_by("position")
    return [(row.rank, str(row.run or row.pair), row.cells) for row in rows]


def test_run_is_scored_and_ranked_when_qrels_are_there(task):
    publish(task.collection, qrels_text(QRELS))
    team = TeamFactory(campaign=task.campaign)
    submit(task, team, run_text(WORSE, "worse"))
    best = submit(task, team, run_text(BEST, "best"))
    drain()
    best.refresh_from_db()
    assert (best.state, best.tag, best.topics, best.documents) == (RunState.SCORED, "best", 3, 5)
    score = Evaluation.objects.get(run=best, recipe__name="AP")
    assert score.mean == pytest.approx(2 / 3, abs=1e-12)
    assert struct.unpack("<3d", bytes(score.topic_values)) == (1.0, 1.0, 0.0)
    assert score.topic_order.topics == TOPICS
    rows = shown(current(task))
    assert [(rank, tag) for rank, tag, _ in rows] == [(1, "best"), (2, "worse")]
    assert rows[0][2]["AP"]["value"] == pytest.approx(2 / 3, abs=1e-12)
    assert rows[1][2]["AP"]["value"] == pytest.approx(0.25, abs=1e-12)


def test_runs_before_the_qrels_wait_as_accepted_and_are_scored_when_they_come(task):
    run = submit(task, TeamFactory(campaign=task.campaign), run_text(BEST))
    assert drain() == ["check"]
    run.refresh_from_db()
    assert run.state == RunState.ACCEPTED
    publish(task.collection, qrels_text(QRELS))
    drain()
    run.refresh_from_db()
    assert run.state == RunState.SCORED


def test_new_qrels_fill_a_second_board_that_switches_once_complete(task):
    first = publish(task.collection, qrels_text(QRELS))
    team = TeamFactory(campaign=task.campaign)
    submit(task, team, run_text(BEST, "best"))
    submit(task, team, run_text(WORSE, "worse"))
    drain()
    second = publish(task.collection, qrels_text(QRELS | {"1": {"a": 0, "b": 1}}))
    score_jobs = Job.objects.filter(kind=JobKind.SCORE, state=JobState.WAITING)
    assert score_jobs.count() == 2
    one, other = score_jobs
    from tests.campaigns.pipeline import DO

    DO["score"](str(one.pk))
    for job in Job.objects.filter(kind=JobKind.RANK, state=JobState.WAITING):
        DO["rank"](str(job.pk))
    board = current(task)
    assert board.qrels == first
    assert [tag for _, tag, _ in shown(board)] == ["best", "worse"]
    DO["score"](str(other.pk))
    drain()
    board = current(task)
    assert board.qrels == second
    # Topic 1 is now AP 1/2 for best and 1 for worse: means 1/2 and 5/12.
    assert [cells["AP"]["value"] for _, _, cells in shown(board)] == pytest.approx([1 / 2, 5 / 12])
    old = Board.objects.get(task=task, qrels=first)
    assert old.state == BoardState.PAST
    assert [cells["AP"]["value"] for _, _, cells in shown(old)] == pytest.approx([2 / 3, 1 / 4])


def test_bad_file_is_rejected_with_its_lines_and_costs_no_quota(task):
    task.runs_per_team = 1
    task.save()
    team = TeamFactory(campaign=task.campaign)
    bad = submit(task, team, b"1 Q0 a 1 9 t\n1 Q0 a 2 8 t\n")
    drain()
    bad.refresh_from_db()
    assert bad.state == RunState.REJECTED
    assert [(m["kind"], m["line"]) for m in bad.messages if m["level"] == "error"] == [
        ("duplicate_document", 2)
    ]
    good = submit(task, team, run_text(BEST))
    drain()
    good.refresh_from_db()
    assert good.state == RunState.ACCEPTED


def test_withdrawn_run_leaves_the_board(task):
    publish(task.collection, qrels_text(QRELS))
    team = TeamFactory(campaign=task.campaign)
    viewer = member_of(team)
    run = submit(task, team, run_text(BEST), viewer)
    drain()
    withdraw_run(viewer, run)
    drain()
    assert shown(current(task)) == []


@pytest.fixture
def same_collection():
    task = TaskFactory(
        kind=TaskKind.SAME_COLLECTION,
        measures=["AP", "P@10"],
        primary="AP",
        topics_averaged="judged_with_relevant",
    )
    task.collection = collection_with(task.campaign, TOPICS)
    task.save()
    return task


def test_pair_is_compared_with_its_original(same_collection):
    task = same_collection
    original = OriginalFactory(task=task, slug="o")
    publish(task.collection, qrels_text(QRELS))
    add_original(original, "baseline", run_text(WORSE, "b"))
    add_original(original, "advanced", run_text(BEST, "a"))
    team = TeamFactory(campaign=task.campaign)
    # b' as b, a' with topic 1 as in b: AP 1/2 and 1.
    half = {"1": ["b", "a", "y"], "2": ["c", "d"], "3": ["e"]}
    pair = submit_two(task, team, original, run_text(WORSE, "b2"), run_text(half, "a2"), family="f")
    drain()
    effect = Effect.objects.get(pair=pair, recipe__name="effect AP")
    # Over topics 1 and 2: b (1/2, 1/4), a (1, 1), a' (1/2, 1): effects 5/8 and 3/8.
    assert effect.original_effect == pytest.approx(5 / 8)
    assert effect.effect_ratio == pytest.approx(3 / 5)
    assert effect.delta_ri == pytest.approx((5 / 8 - 3 / 8) / (3 / 8))
    rmse = Comparison.objects.get(run=pair.advanced, recipe__name="deviation AP")
    assert rmse.value == pytest.approx((0.5**2 / 2) ** 0.5)
    rbo = Comparison.objects.get(run=pair.baseline, recipe__name="rank_biased_overlap")
    assert rbo.value == pytest.approx(1.0)
    board = current(task, "pairs")
    row = board.rows.get(version=board.version)
    assert (row.rank, row.pair) == (1, pair)
    assert row.cells["order"]["value"] == pytest.approx((0 + (0.5**2 / 2) ** 0.5) / 2)
    assert row.cells["baseline:rmse(AP)"]["value"] == 0.0
    runs = current(task, "runs")
    assert runs.rows.filter(version=runs.version).count() == 2


def test_pair_without_its_advanced_run_stands_below_with_what_there_is(same_collection):
    task = same_collection
    original = OriginalFactory(task=task)
    publish(task.collection, qrels_text(QRELS))
    add_original(original, "baseline", run_text(WORSE, "b"))
    add_original(original, "advanced", run_text(BEST, "a"))
    team = TeamFactory(campaign=task.campaign)
    viewer = member_of(team)
    baseline = submit(task, team, run_text(WORSE, "b2"), viewer, original=original, role="baseline")
    drain()
    board = current(task, "pairs")
    row = board.rows.get(version=board.version)
    assert (row.rank, row.reason) == (None, "the advanced run is missing")
    assert row.cells["baseline:rmse(AP)"]["value"] == 0.0
    submit(
        task,
        team,
        run_text(BEST, "a2"),
        viewer,
        original=original,
        role="advanced",
        partner=baseline.pk,
    )
    drain()
    board.refresh_from_db()
    row = board.rows.get(version=board.version)
    assert (row.rank, row.cells["effect_ratio(AP)"]["value"]) == (1, pytest.approx(1.0))


def test_new_collection_pair_is_scored_on_each_sides_own_qrels():
    task = TaskFactory(new_collection=True, measures=["AP"], primary="AP")
    task.collection = collection_with(task.campaign, ["7", "8"])
    task.original_collection = collection_with(task.campaign, TOPICS)
    task.topics_averaged = "judged_with_relevant"
    task.save()
    original = OriginalFactory(task=task)
    add_original(original, "baseline", run_text(WORSE, "b"))
    add_original(original, "advanced", run_text(BEST, "a"))
    team = TeamFactory(campaign=task.campaign)
    baseline = {"7": ["x", "g"], "8": ["y", "h"]}
    advanced = {"7": ["g"], "8": ["h"]}
    pair = submit_two(task, team, original, run_text(baseline), run_text(advanced))
    drain()
    publish(task.collection, qrels_text({"7": {"g": 1}, "8": {"h": 1}}))
    drain()
    assert not Board.objects.exists()
    publish(task.original_collection, qrels_text(QRELS))
    drain()
    effect = Effect.objects.get(pair=pair)
    # Original 5/8, new (1/2 + 1/2)/2 = 1/2.
    assert effect.effect_ratio == pytest.approx(4 / 5)
    assert Run.objects.filter(state=RunState.SCORED).count() == 4
    board = current(task, "pairs")
    row = board.rows.get(version=board.version)
    assert row.rank == 1
    assert "baseline:rank_biased_overlap" not in row.cells


def test_another_measure_fills_a_new_board_beside_the_old_one(task):
    publish(task.collection, qrels_text(QRELS))
    run = submit(task, TeamFactory(campaign=task.campaign), run_text(BEST, "best"))
    drain()
    old = current(task)
    task.measures = ["AP", "RR"]
    task.save()
    start_evaluation(task)
    drain()
    board = current(task)
    assert board.qrels == old.qrels
    assert [column.key for column in board.columns.all()] == ["AP", "RR"]
    assert Evaluation.objects.filter(run=run).count() == 3
    # RR over topics 1, 2, 3: 1, 1, 0.
    assert shown(board)[0][2]["RR"]["value"] == pytest.approx(2 / 3)


def test_pair_whose_original_is_refused_says_so_and_the_board_does_not_wait(same_collection):
    task = same_collection
    original = OriginalFactory(task=task)
    publish(task.collection, qrels_text(QRELS))
    add_original(original, "baseline", b"not a run at all\n")
    add_original(original, "advanced", run_text(BEST, "a"))
    team = TeamFactory(campaign=task.campaign)
    submit_two(task, team, original, run_text(WORSE, "b2"), run_text(BEST, "a2"))
    drain()
    publish(task.collection, qrels_text(QRELS | {"3": {"e": 1}}))
    drain()
    board = current(task, "pairs")
    assert board.qrels.number == 2
    row = board.rows.get(version=board.version)
    assert row.cells["effect_ratio(AP)"] == {
        "value": None,
        "reason": "the original run has no scores",
    }
    assert row.cells["advanced:rmse(AP)"]["value"] == 0.0
