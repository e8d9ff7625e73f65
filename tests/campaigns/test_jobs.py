"""The rules of a job's row: claim, renew, finish, fail, stumble, give back, retry, wake."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import F
from django.db.models.functions import Now

from campaigns import bell
from campaigns.models import Job, JobKind, JobState, Queue, Run
from campaigns.services import jobs
from tests.campaigns.factories import JobFactory, PairFactory, RunFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def rung(monkeypatch):
    """The bells that were rung, as job ids; nobody hears them."""
    heard = []

    def ring(job_id, kind, queue):
        heard.append(job_id)
        Job.objects.filter(pk=job_id).update(rung_at=Now())
        return True

    monkeypatch.setattr(bell, "ring", ring)
    monkeypatch.setattr(jobs, "ring", ring)
    return heard


def run_out(job):
    """The lease ended a second ago."""
    Job.objects.filter(pk=job.pk).update(lease_until=Now() - timedelta(seconds=1))


def finish(held):
    with transaction.atomic():
        jobs.finish(held)


def write_and_finish(held):
    with transaction.atomic():
        Run.objects.filter(pk=held.job.run_id).update(tag="stale")
        jobs.finish(held)


def fresh(job):
    return Job.objects.get(pk=job.pk)


def seconds_left(job, column="lease_until"):
    """Seconds from now, by the clock of the database, to a time on the row."""
    row = Job.objects.annotate(clock=Now()).get(pk=job.pk)
    return (getattr(row, column) - row.clock).total_seconds()


def test_claim_takes_a_waiting_job_for_one_lease(settings):
    settings.LEASE_SECONDS = 40
    job = JobFactory()
    held = jobs.claim(job.pk, "host/a/1")
    row = fresh(job)
    assert held.job == row
    assert (row.state, row.claim, row.claimed_by) == (JobState.RUNNING, held.fence, "host/a/1")
    assert (row.claims, row.crashes, row.progress) == (1, 0, None)
    assert seconds_left(job) == pytest.approx(40, abs=1.5)


def test_claim_of_a_held_job_gives_nothing_and_changes_nothing():
    job = JobFactory()
    held = jobs.claim(job.pk, "a")
    before = Job.objects.values().get(pk=job.pk)
    assert jobs.claim(job.pk, "b") is None
    assert Job.objects.values().get(pk=job.pk) == before
    assert held.fence == before["claim"]


@pytest.mark.parametrize(
    "state", [JobState.DORMANT, JobState.DONE, JobState.FAILED, JobState.CANCELLED]
)
def test_claim_of_a_job_that_does_not_wait_gives_nothing(state):
    job = JobFactory(state=state, reason="why")
    assert jobs.claim(job.pk, "a") is None
    assert fresh(job).state == state


def test_claim_of_a_job_that_is_no_more_gives_nothing():
    assert jobs.claim(uuid.uuid4(), "a") is None


@pytest.mark.parametrize(("seconds", "is_due"), [(-1, True), (5, False)])
def test_claim_waits_for_not_before(seconds, is_due):
    job = JobFactory()
    Job.objects.update(not_before=Now() + timedelta(seconds=seconds))
    assert (jobs.claim(job.pk, "a") is not None) is is_due


def test_lease_that_ran_out_is_taken_over_and_counts_a_crash():
    job = JobFactory()
    first = jobs.claim(job.pk, "a")
    run_out(job)
    second = jobs.claim(job.pk, "b")
    row = fresh(job)
    assert second.fence != first.fence
    assert (row.claimed_by, row.claims, row.crashes) == ("b", 2, 1)
    assert seconds_left(job) > 0


@pytest.mark.parametrize("seconds", [-0.05, 0.5])
def test_lease_ends_by_the_clock_of_the_database(seconds, monkeypatch):
    """Also when the clock of this machine is an hour wrong; to the part of a second."""
    from django.utils import timezone

    wrong = timezone.now() + timedelta(hours=1)
    monkeypatch.setattr(timezone, "now", lambda: wrong)
    job = JobFactory()
    jobs.claim(job.pk, "a")
    Job.objects.update(lease_until=Now() + timedelta(seconds=seconds))
    assert (jobs.claim(job.pk, "b") is not None) is (seconds < 0)


def test_third_crash_fails_the_job_with_a_reason(settings):
    settings.MAX_CRASHES = 3
    job = JobFactory()
    for crashes in range(3):
        assert jobs.claim(job.pk, f"worker {crashes}") is not None
        assert fresh(job).crashes == crashes
        run_out(job)
    with pytest.raises(jobs.GivenUpError):
        jobs.claim(job.pk, "worker 3")
    row = fresh(job)
    assert (row.state, row.crashes, row.claims) == (JobState.FAILED, 3, 3)
    assert row.reason == (
        "The worker stopped 3 times while working on this. An organizer can start it again."
    )
    assert jobs.claim(job.pk, "worker 4") is None


def test_renewal_lengthens_the_lease_and_says_how_far_it_is(settings):
    settings.LEASE_SECONDS = 40
    job = JobFactory()
    held = jobs.claim(job.pk, "a")
    run_out(job)
    assert jobs.renew(held, 0.25) is True
    assert seconds_left(job) == pytest.approx(40, abs=1.5)
    assert fresh(job).progress == 0.25


@pytest.mark.parametrize(
    "act",
    [
        jobs.renew,
        lambda held: jobs.fail(held, "no"),
        lambda held: jobs.stumble(held, "no"),
    ],
    ids=["renew", "fail", "stumble"],
)
def test_stale_claim_changes_nothing(act):
    job = JobFactory()
    stale = jobs.claim(job.pk, "a")
    run_out(job)
    jobs.claim(job.pk, "b")
    before = Job.objects.values().get(pk=job.pk)
    assert act(stale) is False
    assert Job.objects.values().get(pk=job.pk) == before


def test_finish_of_a_stale_claim_undoes_what_was_written_with_it():
    job = JobFactory()
    stale = jobs.claim(job.pk, "a")
    run_out(job)
    current = jobs.claim(job.pk, "b")
    with pytest.raises(jobs.StaleClaimError):
        write_and_finish(stale)
    job.run.refresh_from_db()
    assert job.run.tag != "stale"
    assert fresh(job).state == JobState.RUNNING
    finish(current)
    assert fresh(job).state == JobState.DONE
    with pytest.raises(jobs.StaleClaimError):
        finish(current)


@pytest.mark.django_db(transaction=True)
def test_finish_outside_the_transaction_of_the_result_is_a_mistake():
    held = jobs.claim(JobFactory().pk, "a")
    with pytest.raises(RuntimeError, match="inside the transaction"):
        jobs.finish(held)
    assert fresh(held.job).state == JobState.RUNNING


def test_failure_keeps_its_reason_in_500_characters():
    job = JobFactory()
    assert jobs.fail(jobs.claim(job.pk, "a"), "x" * 600) is True
    row = fresh(job)
    assert (row.state, row.reason, row.lease_until) == (JobState.FAILED, "x" * 500, None)
    assert row.finished_at is not None


def test_stumbling_pauses_longer_each_time_and_fails_at_the_third(settings):
    settings.MAX_CRASHES = 3
    job = JobFactory()
    for crashes, pause in ((1, 2), (2, 4)):
        assert jobs.stumble(jobs.claim(job.pk, "a"), "why") is False
        row = fresh(job)
        assert (row.state, row.crashes, row.rung_at) == (JobState.WAITING, crashes, None)
        assert seconds_left(job, "not_before") == pytest.approx(pause, abs=1)
        assert jobs.claim(job.pk, "a") is None
        Job.objects.update(not_before=Now())
    assert jobs.stumble(jobs.claim(job.pk, "a"), "why") is True
    row = fresh(job)
    assert (row.state, row.crashes, row.reason) == (JobState.FAILED, 3, "why")


def test_giving_back_counts_no_crash_and_touches_only_the_own_claims():
    own, other, waiting = JobFactory(), JobFactory(), JobFactory()
    stale = jobs.claim(own.pk, "host_1/aaaa/7")
    jobs.claim(other.pk, "hostX1/aaaa/7")
    Job.objects.filter(pk=own.pk).update(rung_at=Now())
    assert jobs.give_back("host_1/aaaa/") == 1
    row = fresh(own)
    assert (row.state, row.crashes, row.lease_until, row.rung_at) == (
        JobState.WAITING,
        0,
        None,
        None,
    )
    assert fresh(other).state == JobState.RUNNING
    assert fresh(waiting).state == JobState.WAITING
    assert jobs.renew(stale) is False
    assert jobs.claim(own.pk, "b") is not None
    assert fresh(own).crashes == 0


def test_retry_is_a_new_job_and_leaves_the_old_one_as_it_ended(
    rung, django_capture_on_commit_callbacks
):
    job = JobFactory(priority=3, detail={"a": 1})
    jobs.fail(jobs.claim(job.pk, "a"), "why")
    user = UserFactory()
    with django_capture_on_commit_callbacks(execute=True):
        new = jobs.retry(fresh(job), user)
    assert new.pk != job.pk
    assert (new.kind, new.subject, new.run, new.queue, new.priority, new.detail) == (
        job.kind,
        job.subject,
        job.run,
        job.queue,
        3,
        {"a": 1},
    )
    assert (new.state, new.crashes, new.claims, new.requested_by) == (JobState.WAITING, 0, 0, user)
    assert (fresh(job).state, fresh(job).reason) == (JobState.FAILED, "why")
    assert rung == [new.pk]


def test_retry_twice_gives_the_same_new_job_and_of_a_running_one_is_refused():
    job = JobFactory()
    jobs.fail(jobs.claim(job.pk, "a"), "why")
    first = jobs.retry(fresh(job))
    assert jobs.retry(fresh(job)) == first
    assert Job.objects.count() == 2
    with pytest.raises(ValueError, match="failed or cancelled"):
        jobs.retry(first)


def test_one_open_job_per_subject_is_a_constraint_of_the_database():
    job = JobFactory()
    with pytest.raises(IntegrityError), transaction.atomic():
        JobFactory(run=job.run)
    finish(jobs.claim(job.pk, "a"))
    JobFactory(run=job.run)
    assert Job.objects.filter(subject=job.subject).count() == 2


def test_ensure_twice_makes_one_job_on_its_queue(rung, django_capture_on_commit_callbacks):
    run = RunFactory()
    with django_capture_on_commit_callbacks(execute=True):
        assert jobs.ensure(JobKind.CHECK, run=run) == f"run:{run.pk}"
        jobs.ensure(JobKind.CHECK, run=run, priority=9)
    job = Job.objects.get()
    assert (job.kind, job.queue, job.priority, job.run) == ("check", Queue.CHECKING, 5, run)
    assert rung[0] == job.pk
    jobs.ensure(JobKind.RANK, key="all", run=run)
    assert Job.objects.get(subject=f"run:{run.pk}/all").queue == Queue.HOUSEKEEPING


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (JobState.DORMANT, JobState.WAITING),
        (JobState.DONE, JobState.WAITING),
        (JobState.WAITING, JobState.WAITING),
        (JobState.RUNNING, JobState.RUNNING),
    ],
)
def test_waking_a_standing_job(before, after):
    pair = PairFactory()
    jobs.ensure(JobKind.COMPARE, state=JobState.DORMANT, pair=pair)
    Job.objects.update(state=before, claim=uuid.uuid4(), lease_until=Now(), not_before=Now())
    jobs.wake(JobKind.COMPARE, pair=pair)
    job = Job.objects.get()
    assert (job.state, job.is_woken_again) == (after, before == JobState.RUNNING)
    assert job.not_before is None


@pytest.mark.parametrize("before", [None, JobState.FAILED, JobState.CANCELLED])
def test_waking_where_no_job_stands_makes_a_new_one(before):
    pair = PairFactory()
    if before:
        jobs.ensure(JobKind.COMPARE, pair=pair)
        Job.objects.update(state=before, reason="why")
    jobs.wake(JobKind.COMPARE, pair=pair)
    assert Job.objects.get(state=JobState.WAITING).pair == pair
    assert Job.objects.count() == (2 if before else 1)


def test_job_woken_while_it_runs_runs_once_more(rung, django_capture_on_commit_callbacks):
    pair = PairFactory()
    jobs.ensure(JobKind.COMPARE, pair=pair)
    job = Job.objects.get()
    held = jobs.claim(job.pk, "a")
    jobs.wake(JobKind.COMPARE, pair=pair)
    jobs.wake(JobKind.COMPARE, pair=pair)
    with django_capture_on_commit_callbacks(execute=True):
        finish(held)
    assert (fresh(job).state, fresh(job).is_woken_again) == (JobState.WAITING, False)
    assert rung == [job.pk]
    finish(jobs.claim(job.pk, "b"))
    assert (fresh(job).state, fresh(job).claims) == (JobState.DONE, 2)


def test_crashes_of_earlier_work_do_not_count_when_a_standing_job_is_woken():
    """A board is ranked by one row for months: three crashes in all that time are no reason."""
    pair = PairFactory()
    jobs.ensure(JobKind.COMPARE, pair=pair)
    job = Job.objects.get()
    jobs.claim(job.pk, "a")
    run_out(job)
    held = jobs.claim(job.pk, "b")
    jobs.wake(JobKind.COMPARE, pair=pair)
    finish(held)
    assert (fresh(job).state, fresh(job).crashes) == (JobState.WAITING, 0)
    jobs.claim(job.pk, "c")
    run_out(job)
    finish(jobs.claim(job.pk, "d"))
    assert (fresh(job).state, fresh(job).crashes) == (JobState.DONE, 1)
    jobs.wake(JobKind.COMPARE, pair=pair)
    assert (fresh(job).state, fresh(job).crashes) == (JobState.WAITING, 0)


def test_running_job_needs_a_claim_and_a_lease():
    job = JobFactory()
    with pytest.raises(IntegrityError), transaction.atomic():
        Job.objects.filter(pk=job.pk).update(state=JobState.RUNNING)
    with pytest.raises(IntegrityError), transaction.atomic():
        Job.objects.filter(pk=job.pk).update(state=JobState.FAILED)


def test_time_spans_are_counted_alike_by_both_databases():
    """SQLite keeps times as text: a sum of times must sort among the plain ones."""
    job = JobFactory()
    Job.objects.update(rung_at=Now())
    for seconds in (-0.2, 0.2):
        Job.objects.update(not_before=F("rung_at") + timedelta(seconds=seconds))
        is_before = Job.objects.filter(pk=job.pk, not_before__lt=F("rung_at")).exists()
        assert is_before is (seconds < 0), connection.vendor
