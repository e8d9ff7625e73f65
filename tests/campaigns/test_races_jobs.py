"""Jobs under two workers at once, with each protection and without it."""

from __future__ import annotations

import time
import uuid
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.db.models import F
from django.db.models.functions import Now

from campaigns import bell
from campaigns.models import Job, JobKind, JobState, RunEvent, RunState
from campaigns.services import checks, jobs
from campaigns.work import CheckResult
from tests.campaigns.factories import JobFactory, PairFactory, RunFactory
from tests.campaigns.racing import Meeting, defer_transactions, together, without_constraint

pytestmark = pytest.mark.django_db(transaction=True)
with_and_without = pytest.mark.parametrize("is_protected", [True, False])
ACCEPTED = CheckResult("accepted", [], [], "demo", 2, 3)


@pytest.fixture(autouse=True)
def _quiet(monkeypatch):
    monkeypatch.setattr(bell, "ring", lambda *_: True)


def run_out():
    Job.objects.update(lease_until=Now() - timedelta(seconds=1))


def looking_first(meeting):
    """A claim that looks at the row and then writes it."""

    def claim(job_id, claimed_by):
        job = Job.objects.annotate(clock=Now()).get(pk=job_id)
        meeting.wait()
        is_free = job.state == JobState.WAITING or job.lease_until < job.clock
        if not is_free:
            return None
        fence = uuid.uuid4()
        Job.objects.filter(pk=job_id).update(
            state=JobState.RUNNING, claim=fence, claims=F("claims") + 1, lease_until=Now()
        )
        return jobs.Claim(job, fence)

    return claim


def finish_any(held):
    """An end that does not look whose claim it is."""
    Job.objects.filter(pk=held.job.pk).update(state=JobState.DONE, lease_until=None)


@with_and_without
@pytest.mark.parametrize("begins", ["waiting", "lease ran out"])
def test_job_is_given_to_one_of_two_workers(monkeypatch, begins, is_protected):
    """A claim that looks first and acts then gives the job to both."""
    ids = [job.pk for job in JobFactory.create_batch(8)]
    if begins != "waiting":
        for job_id in ids:
            jobs.claim(job_id, "dead")
        run_out()
    meeting = Meeting(is_sure=True)
    if not is_protected:
        monkeypatch.setattr(jobs, "claim", looking_first(meeting))

    def work():
        taken = []
        for job_id in ids:
            if is_protected:
                meeting.wait()
            taken.append(jobs.claim(job_id, "worker") is not None)
        return taken

    one, other = together(work, work)
    given = [a + b for a, b in zip(one.value, other.value, strict=True)]
    assert given == [1 if is_protected else 2] * 8
    if is_protected:
        crashes = 0 if begins == "waiting" else 1
        assert set(Job.objects.values_list("crashes", flat=True)) == {crashes}


@with_and_without
def test_worker_that_was_taken_over_and_its_successor_record_one_result(monkeypatch, is_protected):
    """An end that ignores the claim records the result twice."""
    run = RunFactory(state=RunState.CHECKING)
    job = JobFactory(run=run)
    stale = jobs.claim(job.pk, "a")
    run_out()
    current = jobs.claim(job.pk, "b")
    meeting = Meeting(is_sure=True)
    if not is_protected:
        monkeypatch.setattr(jobs, "finish", finish_any)
    monkeypatch.setattr(checks, "record_check", meeting.before(checks.record_check))
    outcomes = together(
        lambda: checks.record_check(stale, run, ACCEPTED),
        lambda: checks.record_check(current, run, ACCEPTED),
    )
    errors = [outcome.error for outcome in outcomes]
    assert errors == (["StaleClaimError", ""] if is_protected else ["", ""])
    assert RunEvent.objects.filter(kind="accepted").count() == (1 if is_protected else 2)


@with_and_without
def test_job_that_ends_at_the_moment_its_lease_does_is_not_done_again(monkeypatch, is_protected):
    """A take-over that looks first and acts then starts work that is recorded already."""
    job = JobFactory()
    held = jobs.claim(job.pk, "a")
    run_out()
    meeting = Meeting(is_sure=True)
    if not is_protected:
        monkeypatch.setattr(jobs, "claim", looking_first(meeting))

    def record():
        with transaction.atomic():
            jobs.finish(held)
            meeting.wait()
            time.sleep(0.2)  # the other is waiting for this commit by now

    def take_over():
        if is_protected:
            meeting.wait()
        return jobs.claim(job.pk, "b") is not None

    recorded, taken = together(record, take_over)
    assert (recorded.error, taken.value) == ("", not is_protected)
    job.refresh_from_db()
    expected = (JobState.DONE, 1) if is_protected else (JobState.RUNNING, 2)
    assert (job.state, job.claims) == expected


@with_and_without
def test_two_that_ensure_the_same_work_make_one_job(is_protected):
    """Without the constraint there are two jobs for one piece of work."""
    run = RunFactory()
    meeting = Meeting(is_sure=True)

    def ensure():
        with transaction.atomic():
            if connection.vendor == "postgresql":  # on SQLite the other has not begun
                meeting.wait()
            jobs.ensure(JobKind.CHECK, run=run)

    def ensure_both():
        assert [outcome.error for outcome in together(ensure, ensure)] == ["", ""]
        return Job.objects.filter(state=JobState.WAITING).count()

    if is_protected:
        assert ensure_both() == 1
    else:
        with without_constraint(Job, "one_open_job_per_subject"):
            assert ensure_both() == 2


@with_and_without
def test_job_woken_at_the_moment_it_ends_runs_once_more(monkeypatch, is_protected):
    """Waking that looks first and acts then marks a job that is over, and nobody does the work.

    On SQLite that look and the write after it are refused instead, unless transactions begin by
    writing.
    """
    pair = PairFactory()
    jobs.ensure(JobKind.COMPARE, pair=pair)
    job = Job.objects.get()
    held = jobs.claim(job.pk, "a")
    meeting = Meeting(is_sure=True)

    def look_and_wake(kind, *, pair):
        seen = Job.objects.get(pair=pair)
        meeting.wait()
        if seen.state == JobState.RUNNING:
            Job.objects.filter(pk=seen.pk).update(is_woken_again=True)
        else:
            Job.objects.filter(pk=seen.pk).update(state=JobState.WAITING)

    def end():
        with transaction.atomic():
            jobs.finish(held)
            meeting.wait()
            time.sleep(0.2)

    def wake():
        if is_protected:
            meeting.wait()
        with transaction.atomic():
            jobs.wake(JobKind.COMPARE, pair=pair)

    if not is_protected:
        defer_transactions(monkeypatch)
        monkeypatch.setattr(jobs, "wake", look_and_wake)
    ended, woken = together(end, wake)
    job.refresh_from_db()
    assert ended.error == ""
    if is_protected:
        assert (job.state, job.is_woken_again) == (JobState.WAITING, False)
    else:
        assert job.state == JobState.DONE
        assert woken.error == ("OperationalError" if connection.vendor == "sqlite" else "")


def test_job_woken_at_the_moment_it_fails_is_done_by_a_new_one():
    pair = PairFactory()
    jobs.ensure(JobKind.COMPARE, pair=pair)
    held = jobs.claim(Job.objects.get().pk, "a")
    meeting = Meeting(is_sure=True)

    def fail():
        with transaction.atomic():
            jobs.fail(held, "why")
            meeting.wait()
            time.sleep(0.2)

    def wake():
        meeting.wait()
        with transaction.atomic():
            jobs.wake(JobKind.COMPARE, pair=pair)

    assert [outcome.error for outcome in together(fail, wake)] == ["", ""]
    assert sorted(Job.objects.values_list("state", flat=True)) == ["failed", "waiting"]


def test_failed_job_started_again_by_two_organizers_is_one_new_job():
    job = JobFactory()
    jobs.fail(jobs.claim(job.pk, "a"), "why")
    job.refresh_from_db()
    meeting = Meeting(is_sure=True)

    def retry():
        meeting.wait()
        return jobs.retry(job).pk

    one, other = together(retry, retry)
    assert one.value == other.value != job.pk
    assert Job.objects.count() == 2
