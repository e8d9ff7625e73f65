"""A board is ranked at most once a second, and no worker sleeps while scores wait."""

from __future__ import annotations

import time
from datetime import timedelta

import pytest
from django.utils import timezone

from campaigns import bell, tasks
from campaigns.models import Board, Job, JobKind, JobState
from campaigns.services import jobs
from tests.campaigns.factories import (
    BoardColumnFactory,
    BoardFactory,
    PairFactory,
    RunFactory,
    TaskFactory,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def slept(monkeypatch):
    """Seconds that a worker would have slept."""
    seconds = []
    monkeypatch.setattr(time, "sleep", seconds.append)
    monkeypatch.setattr(bell, "ring", lambda *_: True)
    return seconds


@pytest.fixture
def board():
    """Ranked 0.4 seconds ago, and to be ranked again."""
    made = BoardColumnFactory().board
    ranked_ago(made, 0.4)
    jobs.ensure(JobKind.RANK, board=made)
    return made


def ranked_ago(board, seconds):
    Board.objects.filter(pk=board.pk).update(ranked_at=timezone.now() - timedelta(seconds=seconds))


def rank(board):
    """Rank it; its job, and how many new versions there are."""
    job = Job.objects.get(board=board)
    tasks.rank(str(job.pk))
    job.refresh_from_db()
    before = board.version
    board.refresh_from_db()
    return job, board.version - before


def score_waits(task, **columns):
    run = RunFactory(task=task)
    jobs.ensure(JobKind.SCORE, run=run)
    Job.objects.filter(run=run).update(**columns)


def test_ranking_waits_for_the_rest_of_a_second(board, slept):
    job, versions = rank(board)
    assert (job.state, versions) == (JobState.DONE, 1)
    assert 0 < sum(slept) <= 0.6  # less where the machine was busy in between


def test_ranking_of_an_older_board_waits_for_nothing(board, slept):
    ranked_ago(board, 1.1)
    score_waits(board.task)
    assert rank(board)[1] == 1
    assert sum(slept) == 0


@pytest.mark.parametrize("kind", ["score", "compare"])
def test_ranking_is_put_off_while_results_of_its_task_wait(board, slept, kind):
    if kind == "score":
        score_waits(board.task)
    else:
        pair = PairFactory(original__task=board.task)
        jobs.ensure(JobKind.COMPARE, pair=pair)
    ranked_at = Board.objects.get(pk=board.pk).ranked_at
    job, versions = rank(board)
    assert (job.state, job.rung_at, job.crashes, versions, slept) == (
        JobState.WAITING,
        None,
        0,
        0,
        [],
    )
    # A second after the last ranking, however long the machine took until here.
    waited = (job.not_before - ranked_at).total_seconds()
    assert waited == pytest.approx(1.0, abs=0.3)
    jobs.wake(JobKind.RANK, board=board)
    Job.objects.exclude(pk=job.pk).update(state=JobState.DONE)
    assert rank(board)[1] == 1


@pytest.mark.parametrize(
    "columns",
    [
        {"state": JobState.DONE},
        {"state": JobState.DORMANT},
        {"not_before": timezone.now() + timedelta(days=1)},
    ],
    ids=["done", "dormant", "later"],
)
def test_ranking_is_not_put_off_for_work_that_does_not_wait(board, columns):
    score_waits(board.task, **columns)
    assert rank(board)[1] == 1


def test_ranking_is_not_put_off_for_another_task(board):
    score_waits(TaskFactory())
    assert rank(board)[1] == 1


def test_ranking_that_was_woken_meanwhile_is_not_put_off(board):
    """Whoever woke it counts on it and will not come again."""
    score_waits(board.task)
    job = Job.objects.get(board=board)
    held = jobs.claim(job.pk, "a")
    jobs.wake(JobKind.RANK, board=board)
    assert jobs.postpone(held, 0.5) is False
    job.refresh_from_db()
    assert (job.state, job.not_before) == (JobState.RUNNING, None)


def test_board_without_a_task_is_not_put_off():
    board = BoardFactory(task=None, campaign=TaskFactory().campaign, qrels=None)
    from campaigns.services.pace import leave_to_later

    jobs.ensure(JobKind.RANK, board=board)
    jobs.ensure(JobKind.COMPARE, pair=PairFactory())
    held = jobs.claim(Job.objects.get(board=board).pk, "a")
    assert leave_to_later(held, board, 0.5) is False
