"""How many sockets one person and one address have open, over all processes.

A socket has a seat under each of its keys. In Redis a seat is kept for a minute, and the process
that holds it renews it, so that those of a process that died are free by themselves. Where Redis
does not answer, each process counts its own sockets alone, which is counted as failed open.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import defaultdict
from collections.abc import Awaitable, Mapping
from typing import TypeVar
from uuid import uuid4

from django.conf import settings
from redis.asyncio import Redis

from chat import counters
from chat.contracts.errors import TooManySockets
from chat.stores import AWAY, FAULTS, PREFIX, WAIT, client, of_loop

log = logging.getLogger(__name__)

T = TypeVar("T")

KEPT = 60  # seconds that a seat is kept without being renewed
RENEW_EVERY = 20.0
COME_BACK = 30  # seconds after which a page may try again
FULL = 4429  # the code with which a socket is closed that has no seat

# The clock is the server's own, so processes on machines with clocks of their own agree.
TAKE = """
local now = tonumber(redis.call('TIME')[1])
for i, key in ipairs(KEYS) do
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now)
  if redis.call('ZCARD', key) >= tonumber(ARGV[2 + i]) then return i end
end
for _, key in ipairs(KEYS) do
  redis.call('ZADD', key, now + ARGV[2], ARGV[1])
  redis.call('EXPIRE', key, ARGV[2])
end
return 0
"""
RENEW = """
local now = tonumber(redis.call('TIME')[1])
for i = 2, #ARGV do redis.call('ZADD', KEYS[1], now + ARGV[1], ARGV[i]) end
redis.call('EXPIRE', KEYS[1], ARGV[1])
"""

WORDS = {
    "sockets_person": "This chat is open on too many of your pages. Close one of them.",
    "sockets_address": "This chat is open on too many pages in your network. Close one of them.",
}


class Seats:
    """The seats of the sockets of this process, shared with others where `shared` is given."""

    def __init__(self, shared: Redis | None = None) -> None:
        self._shared = shared
        self._here: defaultdict[str, set[str]] = defaultdict(set)
        self._away_until = 0.0
        self._keeper: asyncio.Task[None] | None = None
        if shared is not None:
            self._take, self._renew = shared.register_script(TAKE), shared.register_script(RENEW)

    async def take(self, wanted: Mapping[str, tuple[str, int]]) -> Seat:
        """A seat under every key, or none. `wanted` has, by the limit's name, its key and how many.

        Raises `TooManySockets`.
        """
        seat = Seat(self, str(uuid4()), tuple(key for key, _ in wanted.values()))
        full = await self._full(seat, wanted)
        for name in wanted:
            if full in (None, name):
                counters.limit(name, "refused" if full else "passed")
        if full is not None:
            raise TooManySockets(WORDS[full], retry_after=COME_BACK)
        for key in seat.keys:
            self._here[key].add(seat.name)
        counters.SOCKETS.inc()
        self._keep()
        return seat

    async def give_back(self, seat: Seat) -> None:
        """The socket is closed. A second time changes nothing."""
        if seat.is_free:
            return
        seat.is_free = True
        counters.SOCKETS.dec()
        for key in seat.keys:
            self._here[key].discard(seat.name)
            if not self._here[key]:
                del self._here[key]
        if self._shared is not None and seat.keys and not self._is_away:
            await self._tried(self._drop(self._shared, seat))

    @property
    def _is_away(self) -> bool:
        return time.monotonic() < self._away_until

    async def _full(self, seat: Seat, wanted: Mapping[str, tuple[str, int]]) -> str | None:
        """The name of the first limit that has no seat left."""
        if self._shared is not None and wanted and not self._is_away:
            most = [count for _, count in wanted.values()]
            keys = [_stored(key) for key in seat.keys]
            at = await self._tried(self._take(keys=keys, args=[seat.name, KEPT, *most]))
            if at is not None:
                return list(wanted)[int(at) - 1] if at else None
        if self._shared is not None:
            for name in wanted:
                counters.limit(name, "failed_open")
        taken = {name: len(self._here.get(key, ())) for name, (key, _) in wanted.items()}
        return next((name for name, (_, most) in wanted.items() if taken[name] >= most), None)

    async def _drop(self, shared: Redis, seat: Seat) -> None:
        for key in seat.keys:
            await shared.zrem(_stored(key), seat.name)

    async def _tried(self, work: Awaitable[T]) -> T | None:
        """What the shared store says; None if it does not answer in time."""
        try:
            async with asyncio.timeout(WAIT):
                return await work
        except FAULTS as error:
            log.warning("the store of the seats is away: %s", type(error).__name__)
            self._away_until = time.monotonic() + AWAY
            return None

    def _keep(self) -> None:
        """Start the task that renews the seats, if it is wanted and not there yet."""
        if self._shared is not None and (self._keeper is None or self._keeper.done()):
            self._keeper = asyncio.create_task(self._renew_all())

    async def _renew_all(self) -> None:
        """Until this process holds no seat any more."""
        while self._here:
            await asyncio.sleep(RENEW_EVERY)
            for key, names in list(self._here.items()):
                await self._tried(self._renew(keys=[_stored(key)], args=[KEPT, *names]))


class Seat:
    """The place of one socket."""

    __slots__ = ("_seats", "is_free", "keys", "name")

    def __init__(self, seats: Seats, name: str, keys: tuple[str, ...]) -> None:
        self._seats, self.name, self.keys = seats, name, keys
        self.is_free = False

    async def give_back(self) -> None:
        await self._seats.give_back(self)


def seats() -> Seats:
    """The seats that the running loop uses."""
    address = settings.PLUMBLINE.redis_url
    return of_loop("seats", lambda: Seats(client(address) if address else None))


def wanted_of(person: str, address: str) -> dict[str, tuple[str, int]]:
    """What a socket of this person, from this address, needs. Both are keys, or empty."""
    site = settings.PLUMBLINE
    both = {
        "sockets_person": (person, site.limit_sockets_person),
        "sockets_address": (address, site.limit_sockets_address),
    }
    return {name: each for name, each in both.items() if all(each)}


def _stored(key: str) -> str:
    return f"{PREFIX}:sockets:{key}"
