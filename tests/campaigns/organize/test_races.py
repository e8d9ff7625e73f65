"""Two organizers at the same moment, each with a connection of its own."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from campaigns import bell
from campaigns.models import AuditEntry, CampaignRole, Job, JobKind, Qrels, Role, RunState, Task
from campaigns.policies import Viewer
from campaigns.services.organizing import campaigns, publishing, tasks, uploads
from campaigns.services.organizing.edits import stamp
from campaigns.services.organizing.task_settings import PLAN
from tests.campaigns import factories as make
from tests.campaigns.pipeline import collection_with, drain, qrels_text, stored
from tests.campaigns.racing import Meeting, together

pytestmark = pytest.mark.django_db(transaction=True)

MOMENTS = [datetime(2029, 1, day, tzinfo=UTC) for day in (1, 2)]


@pytest.fixture(autouse=True)
def _quiet(monkeypatch):
    monkeypatch.setattr(bell, "ring", lambda *_: True)


def _plans(task, viewers, monkeypatch):
    """Both have opened the form; both send it now."""
    meeting = Meeting()
    monkeypatch.setattr(tasks, "apply", meeting.before(tasks.apply))
    seen = stamp(task, PLAN)
    columns = {name: getattr(task, name) for name in PLAN}
    return [
        lambda viewer=viewer, moment=moment: (
            tasks.change_plan(
                viewer, Task.objects.get(pk=task.pk), columns | {"closes": moment}, seen
            ).pk
        )
        for viewer, moment in zip(viewers, MOMENTS, strict=True)
    ]


@pytest.fixture
def task():
    return make.TaskFactory(closes=None)


@pytest.fixture
def viewers(task):
    return [Viewer.of(make.organizer_of(task.campaign)) for _ in range(2)]


def test_of_two_changes_at_once_the_second_is_told(task, viewers, monkeypatch):
    outcomes = together(*_plans(task, viewers, monkeypatch))
    assert sorted(one.text for one in outcomes) == ["", "changed_meanwhile"]
    task.refresh_from_db()
    winner = [one.text for one in outcomes].index("")
    assert task.closes == MOMENTS[winner]
    assert AuditEntry.objects.count() == 1


def test_without_the_fingerprint_the_last_change_would_win_silently(task, viewers, monkeypatch):
    monkeypatch.setattr(tasks, "refuse_if_changed", lambda *_: None)
    outcomes = together(*_plans(task, viewers, monkeypatch))
    assert [one.error for one in outcomes] == ["", ""]
    assert AuditEntry.objects.count() == 2


def test_draft_is_published_once(task, viewers):
    collection = collection_with(task.campaign, ["1"])
    Task.objects.filter(pk=task.pk).update(collection=collection)
    run = make.RunFactory(task=task, state=RunState.ACCEPTED)
    purpose = uploads.FilePurpose.QRELS
    received = stored(qrels_text({"1": {"a": 1}}), "q.txt")
    uploads.take_upload(viewers[0], collection, purpose, received)
    drain()
    draft = Qrels.objects.get()

    def publish(viewer):
        return lambda: publishing.publish_draft(viewer, Qrels.objects.get(pk=draft.pk)).number

    outcomes = together(*map(publish, viewers))
    assert sorted(one.text for one in outcomes) == ["", "published"]
    assert Job.objects.filter(kind=JobKind.SCORE, run=run).count() == 1
    assert AuditEntry.objects.filter(action="publish qrels").count() == 1


def _leaving(campaign):
    owners = [make.organizer_of(campaign, Role.OWNER) for _ in range(2)]

    def leave(user):
        def act():
            row = CampaignRole.objects.select_related("campaign", "user").get(user=user)
            return campaigns.take_role(Viewer.of(user), row)

        return act

    return map(leave, owners)


def test_two_owners_who_leave_at_once_leave_one_behind(task, monkeypatch):
    meeting = Meeting()
    monkeypatch.setattr(
        campaigns, "_refuse_without_owner", meeting.after(campaigns._refuse_without_owner)
    )
    outcomes = together(*_leaving(task.campaign))
    assert sorted(one.text for one in outcomes) == ["", "last_owner"]
    assert CampaignRole.objects.filter(role=Role.OWNER).count() == 1
