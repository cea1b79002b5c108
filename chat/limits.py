"""How much one person and one address may ask, and how much one socket may send.

Questions are counted in moving windows by the library `limits`: in this process, or in Redis,
which all processes share. A limit is not worth an outage: where Redis does not answer in time,
questions pass, which is counted, and this process counts them by itself until it answers again.

What a person used in a day is summed from the turns themselves. They are what the record and the
pages say, they outlive every restart, and one query reads them by an index in 1 to 4 ms; a
second account in the store of the limits could only differ. Turns that run are not in it yet, so
the budget can be passed by what runs at once, each within the budget of one turn.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache

from django.conf import settings
from django.db.models import QuerySet, Sum
from limits import RateLimitItem, parse_many
from limits.aio.strategies import MovingWindowRateLimiter

from chat import counters
from chat.contracts.commands import Ask, Command, Edit, Reply
from chat.contracts.errors import ChatError, OverBudget, TooFast
from chat.guardrails.screening import crisis, paste
from chat.identity import Person
from chat.models import Conversation, Turn
from chat.stores import AWAY, FAULTS, WAIT, Memory, of_loop, shared_store

log = logging.getLogger(__name__)

DAY = timedelta(days=1)
HEARD = 4_000  # characters of a message that may say that somebody is in danger
COUNTED = ("ask", "regenerate", "edit")  # the turns that a person pays for


@dataclass(slots=True)
class Bucket:
    """Holds `size` frames and gains `refill` a second. `clock` gives monotonic seconds."""

    clock: Callable[[], float]
    size: float = 20
    refill: float = 4
    _level: float = field(init=False)
    _seen: float = field(init=False)

    def __post_init__(self) -> None:
        self._level, self._seen = self.size, self.clock()

    def take(self) -> None:
        """Use one frame. Raises `TooFast`, which says when to come back, if none is left."""
        now = self.clock()
        self._level = min(self.size, self._level + (now - self._seen) * self.refill)
        self._seen = now
        if self._level < 1:
            counters.limit("frames", "refused")
            raise TooFast(retry_after=round((1 - self._level) / self.refill, 2))
        self._level -= 1
        counters.limit("frames", "passed")


@dataclass(frozen=True, slots=True)
class Limit:
    """One limit of somebody: its name for the counter, whom it counts, and how often they may."""

    name: str
    key: str
    items: tuple[RateLimitItem, ...]


class Asks:
    """Counts questions in moving windows, in Redis where `shared` is given, else in this process.

    `clock` gives the seconds since the epoch.
    """

    def __init__(
        self,
        shared: MovingWindowRateLimiter | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._shared, self._clock = shared, clock
        self._here = MovingWindowRateLimiter(Memory())
        self._away_until = -math.inf

    async def take(self, wanted: Sequence[Limit]) -> None:
        """Count one question under every limit, or under none.

        Raises `TooFast`, and `OverBudget` for a limit of a day or more; both say when to come back.
        """
        if not wanted:
            return
        if self._shared is None:
            await self._take(self._here, wanted)
        elif self._clock() < self._away_until or not await self._took(self._shared, wanted):
            for limit in wanted:
                counters.limit(limit.name, "failed_open")
            await self._take(self._here, wanted)

    async def _took(self, shared: MovingWindowRateLimiter, wanted: Sequence[Limit]) -> bool:
        """Count in the shared store; false if it does not answer in time."""
        try:
            async with asyncio.timeout(WAIT):
                await self._take(shared, wanted)
        except FAULTS as error:
            log.warning("the store of the limits is away: %s", type(error).__name__)
            self._away_until = self._clock() + AWAY
            return False
        return True

    async def _take(self, windows: MovingWindowRateLimiter, wanted: Sequence[Limit]) -> None:
        """Look first, so that a question which one limit refuses counts under no other."""
        pairs = [(limit, item) for limit in wanted for item in limit.items]
        full = []
        for limit, item in pairs:
            window = await windows.get_window_stats(item, limit.key)
            if window.remaining < 1:
                full.append((window.reset_time - self._clock(), limit, item))
        if full:
            raise _refused(*max(full, key=lambda each: each[0]))
        for limit, item in pairs:
            if not await windows.hit(item, limit.key):  # another question came in between
                raise _refused(0.0, limit, item)
        for limit in wanted:
            counters.limit(limit.name, "passed")


def counts(command: Command) -> bool:
    """Does this count at all? Somebody in danger is never told to come back later.

    Their turn is answered by a constant, so it costs no model. What holds of it is the limit on
    frames. The ear is that of the turn itself: in a pasted document only the words around it.
    """
    text = command.text if isinstance(command, Ask | Edit | Reply) else ""
    if len(text) > HEARD:
        return True
    document = paste.pasted(text)
    return not crisis.crisis(text if document is None else document.lead)


def asks() -> Asks:
    """The counts that the running loop uses."""
    return of_loop("asks", lambda: Asks(shared_store(settings.PLUMBLINE.redis_url)))


def person_key(person: Person) -> str:
    """The name under which a person is counted; empty for a stranger."""
    if person.user_id is not None:
        return f"user:{person.user_id}"
    return f"visitor:{person.visitor}" if person.visitor else ""


def limits_of(person: str, address: str) -> tuple[Limit, ...]:
    """What holds for a question of this person, from this address. Both are keys, or empty."""
    site = settings.PLUMBLINE
    both = (
        Limit("asks_person", person, _items(site.limit_asks_person)),
        Limit("asks_address", address, _items(site.limit_asks_address)),
    )
    return tuple(limit for limit in both if limit.key and limit.items)


def check_budget(person: Person, now: datetime) -> None:
    """Raises `OverBudget` if the person has used up what one may within 24 hours. Database work."""
    site = settings.PLUMBLINE
    most = (site.daily_tokens_person or math.inf, site.daily_cost_person or math.inf)
    if most == (math.inf, math.inf) or not person.is_known:
        return
    used = spent(person, now)
    if all(amount < limit for amount, limit in zip(used, most, strict=True)):
        counters.limit("budget_person", "passed")
        return
    counters.limit("budget_person", "refused")
    seconds = _until_free(_turns(person, now), used, most, now)
    words = "You have used up what one person can ask in a day. Ask again"
    raise OverBudget(f"{words} {soon(seconds)}.", retry_after=seconds)


def spent(person: Person, now: datetime) -> tuple[float, float]:
    """Tokens and US dollars of the person's turns that began within the last 24 hours."""
    sums = _turns(person, now).aggregate(tokens=Sum("tokens"), cost=Sum("cost"))
    return float(sums["tokens"] or 0), float(sums["cost"] or 0)


def soon(seconds: float) -> str:
    """When to come back, in words: in 12 seconds, in 3 minutes, in 5 hours."""
    for unit, length in (("hour", 3600), ("minute", 60)):
        if seconds >= 1.5 * length:
            return f"in {math.ceil(seconds / length - 0.02)} {unit}s"
    whole = math.ceil(seconds)
    return f"in {whole} second{'' if whole == 1 else 's'}"


def _turns(person: Person, now: datetime) -> QuerySet[Turn]:
    own = Conversation.objects.filter(person.owns())
    return Turn.objects.filter(conversation__in=own, kind__in=COUNTED, started_at__gt=now - DAY)


def _until_free(
    turns: QuerySet[Turn], used: tuple[float, float], most: tuple[float, float], now: datetime
) -> int:
    """Seconds until enough of the oldest turns are a day old."""
    tokens, cost = used
    for began, its_tokens, its_cost in turns.order_by("started_at").values_list(
        "started_at", "tokens", "cost"
    ):
        tokens, cost = tokens - its_tokens, cost - float(its_cost)
        if tokens < most[0] and cost < most[1]:
            return math.floor((began + DAY - now).total_seconds()) + 1
    return int(DAY.total_seconds())


def _refused(wait: float, limit: Limit, item: RateLimitItem) -> ChatError:
    """A whole second more than the wait: at its very end the window is still full."""
    counters.limit(limit.name, "refused")
    seconds = max(0, math.floor(wait)) + 1
    kind = OverBudget if item.get_expiry() >= DAY.total_seconds() else TooFast
    return kind(f"{_why(limit, item)} Ask again {soon(seconds)}.", retry_after=seconds)


def _why(limit: Limit, item: RateLimitItem) -> str:
    if limit.name == "asks_address":
        return "Too many questions come from your network."
    unit = item.GRANULARITY.name
    article = "an" if unit == "hour" else "a"
    span = f"{article} {unit}" if item.multiples == 1 else f"in {item.multiples} {unit}s"
    questions = "1 question" if item.amount == 1 else f"{item.amount} questions"
    return f"One person can ask {questions} {span}."


@cache
def _items(rates: str) -> tuple[RateLimitItem, ...]:
    return tuple(parse_many(rates)) if rates else ()
