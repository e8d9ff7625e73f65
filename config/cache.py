"""Django's Redis cache, but a dead or frozen server is an empty cache and never an error."""

import logging
import time
from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.exceptions import RedisError

PAUSE_SECONDS = 5.0
log = logging.getLogger("config.cache")
T = TypeVar("T")


class ForgivingClient(RedisCacheClient):
    """Answers as an empty cache while the server is away, asking again after a pause."""

    away_until: ClassVar[float] = 0.0  # shared by all threads: each has a client of its own

    def _or_miss(self, call: Callable[[], T], miss: T) -> T:
        if time.monotonic() < ForgivingClient.away_until:
            return miss
        try:
            return call()
        except (RedisError, OSError) as fault:
            ForgivingClient.away_until = time.monotonic() + PAUSE_SECONDS
            log.warning("cache is away: %s", type(fault).__name__)
            return miss

    def add(self, key: Any, value: Any, timeout: Any) -> bool:
        return self._or_miss(lambda: super(ForgivingClient, self).add(key, value, timeout), True)

    def get(self, key: Any, default: Any) -> Any:
        return self._or_miss(lambda: super(ForgivingClient, self).get(key, default), default)

    def set(self, key: Any, value: Any, timeout: Any) -> None:
        self._or_miss(lambda: super(ForgivingClient, self).set(key, value, timeout), None)

    def touch(self, key: Any, timeout: Any) -> bool:
        return self._or_miss(lambda: super(ForgivingClient, self).touch(key, timeout), False)

    def delete(self, key: Any) -> bool:
        return self._or_miss(lambda: super(ForgivingClient, self).delete(key), False)

    def get_many(self, keys: Any) -> dict[Any, Any]:
        return self._or_miss(lambda: super(ForgivingClient, self).get_many(keys), {})

    def has_key(self, key: Any) -> bool:
        return self._or_miss(lambda: super(ForgivingClient, self).has_key(key), False)

    def incr(self, key: Any, delta: int) -> int:
        number = self._or_miss(lambda: super(ForgivingClient, self).incr(key, delta), None)
        if number is None:
            raise ValueError(f"Key '{key}' not found.")
        return int(number)

    def set_many(self, data: Any, timeout: Any) -> None:
        self._or_miss(lambda: super(ForgivingClient, self).set_many(data, timeout), None)

    def delete_many(self, keys: Any) -> None:
        self._or_miss(lambda: super(ForgivingClient, self).delete_many(keys), None)

    def clear_prefix(self, prefix: str) -> bool:
        """Delete this cache's keys alone: the server may be shared with others."""

        def clear() -> bool:
            client = self.get_client(None, write=True)
            for key in client.scan_iter(match=f"{prefix}:*", count=500):
                client.delete(key)
            return True

        return self._or_miss(clear, False)


class ForgivingCache(RedisCache):
    """``RedisCache`` over ``ForgivingClient``."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = ForgivingClient

    def clear(self) -> None:
        client = self._cache
        if isinstance(client, ForgivingClient):
            client.clear_prefix(self.key_prefix)
