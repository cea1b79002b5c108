"""Where limits keep their counts: this process, or the Redis that all processes share."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from limits.aio.storage import MemoryStorage, RedisStorage
from limits.aio.strategies import MovingWindowRateLimiter
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

T = TypeVar("T")

WAIT = 0.25  # seconds that the shared store may take
AWAY = 5.0  # seconds for which a store that failed is not asked again
SWEEP_EVERY = 60.0  # seconds between two looks for what has run out in this process
PREFIX = "plumbline"
FAULTS = (RedisError, OSError, TimeoutError)
"""What a shared store raises that is away, or that cannot do its work."""


class Memory(MemoryStorage):
    """The counts of this process.

    The library looks through all keys for old entries after every question, in 30 µs a key. Here
    it does so once a minute; whether a question passes never depends on it.
    """

    def __init__(self) -> None:
        super().__init__()
        self._swept = time.monotonic()

    async def _MemoryStorage__schedule_expiry(self) -> None:  # noqa: N802 - the name it has there
        if time.monotonic() - self._swept >= SWEEP_EVERY:
            self._swept = time.monotonic()
            await super()._MemoryStorage__schedule_expiry()  # type: ignore[misc]


def client(address: str) -> Redis:
    """A client of its own for the running loop. A broken connection is tried anew once, at once."""
    return Redis.from_url(address, retry=Retry(NoBackoff(), 1))


def shared_store(address: str) -> MovingWindowRateLimiter | None:
    """Moving windows in Redis; None without an address."""
    if not address:
        return None
    pool: Any = client(address).connection_pool  # also of a socket file, which the library misreads
    store = RedisStorage(
        "redis://", implementation="redispy", key_prefix=PREFIX, connection_pool=pool
    )
    return MovingWindowRateLimiter(store)


_kept: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, Any]] = WeakKeyDictionary()


def of_loop(name: str, make: Callable[[], T]) -> T:
    """What the running loop keeps under this name, made when it is first asked for."""
    kept = _kept.setdefault(asyncio.get_running_loop(), {})
    if name not in kept:
        kept[name] = make()
    found: T = kept[name]
    return found
