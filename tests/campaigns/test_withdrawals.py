"""Runs are withdrawn by their team, disqualified and reinstated by the organizers."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from campaigns.models import AuditEntry, Role, RunEvent
from campaigns.policies import Viewer
from campaigns.services.refusals import RefusalError
from campaigns.services.withdrawals import disqualify_run, reinstate_run, withdraw_run
from tests.campaigns.factories import (
    RunFactory,
    TaskFactory,
    TeamFactory,
    member_of,
    organizer_of,
    original_pair,
)

pytestmark = pytest.mark.django_db

CLOSES = datetime(2026, 5, 31, 23, 59, 59, tzinfo=UTC)


@pytest.fixture
def run():
    return RunFactory(task=TaskFactory(closes=CLOSES))


def at(user, seconds=-60.0):
    """Somebody, so many seconds after the deadline."""
    return Viewer(user, CLOSES + timedelta(seconds=seconds))


def test_team_withdraws_until_the_last_second_of_the_deadline_is_over(run):
    member = member_of(run.team)
    with pytest.raises(RefusalError) as refused:
        withdraw_run(at(member, 1.0), run)
    assert (refused.value.kind, refused.value.status) == ("may_not_withdraw", 403)
    run.refresh_from_db()
    assert run.withdrawn_at is None
    assert withdraw_run(at(member, 0.9), run).withdrawn_at is not None


def test_withdrawing_twice_changes_nothing(run):
    member = member_of(run.team)
    first = withdraw_run(at(member), run).withdrawn_at
    assert withdraw_run(at(member), run).withdrawn_at == first
    assert RunEvent.objects.filter(run=run, kind="withdrawn").count() == 1
    assert AuditEntry.objects.filter(action="withdraw run").count() == 1


@pytest.mark.parametrize("role", [Role.OWNER, Role.ORGANIZER])
def test_organizers_withdraw_at_any_time(run, role):
    organizer = organizer_of(run.task.campaign, role)
    assert withdraw_run(at(organizer, 9999), run).withdrawn_at is not None


def test_others_may_not_withdraw(run):
    others = [
        None,
        member_of(TeamFactory(campaign=run.task.campaign)),
        organizer_of(run.task.campaign, Role.ASSESSOR),
        organizer_of(TaskFactory().campaign),
    ]
    for other in others:
        with pytest.raises(RefusalError):
            withdraw_run(at(other), run)
    run.refresh_from_db()
    assert run.withdrawn_at is None


def test_original_run_stays():
    original = original_pair(TaskFactory(same_collection=True))
    organizer = Viewer.of(organizer_of(original.task.campaign))
    with pytest.raises(RefusalError):
        withdraw_run(organizer, original.runs.first())


def test_disqualification_needs_a_reason_and_an_organizer(run):
    organizer = at(organizer_of(run.task.campaign))
    with pytest.raises(RefusalError) as refused:
        disqualify_run(organizer, run, "  ")
    assert (refused.value.status, refused.value.errors.keys()) == (422, {"reason"})
    for change in (disqualify_run, reinstate_run):
        with pytest.raises(RefusalError) as refused:
            change(at(member_of(run.team)), run, "for fun")
        assert refused.value.status == 403
    run.refresh_from_db()
    assert run.disqualified_at is None


def test_disqualification_and_its_end_are_in_the_runs_history_and_the_audit(run):
    organizer = at(organizer_of(run.task.campaign))
    found = disqualify_run(organizer, run, " trained on the qrels ")
    assert found.disqualified_reason == "trained on the qrels"
    found = reinstate_run(organizer, run, "it was another run")
    assert (found.disqualified_at, found.disqualified_reason) == (None, "")
    assert list(RunEvent.objects.filter(run=run).values_list("kind", flat=True)) == [
        "disqualified",
        "reinstated",
    ]
    assert list(AuditEntry.objects.order_by("pk").values_list("action", "reason")) == [
        ("disqualify run", "trained on the qrels"),
        ("reinstate run", "it was another run"),
    ]
