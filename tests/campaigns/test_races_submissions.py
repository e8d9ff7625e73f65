"""Two submissions at the same moment: limits, duplicates, repeated requests, pairs."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from campaigns import bell
from campaigns.models import IdempotentAnswer, Job, Pair, Run, RunEvent, StoredFile, TaskKind
from campaigns.services import idempotency, submissions
from campaigns.services.idempotency import Answer, answer_once
from campaigns.services.submissions import Details, submit_pair, submit_run
from tests.campaigns.factories import OriginalFactory, TaskFactory, TeamFactory, UserFactory
from tests.campaigns.pipeline import member_of, stored
from tests.campaigns.racing import (
    FORK,
    Meeting,
    defer_transactions,
    together,
    without_constraint,
)

pytestmark = pytest.mark.django_db(transaction=True)
with_and_without = pytest.mark.parametrize("is_protected", [True, False])
FILES = (b"101 Q0 d1 1 9 one\n", b"101 Q0 d1 1 9 two\n")


@pytest.fixture(autouse=True)
def _quiet(monkeypatch):
    monkeypatch.setattr(bell, "ring", lambda *_: True)


@pytest.fixture
def team():
    return TeamFactory()


@pytest.fixture
def viewers(team):
    """Two members of one team."""
    return member_of(team), member_of(team)


def submit_both(task, team, viewers, files, **more):
    received = [stored(text) for text in files]
    return together(
        *(
            lambda viewer=viewer, one=one: submit_run(viewer, task, team, one, Details(), **more).pk
            for viewer, one in zip(viewers, received, strict=True)
        )
    )


def endings(outcomes):
    """Accepted runs as empty texts, others as what is told to the client."""
    return sorted(outcome.text if outcome.error else "" for outcome in outcomes)


def unlocked(patch):
    """Submissions of a team no longer queue up, on either database."""
    patch.setattr(submissions, "lock_team", lambda team: team)
    defer_transactions(patch)


@with_and_without
@pytest.mark.parametrize(
    ("limit", "refusal"), [("runs_per_team", "runs_per_team"), ("runs_per_day", "per_day")]
)
def test_last_run_of_a_limit_is_given_to_one_of_two(
    team, viewers, monkeypatch, limit, refusal, is_protected
):
    """Without the queue both count before either is stored.

    PostgreSQL then takes both. SQLite refuses the second with an error, where transactions do not
    begin by writing.
    """
    task = TaskFactory(campaign=team.campaign, **{limit: 1})
    meeting = Meeting(is_sure=not is_protected)
    monkeypatch.setattr(submissions, "check_quota", meeting.after(submissions.check_quota))
    if not is_protected:
        unlocked(monkeypatch)
    outcomes = submit_both(task, team, viewers, FILES)
    if is_protected:
        assert endings(outcomes) == ["", refusal]
        assert (Run.objects.count(), Job.objects.count()) == (1, 1)
    elif connection.vendor == "postgresql":
        assert endings(outcomes) == ["", ""]
    else:
        assert endings(outcomes) == ["", "database is locked"]


@pytest.mark.parametrize("protection", ["lock and constraint", "constraint", "none"])
def test_same_file_sent_twice_at_once_is_one_run(team, viewers, monkeypatch, protection):
    """The queue finds the duplicate; the constraint does if the queue is gone; then nobody."""
    task = TaskFactory(campaign=team.campaign)
    is_queue_gone = protection != "lock and constraint" and connection.vendor == "postgresql"
    meeting = Meeting(is_sure=is_queue_gone)
    monkeypatch.setattr(
        submissions, "_refuse_duplicate", meeting.after(submissions._refuse_duplicate)
    )
    files = FILES[:1] * 2
    if protection == "lock and constraint":
        outcomes = submit_both(task, team, viewers, files)
    elif protection == "constraint":
        monkeypatch.setattr(submissions, "lock_team", lambda team: team)
        outcomes = submit_both(task, team, viewers, files)
    else:
        monkeypatch.setattr(submissions, "lock_team", lambda team: team)
        with without_constraint(Run, "no_duplicate_submission", Job, RunEvent):
            outcomes = submit_both(task, team, viewers, files)
    is_missed = protection == "none" and connection.vendor == "postgresql"
    assert endings(outcomes) == ["", "" if is_missed else "duplicate_submission"]


def test_refused_duplicate_leaves_no_row(team, viewers):
    task = TaskFactory(campaign=team.campaign)
    outcomes = submit_both(task, team, viewers, FILES[:1] * 2)
    assert endings(outcomes) == ["", "duplicate_submission"]
    assert (Run.objects.count(), Job.objects.count(), StoredFile.objects.count()) == (1, 1, 1)


def test_pair_counts_as_two_runs_also_against_a_run_sent_at_once(team, viewers):
    task = TaskFactory(campaign=team.campaign, same_collection=True, runs_per_team=2)
    original = OriginalFactory(task=task)
    single, *two = (stored(text) for text in (b"101 Q0 d1 1 9 x\n", *FILES))
    meeting = Meeting(is_sure=True)

    def one():
        meeting.wait()
        submit_run(viewers[0], task, team, single, Details(), original=original, role="baseline")

    def both():
        meeting.wait()
        submit_pair(viewers[1], task, team, *two, Details(), original=original)

    outcomes = together(one, both)
    assert endings(outcomes) == ["", "runs_per_team"]
    assert Run.objects.count() == (1 if outcomes[1].error else 2)
    assert Job.objects.filter(kind="compare").count() == Pair.objects.count() == 1


def test_two_runs_that_complete_one_pair_at_once_stand_in_two_pairs(team, viewers):
    task = TaskFactory(campaign=team.campaign, kind=TaskKind.SAME_COLLECTION, order_by="rmse")
    original = OriginalFactory(task=task)
    baseline = submit_run(
        viewers[0],
        task,
        team,
        stored(b"101 Q0 d1 1 9 base\n"),
        Details(),
        original=original,
        role="baseline",
    )
    outcomes = submit_both(
        task, team, viewers, FILES, original=original, role="advanced", partner=baseline.pk
    )
    assert endings(outcomes) == ["", ""]
    pairs = Pair.objects.all()
    assert {pair.baseline_id for pair in pairs} == {baseline.pk}
    assert {pair.advanced_id for pair in pairs} == {outcome.value for outcome in outcomes}


def test_run_that_arrived_at_the_last_moment_is_taken_though_it_waited(team, viewers):
    """What counts is when the last byte was stored, not when its turn came."""
    task = TaskFactory(campaign=team.campaign)
    received = stored(FILES[0])
    type(task).objects.filter(pk=task.pk).update(closes=timezone.now() + timedelta(milliseconds=1))
    task.refresh_from_db()
    run = submit_run(viewers[0], task, team, received, Details())
    assert run.received_at == received.received_at < task.closes


@with_and_without
def test_request_sent_twice_under_one_key_acts_once(team, viewers, monkeypatch, is_protected):
    """Without the unique key, taken first, both requests act."""
    user = UserFactory()
    meeting = Meeting(is_sure=not is_protected)

    def act():
        Run.objects.filter(pk=None).exists()
        meeting.wait()
        TeamFactory(campaign=team.campaign, slug=f"made-{timezone.now().timestamp()}")
        return Answer(201, {"made": True}, "/x")

    def looking_first(user, key, digest, act):
        kept = IdempotentAnswer.objects.filter(user=user, key=key).first()
        if kept is not None:
            return Answer(kept.status, kept.body, kept.location), False
        answer = act()
        IdempotentAnswer.objects.get_or_create(
            user=user, key=key, defaults={"request_digest": digest, "status": 201, "body": {}}
        )
        return answer, True

    if not is_protected:
        monkeypatch.setattr(idempotency, "answer_once", looking_first)

    def request():
        return idempotency.answer_once(user, "key", "0" * 64, act)

    outcomes = together(request, request)
    answers = [outcome.value[0] for outcome in outcomes]
    assert sorted(outcome.value[1] for outcome in outcomes) == [not is_protected, True]
    assert answers[0] == answers[1] == Answer(201, {"made": True}, "/x")
    made = type(team).objects.filter(slug__startswith="made-").count()
    assert made == (1 if is_protected else 2)


def test_request_refused_while_its_repetition_waits_is_tried_by_that(team):
    """A refused request leaves no trace, so the one that waited for it acts itself."""
    user = UserFactory()
    has_begun, meeting = FORK.Event(), Meeting()

    def refuse():
        has_begun.set()
        meeting.wait()  # the other waits for the key meanwhile
        raise ValueError("refused")

    def first():
        answer_once(user, "key", "0" * 64, refuse)

    def second():
        has_begun.wait(60)
        return answer_once(user, "key", "0" * 64, lambda: Answer(201, {}))[1]

    refused, repeated = together(first, second)
    assert (refused.error, repeated.value) == ("ValueError", True)
