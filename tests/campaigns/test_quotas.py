"""Limits of a team in a task: what counts, what does not, and when they ease."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from campaigns.services.quotas import check_quota, quota_of
from campaigns.services.refusals import RefusalError
from tests.campaigns.factories import RunFactory, TaskFactory, TeamFactory

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 5, 2, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.fixture
def task():
    return TaskFactory(runs_per_team=4, runs_per_day=3, refused_per_day=2, attempts=None)


@pytest.fixture
def team(task):
    return TeamFactory(campaign=task.campaign)


def hand_in(task, team, hours_ago=1.0, **columns):
    return RunFactory(task=task, team=team, received_at=NOW - hours_ago * HOUR, **columns)


def left(task, team):
    quota = quota_of(task, team, NOW)
    return (quota.runs_left, quota.today_left, quota.refused_left, quota.attempts_left, quota.left)


def refusal(task, team, runs=1):
    with pytest.raises(RefusalError) as refused:
        check_quota(task, team, NOW, runs)
    assert refused.value.status == 429
    return refused.value


def test_nothing_used_leaves_the_limits(task, team):
    assert left(task, team) == (4, 3, 2, None, 3)
    assert quota_of(task, team, NOW).next_at is None
    check_quota(task, team, NOW, runs=3)


def test_task_without_limits_takes_any_number(team):
    task = TaskFactory(
        campaign=team.campaign, runs_per_team=None, runs_per_day=None, refused_per_day=None
    )
    hand_in(task, team)
    assert left(task, team) == (None, None, None, None, None)
    check_quota(task, team, NOW, runs=1000)


def test_runs_of_other_teams_and_tasks_and_deleted_ones_do_not_count(task, team):
    hand_in(task, TeamFactory(campaign=task.campaign))
    hand_in(TaskFactory(campaign=task.campaign), team)
    hand_in(task, team, deleted_at=NOW)
    assert left(task, team) == (4, 3, 2, None, 3)


@pytest.mark.parametrize("state", ["checking", "accepted", "scored"])
def test_run_counts_from_its_receipt_on(task, team, state):
    hand_in(task, team, state=state)
    assert left(task, team) == (3, 2, 2, None, 2)


def test_withdrawn_and_disqualified_runs_still_count(task, team):
    hand_in(task, team, withdrawn_at=NOW)
    hand_in(task, team, disqualified_at=NOW, disqualified_reason="not their own")
    assert left(task, team) == (2, 1, 2, None, 1)


def test_refused_run_costs_no_run_but_one_of_the_refused(task, team):
    hand_in(task, team, 24, state="rejected")
    hand_in(task, team, state="rejected")
    assert left(task, team) == (4, 3, 1, None, 3)
    hand_in(task, team, state="rejected")
    assert left(task, team) == (4, 3, 0, None, 0)
    refused = refusal(task, team)
    assert refused.kind == "refused_per_day"
    assert "2 files of your team were refused in 24 hours" in refused.text
    assert "Next possible at 2026-05-03 11:00:00 UTC" in refused.text


def test_runs_in_all_never_ease(task, team):
    for days in (9, 8, 7, 6):
        hand_in(task, team, 24 * days)
    assert left(task, team) == (0, 3, 2, None, 0)
    refused = refusal(task, team)
    assert (refused.kind, refused.text) == (
        "runs_per_team",
        "Your team may hand in 4 runs to this task.",
    )


def test_day_is_the_last_24_hours_to_the_second(task, team):
    hand_in(task, team, 24)
    hand_in(task, team, 23)
    assert quota_of(task, team, NOW).today_left == 2
    assert quota_of(task, team, NOW - timedelta(seconds=1)).today_left == 1


def test_day_limit_says_when_it_eases(task, team):
    for hours in (20, 5, 1):
        hand_in(task, team, hours)
    quota = quota_of(task, team, NOW)
    assert (quota.today_left, quota.next_at) == (0, NOW + 4 * HOUR)
    refused = refusal(task, team)
    assert refused.kind == "per_day"
    assert "Next possible at 2026-05-02 16:00:00 UTC." in refused.text
    check_quota(task, team, quota.next_at, runs=1)


def test_two_limits_of_a_day_ease_when_both_do(task, team):
    for hours in (20, 5, 1):
        hand_in(task, team, hours)
    for hours in (10, 2):
        hand_in(task, team, hours, state="rejected")
    assert quota_of(task, team, NOW).next_at == NOW + 14 * HOUR


def test_attempts_count_refused_files_too(task, team):
    task.attempts, task.refused_per_day = 2, None
    hand_in(task, team, state="rejected")
    assert left(task, team) == (4, 3, None, 1, 1)
    hand_in(task, team)
    refused = refusal(task, team)
    assert (refused.kind, refused.text) == (
        "attempts",
        "Your team may upload 2 files to this task, refused ones included.",
    )


def test_pair_needs_room_for_both_runs(task, team):
    for hours in (100, 90, 80):
        hand_in(task, team, hours)
    check_quota(task, team, NOW, runs=1)
    assert refusal(task, team, runs=2).kind == "runs_per_team"


def test_limit_lowered_below_what_is_used_leaves_nothing(task, team):
    for hours in (100, 90):
        hand_in(task, team, hours)
    task.runs_per_team = 1
    assert left(task, team) == (0, 3, 2, None, 0)
    assert refusal(task, team).kind == "runs_per_team"


def test_limit_of_zero_takes_nothing(task, team):
    task.runs_per_day = 0
    assert refusal(task, team).kind == "per_day"
    assert quota_of(task, team, NOW).next_at is None
