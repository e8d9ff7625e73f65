"""Workers that die or are stopped in the middle of scoring: their work is done by others."""

from __future__ import annotations

import os
import signal

import pytest
import redis

from campaigns.bell import ring
from campaigns.models import (
    Board,
    BoardState,
    Evaluation,
    Job,
    JobKind,
    JobState,
    RunEvent,
    RunState,
)
from campaigns.policies import Viewer
from campaigns.services.retries import retry_run
from tests.campaigns.factories import organizer_of
from tests.campaigns.pipeline import drain, publish, qrels_text, run_text, submit
from tests.worker.house import kill_and_wait, pool_of

GOOD = run_text({"101": ["d1", "d2"], "102": ["d3"]}, "good")
BAD = run_text({"101": ["d2", "d1"], "102": ["d3"]}, "bad")


def score_job(run):
    return Job.objects.get(run=run, kind=JobKind.SCORE)


def has_score_job(run):
    return Job.objects.filter(run=run, kind=JobKind.SCORE).exists()


def is_scored(run):
    run.refresh_from_db()
    return run.state == RunState.SCORED


def shown(task):
    board = Board.objects.get(task=task, state=BoardState.CURRENT)
    return {row.run.tag: (row.rank, row.reason) for row in board.rows.filter(version=board.version)}


def recorded_once(run):
    assert Evaluation.objects.get(run=run).mean == 1.0
    assert RunEvent.objects.filter(run=run, kind="scored").count() == 1


@pytest.fixture
def longer_lease(house):
    """Live when the message of a process that was killed is delivered again, after a second."""
    house.variables["LEASE_SECONDS"] = "6"


@pytest.fixture
def held(house, task, team):
    """A run in the middle of scoring: the run, its job, the worker, and the process at it."""
    run = submit(task, team, GOOD)
    house.hold_run(run)
    worker, _ = house.start("worker", "beat")
    house.until(lambda: has_score_job(run))
    job = score_job(run)
    holder = house.holder(job)
    assert holder in pool_of(worker)
    assert (job.claims, job.crashes) == (1, 0)
    return run, job, worker, holder


def test_run_of_a_killed_worker_is_scored_by_another(house, held):
    """Without recovery by beat the run stays in scoring for ever."""
    run, job, worker, _ = held
    kill_and_wait(worker.pid)
    house.release()
    (other,) = house.start("worker")
    house.until(lambda: is_scored(run))
    job.refresh_from_db()
    assert int(job.claimed_by.rpartition("/")[2]) in pool_of(other)
    assert (job.state, job.claims, job.crashes) == (JobState.DONE, 2, 1)
    recorded_once(run)


def test_run_of_a_killed_pool_child_is_scored_by_its_successor(house, longer_lease, held):
    """Without recovery the message delivered again finds a live lease, and the run is stuck."""
    run, job, worker, holder = held
    kill_and_wait(holder)
    house.release()
    house.until(lambda: is_scored(run))
    job.refresh_from_db()
    successor = int(job.claimed_by.rpartition("/")[2])
    assert successor != holder
    assert successor in pool_of(worker)
    assert (job.state, job.claims, job.crashes) == (JobState.DONE, 2, 1)
    recorded_once(run)


@pytest.mark.parametrize(
    "signals", [(signal.SIGTERM, signal.SIGQUIT), (signal.SIGQUIT,)], ids=["warm, cold", "cold"]
)
def test_worker_that_is_stopped_gives_its_work_back_and_no_crash_is_counted(house, held, signals):
    """Without giving back, three deploys during one long job would fail it."""
    run, job, worker, _ = held
    for number in signals:
        worker.send(number)
        assert not worker.wait(0.5) or number == signal.SIGQUIT
    assert worker.wait(60), house.logs()
    job.refresh_from_db()
    assert (job.state, job.lease_until, job.crashes) == (JobState.WAITING, None, 0), house.logs()
    house.release()
    (other,) = house.start("worker")
    house.until(lambda: is_scored(run))
    job.refresh_from_db()
    assert int(job.claimed_by.rpartition("/")[2]) in pool_of(other)
    assert (job.state, job.claims, job.crashes) == (JobState.DONE, 2, 0)
    recorded_once(run)


def test_worker_that_is_asked_to_stop_finishes_what_it_is_at(house, held):
    run, job, worker, holder = held
    worker.send(signal.SIGTERM)
    assert not worker.wait(0.5)
    house.release()
    assert worker.wait(60), house.logs()
    job.refresh_from_db()
    assert is_scored(run)
    assert (job.state, job.claims, job.crashes) == (JobState.DONE, 1, 0)
    assert job.claimed_by.endswith(f"/{holder}")


def test_job_delivered_twice_at_once_is_done_once(house, task, team, broker):
    """Without the claim both deliveries score the run, and its history says so twice."""
    run = submit(task, team, GOOD)
    house.hold_run(run)
    (worker,) = house.start("worker", WORKER_CONCURRENCY="2")
    house.until(lambda: has_score_job(run))
    job = score_job(run)
    holder = house.holder(job)
    assert len(pool_of(worker)) == 2
    assert ring(job.pk, job.kind, job.queue)
    with redis.Redis(unix_socket_path=str(broker.socket)) as client:
        # Delivered and acknowledged by the other process while the first is at it.
        house.until(lambda: client.llen("centreboard:scoring") == 0)
        house.until(lambda: client.hlen("centreboard:unacked") == 1)
    job.refresh_from_db()
    assert (job.state, job.claims, job.claimed_by.endswith(f"/{holder}")) == (
        JobState.RUNNING,
        1,
        True,
    )
    house.release()
    house.until(lambda: is_scored(run))
    job.refresh_from_db()
    assert (job.state, job.claims, job.crashes) == (JobState.DONE, 1, 0)
    recorded_once(run)


def test_job_whose_workers_die_three_times_fails_and_its_board_does_not_wait(house, task, team):
    """Without counting crashes it kills one worker after the other, and new qrels never show."""
    submit(task, team, GOOD)
    bad = submit(task, team, BAD)
    drain()
    first = Board.objects.get(task=task)
    publish(task.collection, qrels_text({"101": {"d1": 1}, "102": {"d4": 1}}))
    job = Job.objects.get(run=bad, state=JobState.WAITING)
    house.hold_run(bad)
    house.start("worker", "beat", LEASE_SECONDS="1")
    holder = 0
    for crashes in range(3):
        holder = house.holder(job, unlike=holder)
        assert (job.claims, job.crashes) == (crashes + 1, crashes)
        os.kill(holder, signal.SIGKILL)
    house.until(lambda: Job.objects.get(pk=job.pk).state == JobState.FAILED)
    job.refresh_from_db()
    assert (job.claims, job.crashes) == (3, 3)
    assert job.reason.startswith("The worker stopped 3 times while working on this.")
    house.until(lambda: Board.objects.get(task=task, state=BoardState.CURRENT) != first)
    assert shown(task) == {"good": (1, ""), "bad": (None, "scoring failed")}

    house.release()
    organizer = Viewer.of(organizer_of(task.campaign))
    assert [new.subject for new in retry_run(organizer, bad)] == [job.subject]
    house.until(lambda: shown(task).get("bad") == (2, ""))
    job.refresh_from_db()
    assert job.state == JobState.FAILED
