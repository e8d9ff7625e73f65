"""Two requests with one key at the same moment: one run, one answer."""

import threading

import pytest
from django.db import connection, connections

from campaigns.models import IdempotentAnswer, Run
from campaigns.services import submissions
from tests.campaigns import factories
from tests.campaigns.api.conftest import task_url
from tests.campaigns.api.test_submissions import named

TOGETHER = 4


def at_once(count, act):
    """Call ``act(number)`` in threads that start together; what they return."""
    barrier, results = threading.Barrier(count), [None] * count

    def run(number):
        try:
            barrier.wait(20)
            results[number] = act(number)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=[number]) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return results


@pytest.mark.django_db(transaction=True)
def test_same_key_at_the_same_moment_gives_one_run(client_of, task, member, stored_files):
    clients = [client_of(member) for _ in range(TOGETHER)]
    before = stored_files()

    def post(number):
        return clients[number].post(
            task_url(task, "runs/"),
            {"file": named()},
            format="multipart",
            HTTP_IDEMPOTENCY_KEY="the-same",
        )

    answers = at_once(TOGETHER, post)
    assert [answer.status_code for answer in answers] == [202] * TOGETHER
    assert len({answer.content for answer in answers}) == 1
    assert Run.objects.count() == IdempotentAnswer.objects.count() == 1
    assert stored_files() == before + 1


@pytest.mark.django_db(transaction=True)
def test_second_request_waits_for_the_first(client_of, task, member, monkeypatch):
    if connection.vendor != "postgresql":
        pytest.skip("SQLite takes the whole database for a writer: nothing can come between")
    first_is_in, may_end = threading.Event(), threading.Event()
    create = submissions._create_run

    def slow(*args, **more):
        run = create(*args, **more)
        first_is_in.set()
        assert may_end.wait(20)
        return run

    monkeypatch.setattr(submissions, "_create_run", slow)
    clients = [client_of(member), client_of(member)]
    done = []

    def post(number):
        if number:
            assert first_is_in.wait(20)
            threading.Timer(0.5, may_end.set).start()
        answer = clients[number].post(
            task_url(task, "runs/"),
            {"file": named()},
            format="multipart",
            HTTP_IDEMPOTENCY_KEY="the-same",
        )
        done.append(number)
        return answer

    first, second = at_once(2, post)
    assert (first.status_code, second.status_code) == (202, 202)
    assert first.content == second.content
    assert Run.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_same_file_at_the_same_moment_without_a_key_is_one_run(client_of, task, member):
    clients = [client_of(member) for _ in range(TOGETHER)]

    def post(number):
        return clients[number].post(task_url(task, "runs/"), {"file": named()}, format="multipart")

    statuses = sorted(answer.status_code for answer in at_once(TOGETHER, post))
    assert statuses == [202, 409, 409, 409]
    assert Run.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_quota_holds_at_the_same_moment(client_of, task, member):
    task.runs_per_team = 2
    task.save()
    clients = [client_of(member) for _ in range(TOGETHER)]

    def post(number):
        text = factories.RUN_TEXT.replace(b"demo", b"demo%d" % number)
        return clients[number].post(
            task_url(task, "runs/"), {"file": named(text)}, format="multipart"
        )

    statuses = sorted(answer.status_code for answer in at_once(TOGETHER, post))
    assert statuses == [202, 202, 429, 429]
