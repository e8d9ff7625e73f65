"""A broker that is dead or frozen must not turn a saved run into an error, nor hold the answer."""

import os
import signal
import time

import pytest
import redis
from django.core.cache import cache
from kombu.exceptions import OperationalError

from config.cache import ForgivingClient
from config.celery import app

LONGEST_ANSWER = 7  # seconds, for the whole request


@pytest.fixture(autouse=True)
def _cache_asks_again(monkeypatch):
    monkeypatch.setattr(ForgivingClient, "away_until", 0.0)


def ring():
    app.send_task("campaigns.check", args=["1"], queue="checking", retry=False)


def test_ring_reaches_the_named_queue_under_the_prefix(broker):
    ring()
    with redis.Redis(unix_socket_path=str(broker.socket)) as client:
        assert client.llen("centreboard:checking") == 1


def test_ring_at_dead_broker_fails_at_once(broker):
    os.kill(broker.child.pid, signal.SIGKILL)
    broker.child.wait(5)
    begun = time.monotonic()
    with pytest.raises(OperationalError):
        ring()
    assert time.monotonic() - begun < 1


@pytest.mark.parametrize("is_connected", [False, True], ids=["new connection", "open connection"])
def test_ring_at_frozen_broker_fails_in_time(broker, is_connected):
    if is_connected:
        ring()
    broker.child.send(signal.SIGSTOP)
    begun = time.monotonic()
    with pytest.raises((OperationalError, redis.RedisError)):
        ring()
    assert time.monotonic() - begun < LONGEST_ANSWER


def test_cache_keeps_values_and_counts(broker):
    cache.set("a", {"b": 1})
    assert cache.get("a") == {"b": 1}
    assert cache.add("a", 2) is False
    cache.set("count", 1)
    assert cache.incr("count", 2) == 3
    cache.set_many({"c": 1, "d": 2})
    assert cache.get_many(["c", "d", "e"]) == {"c": 1, "d": 2}
    cache.delete_many(["c"])
    assert cache.get("c", "gone") == "gone"


def test_cache_clear_leaves_other_keys_of_the_server(broker):
    with redis.Redis(unix_socket_path=str(broker.socket), db=1) as client:
        client.set("other", "kept")
        cache.set("mine", 1)
        cache.clear()
        assert client.keys() == [b"other"]


def test_cache_of_frozen_broker_is_empty_and_asked_once(broker):
    cache.set("a", 1)
    broker.child.send(signal.SIGSTOP)
    begun = time.monotonic()
    assert cache.get("a", "gone") == "gone"
    first = time.monotonic() - begun
    assert cache.add("b", 1) is True
    assert cache.get_many(["a"]) == {}
    assert cache.has_key("a") is False
    with pytest.raises(ValueError, match="not found"):
        cache.incr("count")
    cache.set("a", 2)
    cache.clear()
    assert time.monotonic() - begun < first + 1.5
    assert first < 3


def test_cache_of_dead_broker_works_again_after_its_restart(broker, monkeypatch):
    os.kill(broker.child.pid, signal.SIGKILL)
    broker.child.wait(5)
    assert cache.get("a", "gone") == "gone"
    broker.start()
    monkeypatch.setattr(ForgivingClient, "away_until", 0.0)
    cache.set("a", 1)
    assert cache.get("a") == 1
