"""Rate limits, waiting, query counts, errors outside the views."""

import threading
import time
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from campaigns import middleware
from campaigns.api import campaigns, throttles, waiting
from campaigns.models import Run, RunState
from config.cache import ForgivingCache
from tests.campaigns import factories
from tests.campaigns.api import world as worlds
from tests.campaigns.api.conftest import task_url

pytestmark = pytest.mark.django_db


class Counting(dict):
    """A cache that counts, in memory."""

    def add(self, key, value, **_more):
        self.setdefault(key, value)

    def incr(self, key):
        self[key] += 1
        return self[key]


@pytest.fixture
def counted(monkeypatch):
    """A cache that counts, and a clock that stands still half a minute before the next minute."""
    monkeypatch.setattr(throttles, "cache", Counting())
    monkeypatch.setattr(throttles.time, "time", lambda: 1_800_000_030.5)


def test_rate_of_a_person_is_limited(client_of, counted, monkeypatch):
    monkeypatch.setattr(throttles.UserThrottle, "per_minute", 2)
    client = client_of(factories.UserFactory())
    assert [client.get("/api/v1/me/").status_code for _ in range(2)] == [200, 200]
    answer = client.get("/api/v1/me/")
    assert answer.status_code == 429
    assert answer["Content-Type"] == "application/problem+json"
    assert answer["Retry-After"] == "30"
    assert client_of(factories.UserFactory()).get("/api/v1/me/").status_code == 200


def test_rate_of_a_visitor_is_limited_by_address(client_of, counted, monkeypatch):
    monkeypatch.setattr(throttles.VisitorThrottle, "per_minute", 1)
    get = client_of().get
    assert get("/api/v1/campaigns/").status_code == 200
    spoofed = {"HTTP_X_FORWARDED_FOR": "10.9.9.9"}
    assert get("/api/v1/campaigns/", **spoofed).status_code == 429
    assert get("/api/v1/campaigns/", REMOTE_ADDR="10.0.0.7").status_code == 200


def test_forwarded_address_counts_behind_our_proxy(client_of, counted, monkeypatch, settings):
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    monkeypatch.setattr(throttles.VisitorThrottle, "per_minute", 1)
    get = client_of().get
    for address in ("10.0.0.1", "10.0.0.2"):
        forwarded = {"HTTP_X_FORWARDED_FOR": f"1.1.1.1, {address}"}
        assert get("/api/v1/campaigns/", **forwarded).status_code == 200
        assert get("/api/v1/campaigns/", **forwarded).status_code == 429


def test_dead_cache_limits_nobody_and_costs_no_time(client_of, monkeypatch):
    dead = ForgivingCache(
        "unix:///nonexistent/nobody.sock", {"OPTIONS": {"socket_connect_timeout": 1}}
    )
    monkeypatch.setattr(throttles, "cache", dead)
    monkeypatch.setattr(throttles.UserThrottle, "per_minute", 0)
    client = client_of(factories.UserFactory())
    begun = time.monotonic()
    assert [client.get("/api/v1/me/").status_code for _ in range(3)] == [200] * 3
    assert time.monotonic() - begun < 7


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("5", 5), ("0.5", 0.5), ("99", 30), ("inf", 30), ("-1", 0), ("nan", 0), ("x", 0), ("", 0)],
)
def test_wait_asked_for(text, seconds):
    assert waiting.seconds_asked(text) == seconds


def test_waiting_ends_when_the_run_settles(client_of, task, team, member, monkeypatch):
    run = factories.RunFactory(task=task, team=team, state=RunState.CHECKING)
    pauses = []

    def settle(seconds):
        pauses.append(seconds)
        if len(pauses) == 3:
            Run.objects.filter(pk=run.pk).update(state=RunState.REJECTED)

    monkeypatch.setattr(waiting.time, "sleep", settle)
    body = client_of(member).get(f"/api/v1/runs/{run.pk}/?wait=20").json()
    assert body["state"] == "rejected"
    assert pauses == [0.1, 0.2, 0.4]


def test_waiting_ends_in_time(client_of, task, team, member):
    run = factories.RunFactory(task=task, team=team, state=RunState.CHECKING)
    begun = time.monotonic()
    body = client_of(member).get(f"/api/v1/runs/{run.pk}/?wait=0.3").json()
    assert body["state"] == "checking"
    assert 0.3 <= time.monotonic() - begun < 20


def test_few_may_wait_and_the_others_are_answered_at_once(monkeypatch):
    monkeypatch.setattr(waiting, "_places", threading.BoundedSemaphore(1))
    pauses, looks, inner = [], [], []
    monkeypatch.setattr(waiting.time, "sleep", pauses.append)

    def outer():
        looks.append(True)
        if len(looks) == 2:  # the only place is taken now
            inner.append(waiting.wait_until(lambda: False, 10))
        return len(looks) == 2

    assert waiting.wait_until(outer, 10) is True
    assert (inner, pauses) == ([False], [0.1])
    assert waiting._places.acquire(blocking=False)


@pytest.mark.django_db(transaction=True)
def test_waiting_holds_no_connection(monkeypatch):
    held = []
    monkeypatch.setattr(waiting.time, "sleep", lambda _seconds: held.append(connection.connection))
    answers = iter([False, False, True])
    assert waiting.wait_until(lambda: Run.objects.exists() or next(answers), 10) is True
    assert held == [None, None]


def _more(task, team, count):
    for _ in range(count):
        run = factories.RunFactory(task=task, team=team, state=RunState.SCORED)
        factories.JobFactory(run=run, state="done")


@pytest.mark.parametrize(
    ("tail", "most"),
    [
        ("", 13),
        ("runs/", 8),
        ("leaderboard/", 9),
        ("leaderboard/?format=csv", 7),
        ("effects/", 9),
    ],
)
def test_queries_do_not_grow_with_the_list(
    client_of, django_assert_max_num_queries, django_assert_num_queries, tail, most
):
    world = worlds.build("open")
    worlds.score(world)
    client = client_of(world.users["own"])
    url = task_url(world.task, tail)
    form = factories.TopicFormFactory(collection=world.task.collection)
    factories.TopicTextFactory(form=form)
    client.get(url)
    with django_assert_max_num_queries(most) as seen:
        assert client.get(url).status_code == 200
    before = len(seen.captured_queries)
    _more(world.task, world.own.team, 4)
    board = world.task.boards.get(subject="pairs")
    effect = world.own.effects.get()
    for place in range(4):
        pair = factories.PairFactory(original=world.original, team=world.other.team)
        factories.EffectFactory(pair=pair, qrels=effect.qrels, recipe=effect.recipe)
        worlds._row(board, place + 5, 0.5, pair=pair)
        factories.TopicTextFactory(form=form)
    with django_assert_num_queries(before):
        assert client.get(url).status_code == 200


def test_queries_of_the_list_of_campaigns_do_not_grow(client_of, django_assert_num_queries, task):
    client = client_of(factories.UserFactory())
    client.get("/api/v1/campaigns/")
    with django_assert_num_queries(5):
        client.get("/api/v1/campaigns/")
    factories.CampaignFactory.create_batch(5)
    with django_assert_num_queries(5):
        assert client.get("/api/v1/campaigns/").json()["count"] == 6


@pytest.mark.parametrize(
    ("method", "url", "status"),
    [
        ("get", "/api/v1/nothing/", 404),
        ("get", "/api/v9/", 404),
        ("get", "/api/v1/campaigns/no-such/", 404),
        ("get", "/api/v1/campaigns/UPPER/", 404),
        ("get", "/api/v1/campaigns/%00/", 404),
        ("get", "/api/v1/runs/12/", 404),
        ("delete", "/api/v1/campaigns/", 405),
        ("put", "/api/v1/me/", 401),
        ("post", "/api/v1/receipts", 404),
    ],
)
def test_every_error_is_a_problem_document(client_of, method, url, status):
    answer = getattr(client_of(), method)(url)
    assert answer.status_code == status
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["status"] == status
    if status == 405:
        assert answer["Allow"] == "GET, HEAD, OPTIONS"


def test_get_without_the_slash_is_led_to_it(client_of):
    answer = client_of().get("/api/v1/campaigns")
    assert (answer.status_code, answer["Location"]) == (301, "/api/v1/campaigns/")


def test_failure_of_ours_is_a_problem_without_a_trace(client_of, monkeypatch):
    def broken(*_args):
        raise RuntimeError("secret detail")

    monkeypatch.setattr(campaigns, "campaign_detail", broken)
    campaign = factories.CampaignFactory()
    client = client_of()
    client.raise_request_exception = False
    answer = client.get(f"/api/v1/campaigns/{campaign.slug}/")
    assert answer.status_code == 500
    assert answer["Content-Type"] == "application/problem+json"
    assert b"secret detail" not in answer.content


def test_pages_keep_their_own_errors():
    answer = Client().get("/no-such-page/")
    assert answer.status_code == 404
    assert answer["Content-Type"].startswith("text/html")


def test_big_body_is_refused_where_no_file_is_taken(settings):
    settings.MAX_BODY_BYTES = 100
    answer = Client().post("/accounts/login/", {"login": "x" * 200})
    assert answer.status_code == 413


def test_addresses_that_take_files_take_big_bodies(task):
    paths = {
        "api-runs": task_url(task, "runs/"),
        "api-pairs": task_url(task, "pairs/"),
        "page": f"/campaigns/{task.campaign.slug}/tasks/{task.slug}/submit/",
    }
    assert all(middleware.takes_files(path) for path in paths.values())
    assert not middleware.takes_files("/accounts/login/")
    assert not middleware.takes_files("/api/v1/receipts/")
    assert not middleware.takes_files("/no-such-page/")


def test_receipts_take_no_big_body(client_of, settings):
    settings.MAX_BODY_BYTES = 100
    answer = client_of().post("/api/v1/receipts/", {"run": "x" * 200}, format="json")
    assert (answer.status_code, answer["Content-Type"]) == (413, "application/problem+json")


def test_token_notes_its_last_use(client_of, member):
    token = member.api_tokens.first()
    client_of(member).get("/api/v1/me/")
    token = member.api_tokens.get()
    assert timezone.now() - token.last_used_at < timedelta(minutes=1)
