"""Bells: rung after the commit, made good by recovery, never a reason for an error."""

from __future__ import annotations

import base64
import json
from datetime import timedelta

import pytest
import redis
from django.db import transaction
from django.db.models.functions import Now

from campaigns import bell
from campaigns.models import Job, JobKind, JobState
from campaigns.services import jobs
from config.celery import app
from tests.campaigns.factories import JobFactory, RunFactory

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _not_silent(monkeypatch):
    monkeypatch.setattr(bell, "_silent_until", 0.0)


@pytest.fixture
def sent(monkeypatch):
    """What was sent; the broker is well unless ``sent.broken`` is set."""

    class Sent(list):
        broken = False
        tried = 0

    messages = Sent()

    def send_task(name, args, **options):
        messages.tried += 1
        if messages.broken:
            raise OSError("no broker")
        messages.append((name, args[0], options["queue"]))

    monkeypatch.setattr(app, "send_task", send_task)
    return messages


def rung_ago(job, seconds):
    Job.objects.filter(pk=job.pk).update(rung_at=Now() - timedelta(seconds=seconds))


def rings_of(sent):
    return [job for _, job, _ in sent]


@pytest.mark.django_db(transaction=True)
def test_bell_rings_after_the_commit_and_is_noted(sent):
    run = RunFactory()
    with transaction.atomic():
        jobs.ensure(JobKind.CHECK, run=run)
        assert sent == []
    job = Job.objects.get()
    assert sent == [("campaigns.check", str(job.pk), "checking")]
    assert job.rung_at is not None


@pytest.mark.django_db(transaction=True)
def test_bell_of_work_that_was_rolled_back_is_never_heard(sent):
    run = RunFactory()
    with pytest.raises(ZeroDivisionError):
        _ensure_and_break(run)
    assert (sent, Job.objects.count()) == ([], 0)


def _ensure_and_break(run):
    with transaction.atomic():
        jobs.ensure(JobKind.CHECK, run=run)
        raise ZeroDivisionError


@pytest.mark.django_db(transaction=True)
def test_dead_broker_leaves_the_work_saved_and_is_asked_once(sent, monkeypatch):
    """A change with many bells would otherwise wait for a frozen broker as many times."""
    sent.broken = True
    runs = RunFactory.create_batch(3)
    with transaction.atomic():
        for run in runs:
            jobs.ensure(JobKind.CHECK, run=run)
    assert (sent.tried, Job.objects.filter(rung_at=None).count()) == (1, 3)
    sent.broken = False
    monkeypatch.setattr(bell, "_silent_until", 0.0)
    jobs.ensure(JobKind.CHECK, run=RunFactory())
    assert len(sent) == 1
    assert jobs.recover() == 3
    assert len(set(rings_of(sent))) == 4


@pytest.mark.django_db(transaction=True)
def test_bell_reaches_a_real_broker_with_the_id_alone(broker):
    run = RunFactory()
    jobs.ensure(JobKind.CHECK, run=run)
    with redis.Redis(unix_socket_path=str(broker.socket)) as client:
        (message,) = client.lrange("centreboard:checking", 0, -1)
    told = json.loads(message)
    assert told["headers"]["task"] == "campaigns.check"
    arguments, keywords, _ = json.loads(base64.b64decode(told["body"]))
    assert (arguments, keywords) == ([str(Job.objects.get().pk)], {})


@pytest.mark.parametrize(
    ("seconds", "is_rung"), [(None, True), (31, True), (29, False)], ids=["never", "old", "new"]
)
def test_recovery_rings_only_old_bells(sent, settings, seconds, is_rung):
    settings.RECOVERY_SECONDS = 30
    job = JobFactory()
    if seconds is not None:
        rung_ago(job, seconds)
    assert jobs.recover() == int(is_rung)
    assert rings_of(sent) == [str(job.pk)] * is_rung
    assert jobs.recover() == 0


def test_recovery_rings_for_leases_that_ran_out_and_for_no_others(sent):
    dead, alive = JobFactory(), JobFactory()
    for job in (dead, alive):
        jobs.claim(job.pk, "a")
        rung_ago(job, 100)
    Job.objects.filter(pk=dead.pk).update(lease_until=Now() - timedelta(seconds=1))
    assert jobs.recover() == 1
    assert rings_of(sent) == [str(dead.pk)]


@pytest.mark.parametrize("state", [s for s in JobState if s not in ("waiting", "running")])
def test_recovery_leaves_ended_and_dormant_jobs_alone(sent, state):
    JobFactory(state=state, reason="why")
    assert (jobs.recover(), sent) == (0, [])


def test_recovery_waits_for_not_before(sent):
    job = JobFactory()
    Job.objects.update(not_before=Now() + timedelta(seconds=5))
    assert jobs.recover() == 0
    Job.objects.update(not_before=Now())
    assert jobs.recover() == 1
    assert rings_of(sent) == [str(job.pk)]


def test_recovery_begins_with_the_most_urgent_and_keeps_to_its_limit(sent):
    late, urgent, normal = (JobFactory(priority=priority) for priority in (7, 0, 5))
    assert jobs.recover(limit=2) == 2
    assert rings_of(sent) == [str(urgent.pk), str(normal.pk)]
    assert jobs.recover(limit=2) == 1
    assert rings_of(sent)[2:] == [str(late.pk)]


def test_recovery_stops_at_the_first_bell_that_is_not_heard(sent):
    JobFactory.create_batch(3)
    sent.broken = True
    assert (jobs.recover(), sent.tried) == (0, 1)
