"""The broker dies with all it held, or freezes: no run is lost, and no answer waits for it."""

from __future__ import annotations

import os
import shutil
import signal
import time

import pytest
import redis

from campaigns.models import Evaluation, Job, JobKind, JobState, Pair, Run, RunState, TaskKind
from tests.campaigns.factories import MembershipFactory, OriginalFactory, token_for
from tests.campaigns.pipeline import run_text, submit
from tests.worker.house import multipart

LONGEST_ANSWER = 7.0


def text(tag):
    return run_text({"101": ["d1", "d2"], "102": ["d3"]}, tag)


def test_runs_are_scored_though_the_broker_was_killed_and_its_folder_emptied(
    house, task, team, broker
):
    """Without recovery the runs whose messages were lost are never scored."""
    held = submit(task, team, text("held"))
    house.hold_run(held)
    house.start("worker", "beat")
    scoring = Job.objects.filter(run=held, kind=JobKind.SCORE)
    house.until(scoring.exists)
    house.holder(scoring.get())
    waiting = [submit(task, team, text(f"waiting{n}")) for n in range(3)]
    with redis.Redis(unix_socket_path=str(broker.socket)) as client:
        assert client.llen("centreboard:checking") >= 2  # one more may be prefetched
    os.kill(broker.child.pid, signal.SIGKILL)
    broker.child.wait(5)
    shutil.rmtree(broker.data)
    late = submit(task, team, text("late"))
    assert Job.objects.get(run=late).rung_at is None
    broker.start()
    house.release()
    runs = [held, *waiting, late]
    house.until(lambda: Run.objects.filter(state=RunState.SCORED).count() == len(runs))
    assert Evaluation.objects.count() == len(runs)
    jobs = Job.objects.filter(kind__in=[JobKind.CHECK, JobKind.SCORE])
    assert set(jobs.values_list("state", "claims", "crashes")) == {(JobState.DONE, 1, 0)}


@pytest.fixture
def web(house, team):
    """The house with its web process, and the headers of a member of the team."""
    house.start("web")
    user = MembershipFactory(team=team).user
    house.wait_for_web()
    return house, {"Authorization": f"Bearer {token_for(user)}"}


def post(web, task, what, files, **fields):
    """Status, and the seconds it took."""
    house, headers = web
    body, kind = multipart(fields, files)
    begun = time.monotonic()
    status, answer = house.request(
        "POST",
        f"/api/v1/campaigns/{task.campaign.slug}/tasks/{task.slug}/{what}/",
        body,
        Content_Type=kind,
        **headers,
    )
    assert status == 202, (answer, house.logs())
    return time.monotonic() - begun


def test_upload_at_a_frozen_broker_is_answered_and_scored_later(web, task, team, broker):
    """Without short time-outs the answer comes after the broker does, or never."""
    house, _ = web
    task.kind, task.order_by = TaskKind.SAME_COLLECTION, "rmse"
    task.save()
    OriginalFactory(task=task, slug="o")
    post(web, task, "runs", {"file": text("before")}, original="o", role="baseline")
    broker.child.send(signal.SIGSTOP)
    seconds = [
        post(web, task, "runs", {"file": text("frozen")}, original="o", role="baseline"),
        post(
            web,
            task,
            "pairs",
            {"baseline": text("b"), "advanced": text("a")},
            original="o",
        ),
    ]
    assert max(seconds) < LONGEST_ANSWER
    jobs = Job.objects.filter(kind=JobKind.CHECK, state=JobState.WAITING)
    assert (jobs.count(), jobs.filter(rung_at=None).count()) == (4, 3)
    broker.child.send(signal.SIGCONT)
    house.start("worker", "beat")
    house.until(lambda: Run.objects.filter(state=RunState.SCORED).count() == 4)
    assert Pair.objects.count() == 3
