"""Reranking and pool tasks through the site: what checks refuse, and what boards say."""

from __future__ import annotations

import math

import pytest

from campaigns.models import Board, BoardState, Evaluation, FilePurpose, RunState, TaskKind
from tests.campaigns.factories import TaskFactory, TeamFactory
from tests.campaigns.pipeline import (
    collection_with,
    drain,
    publish,
    qrels_text,
    run_text,
    stored,
    submit,
)

pytestmark = pytest.mark.django_db

POOLED, OWN = "nDCG(ideal='pool')@2", "nDCG(ideal='run')@2"
# Topic 1 has three candidates, topic 2 has one, and all of topic 3's hurt.
POOL = b"1\ta\t2\n1\tb\t-1\n1\tc\t1\n2\td\t0.5\n3\te\t-0.25\n3\tf\t-2\n"
HALF = 1 / math.log2(3)


def task_of(kind, topics, **columns):
    task = TaskFactory(kind=kind, **columns)
    task.collection = collection_with(task.campaign, topics)
    task.save()
    return task


@pytest.fixture
def pool_task():
    task = task_of(TaskKind.POOL, ["1", "2", "3"], measures=[POOLED, OWN], primary=POOLED)
    publish(task.collection, POOL, task)
    return task


@pytest.fixture
def reranking_task():
    task = task_of(TaskKind.RERANKING, ["1", "2"], measures=["AP"], primary="AP")
    row = stored(run_text({"1": ["a", "b", "c"], "2": ["d", "e"]})).row(FilePurpose.INITIAL_RUN)
    row.save(force_insert=True)
    task.initial_run = row
    task.save()
    publish(task.collection, qrels_text({"1": {"a": 0, "b": 1}, "2": {"e": 1}}))
    return task


def handed_in(task, rankings):
    run = submit(task, TeamFactory(campaign=task.campaign), run_text(rankings))
    drain()
    run.refresh_from_db()
    return run


def kinds_of(run):
    return [(one["level"], one["kind"], one["line"], one["topic"]) for one in run.messages]


def mean(run, measure):
    return Evaluation.objects.get(run=run, recipe__name=measure).mean


def test_reranked_run_of_given_documents_is_scored_and_may_leave_some_out(reranking_task):
    run = handed_in(reranking_task, {"1": ["b", "a"], "2": ["d", "e"]})
    assert (run.state, kinds_of(run)) == (RunState.SCORED, [])
    assert mean(run, "AP") == pytest.approx((1 + 1 / 2) / 2)


def test_document_that_the_initial_run_lacks_for_its_topic_is_refused(reranking_task):
    run = handed_in(reranking_task, {"1": ["b", "d"], "2": ["z", "e"]})
    assert run.state == RunState.REJECTED
    assert kinds_of(run) == [
        ("error", "document_not_in_pool", 2, "1"),
        ("error", "document_not_in_pool", 3, "2"),
    ]
    assert "document d of topic 1" in run.messages[0]["text"]


def test_pool_run_needs_as_many_candidates_as_the_measure_looks_at(pool_task):
    run = handed_in(pool_task, {"1": ["a"], "2": ["d"], "3": ["e", "f"]})
    assert run.state == RunState.REJECTED
    assert kinds_of(run) == [("error", "pool_incomplete", None, "1")]
    assert "ranks 1 of its candidates, 2 are needed" in run.messages[0]["text"]


def test_pool_smaller_than_the_cutoff_needs_no_more_than_it_holds(pool_task):
    run = handed_in(pool_task, {"1": ["a", "c"], "2": ["d"], "3": ["e", "f"]})
    assert (run.state, kinds_of(run)) == (RunState.SCORED, [])
    # Topics 1 and 2 are perfect; the ideal of topic 3 is 0, which gives 0.
    assert mean(run, POOLED) == pytest.approx(2 / 3)


def test_foreign_document_does_not_stand_for_a_candidate(pool_task):
    run = handed_in(pool_task, {"1": ["a", "z"], "2": ["d"], "3": ["e", "f"]})
    assert run.state == RunState.REJECTED
    assert kinds_of(run) == [
        ("error", "document_not_in_pool", 2, "1"),
        ("error", "pool_incomplete", None, "1"),
    ]


def test_messages_about_a_pool_tell_no_utility(pool_task):
    run = handed_in(pool_task, {"1": ["z"], "2": ["y"], "3": ["x"]})
    told = str([run.messages, run.organizer_messages])
    assert run.state == RunState.REJECTED
    assert not any(utility in told for utility in ("0.5", "-0.25", "-1", "-2"))


def test_topic_left_out_of_a_pool_run_scores_0(pool_task):
    run = handed_in(pool_task, {"1": ["a", "c"], "3": ["e", "f"]})
    assert run.state == RunState.SCORED
    assert kinds_of(run) == [("warning", "missing_topic", None, "2")]
    assert mean(run, POOLED) == pytest.approx(1 / 3)


def test_negative_utilities_count_0_against_the_pool_and_as_they_are_against_the_run(pool_task):
    run = handed_in(pool_task, {"1": ["b", "a"], "2": ["d"], "3": ["e", "f"]})
    ideal = 2 + HALF
    assert mean(run, POOLED) == pytest.approx((2 * HALF / ideal + 1 + 0) / 3)
    # The list's own best is 2, -1; the ideal of topic 3 is below 0, which gives 0.
    assert mean(run, OWN) == pytest.approx(((-1 + 2 * HALF) / (2 - HALF) + 1 + 0) / 3)


def test_gains_that_are_not_clipped_take_utilities_as_they_are():
    task = task_of(
        TaskKind.POOL, ["1"], measures=[POOLED, OWN], primary=POOLED, gains={"clip": None}
    )
    publish(task.collection, b"1\ta\t2\n1\tb\t-1\n1\tc\t1\n", task)
    run = handed_in(task, {"1": ["b", "a"]})
    assert mean(run, POOLED) == pytest.approx((-1 + 2 * HALF) / (2 + HALF))


def test_board_of_a_pool_ranks_by_the_pools_ideal_and_shows_the_recipe_beside(pool_task):
    short = handed_in(pool_task, {"1": ["c", "b"], "2": ["d"], "3": ["e", "f"]})
    best = handed_in(pool_task, {"1": ["a", "b", "c"], "2": ["d"], "3": ["e", "f"]})
    board = Board.objects.get(task=pool_task, state=BoardState.CURRENT)
    rows = list(board.rows.filter(version=board.version).order_by("position"))
    assert [(row.run, row.rank) for row in rows] == [(best, 1), (short, 2)]
    # Topic 1 of the short run: 1 of 2 + HALF in the pool, and its own list's best is 1, -1.
    assert rows[1].cells[POOLED]["value"] == pytest.approx((1 / (2 + HALF) + 1) / 3)
    assert rows[1].cells[OWN]["value"] == pytest.approx((1 + 1) / 3)
    assert rows[0].cells[OWN]["value"] < rows[1].cells[OWN]["value"]
