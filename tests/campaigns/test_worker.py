"""What surrounds a job in a worker: errors, refusals, time limits, the heartbeat, the end."""

from __future__ import annotations

import threading
import time
from datetime import timedelta

import pytest
from billiard.exceptions import SoftTimeLimitExceeded
from django.db import OperationalError, connection, transaction
from django.db.models.functions import Now

from campaigns import bell, worker
from campaigns.models import Job, JobState, Run
from campaigns.services import jobs
from tests.campaigns.factories import JobFactory

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _quiet(monkeypatch):
    monkeypatch.setattr(bell, "ring", lambda *_: True)
    monkeypatch.setattr(jobs, "ring", lambda *_: True)


@pytest.fixture
def failed():
    """The jobs whose failure was told."""
    return []


def work(job, do, failed):
    worker.work(str(job.pk), do, failed.append)
    return Job.objects.get(pk=job.pk)


def finish(held):
    with transaction.atomic():
        jobs.finish(held)


def raising(error):
    def do(held):
        raise error

    return do


def test_work_is_done_under_the_name_of_this_worker(failed):
    row = work(JobFactory(), finish, failed)
    assert (row.state, row.claims, failed) == (JobState.DONE, 1, [])
    assert row.claimed_by.startswith(f"{worker.WORKER}/")


def test_same_job_delivered_again_does_nothing(failed):
    job = JobFactory()
    done = []

    def do(held):
        done.append(held)
        worker.work(str(job.pk), done.append, failed.append)  # while the lease is live
        finish(held)

    work(job, do, failed)
    row = work(job, do, failed)
    assert (len(done), row.claims, row.state) == (1, 1, JobState.DONE)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (worker.RefusedError("The file is gone."), "The file is gone."),
        (SoftTimeLimitExceeded(), worker.TOO_LONG),
    ],
    ids=["refused", "time limit"],
)
def test_work_that_cannot_be_done_fails_at_once_with_its_reason(failed, error, reason):
    job = JobFactory()
    row = work(job, raising(error), failed)
    assert (row.state, row.reason, row.crashes) == (JobState.FAILED, reason, 0)
    assert failed == [job]


@pytest.mark.parametrize("error", [MemoryError(), ValueError("secret /path"), OperationalError()])
def test_unexpected_error_is_tried_again_and_fails_at_the_third(failed, error):
    job = JobFactory()
    for crashes in (1, 2):
        row = work(job, raising(error), failed)
        assert (row.state, row.crashes, failed) == (JobState.WAITING, crashes, [])
        Job.objects.update(not_before=None)
    row = work(job, raising(error), failed)
    assert (row.state, row.reason) == (JobState.FAILED, worker.UNEXPECTED)
    assert failed == [job]


def test_result_of_a_stale_claim_is_dropped_without_an_error(failed):
    job = JobFactory()

    def do(held):
        Job.objects.update(lease_until=Now() - timedelta(seconds=1))
        jobs.claim(job.pk, "b")
        finish(held)

    row = work(job, do, failed)
    assert (row.state, row.claimed_by, failed) == (JobState.RUNNING, "b", [])


def test_third_crash_is_told(failed):
    job = JobFactory()
    jobs.claim(job.pk, "a")
    Job.objects.update(lease_until=Now() - timedelta(seconds=1), crashes=2)
    row = work(job, raising(AssertionError), failed)
    assert (row.state, row.crashes, failed) == (JobState.FAILED, 3, [job])


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_third_crash", [False, True])
def test_failure_is_not_kept_when_what_follows_from_it_cannot_be_written(is_third_crash):
    """A worker that dies in between would leave a board waiting for ever."""
    job = JobFactory()
    if is_third_crash:
        jobs.claim(job.pk, "a")
        Job.objects.update(lease_until=Now() - timedelta(seconds=1), crashes=2)

    def after_failure(failed):
        raise OperationalError("lost")

    with pytest.raises(OperationalError):
        worker.work(str(job.pk), raising(worker.RefusedError("no")), after_failure)
    assert Job.objects.get().state == JobState.RUNNING


@pytest.mark.django_db(transaction=True)
def test_database_lost_while_recording_costs_one_more_try(failed):
    job = JobFactory()

    def do(held):
        with transaction.atomic():
            Run.objects.filter(pk=job.run_id).update(tag="half")
            connection.close()
            jobs.finish(held)

    row = work(job, do, failed)
    assert (row.state, row.crashes) == (JobState.WAITING, 1)
    assert Run.objects.get().tag != "half"
    Job.objects.update(not_before=None)
    assert work(job, finish, failed).state == JobState.DONE


@pytest.mark.django_db(transaction=True)
def test_heartbeat_renews_the_lease_while_the_work_goes_on(failed, settings):
    """Without it, work longer than a lease would be taken over while it is being done."""
    settings.LEASE_SECONDS, settings.HEARTBEAT_SECONDS = 1, 0.2
    job = JobFactory()
    taken = []

    def do(held):
        end = time.monotonic() + 1.6
        while time.monotonic() < end:
            taken.append(jobs.claim(job.pk, "b"))
            time.sleep(0.1)
        finish(held)

    row = work(job, do, failed)
    assert set(taken) == {None}
    assert (row.state, row.crashes, row.claims) == (JobState.DONE, 0, 1)
    assert "heartbeat" not in {thread.name for thread in threading.enumerate()}


@pytest.mark.django_db(transaction=True)
def test_heartbeat_stops_when_the_work_was_taken_over(settings):
    settings.HEARTBEAT_SECONDS = 0.05
    job = JobFactory()
    held = jobs.claim(job.pk, "a")
    with worker.Heartbeat(held) as heartbeat:
        Job.objects.update(lease_until=Now() - timedelta(seconds=60))
        current = None
        while current is None:
            Job.objects.update(lease_until=Now() - timedelta(seconds=60))
            current = jobs.claim(job.pk, "b")
        heartbeat._thread.join(5)
        assert not heartbeat._thread.is_alive()
    assert Job.objects.get().claim == current.fence


@pytest.mark.django_db(transaction=True)
def test_heartbeat_goes_on_after_a_beat_that_failed(settings, monkeypatch):
    settings.HEARTBEAT_SECONDS = 0.05
    beats = []

    def renew(held):
        beats.append(held)
        if len(beats) == 1:
            raise OperationalError("database is locked")
        return True

    monkeypatch.setattr(jobs, "renew", renew)
    with worker.Heartbeat(jobs.claim(JobFactory().pk, "a")):
        end = time.monotonic() + 5
        while len(beats) < 3 and time.monotonic() < end:
            time.sleep(0.02)
    assert len(beats) >= 3


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("handler", [worker.recover_at_start, worker.give_back_at_end])
def test_main_process_keeps_no_connection_for_pool_children_to_inherit(handler):
    JobFactory()
    handler()
    assert connection.connection is None


@pytest.mark.django_db(transaction=True)
def test_end_of_a_worker_gives_back_its_claims_alone():
    own, other = JobFactory(), JobFactory()
    jobs.claim(own.pk, f"{worker.WORKER}/12")
    jobs.claim(other.pk, "elsewhere/12")
    worker.give_back_at_end()
    assert Job.objects.get(pk=own.pk).state == JobState.WAITING
    assert Job.objects.get(pk=other.pk).state == JobState.RUNNING
