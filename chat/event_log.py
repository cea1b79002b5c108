"""The log of a turn: events are numbered here, stored, and then shown to whoever follows.

Rows come first, tokens excepted: a token is shown at once and stored merged, at most one row
a turn every 100 ms. All turns of a process share one writer, so that many streams cost one
INSERT. A follower reads memory where the turn runs in this process, and rows elsewhere.
"""

from __future__ import annotations

import asyncio
import logging
import time
from bisect import bisect_right
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from uuid import UUID
from weakref import WeakKeyDictionary

from django.db import DatabaseError, IntegrityError

from chat.broadcast import announce, heard
from chat.contracts.events import (
    USER_TYPES,
    Body,
    Event,
    Token,
    TurnFinished,
)
from chat.db import in_db
from chat.event_rows import insert, insert_what_fits, merged, stored
from chat.models import Turn

log = logging.getLogger(__name__)

TOKEN_ROW_EVERY = 0.1  # seconds between two rows of one draft
FRAME_EVERY = 0.04  # seconds between two token frames to one reader
POLL = 1.0  # seconds after which rows are read again though nothing woke the reader
RETRY_AFTER = 0.5  # seconds, when the database did not take the rows
TAKEOVER_GAP = 1_000  # numbers left free for tokens that a dead process showed but never stored


class TurnLog:
    """The events of one turn that runs in this process.

    `shown` is what followers may see, in order; what waits for its row is `_waiting`.
    """

    def __init__(self, turn: UUID, last_seq: int = 0) -> None:
        self.turn = turn
        self.shown: list[Event] = []
        self.is_lost = False
        self.rests = False
        self._seq = last_seq
        self._waiting: list[Event] = []
        self._unstored: list[Event] = []
        self._readers: set[asyncio.Event] = set()
        self._idle = asyncio.Event()
        self._idle.set()
        self._oldest_token: float | None = None

    @property
    def finished(self) -> bool:
        return bool(self.shown) and isinstance(self.shown[-1].body, TurnFinished)

    def number(self, body: Body) -> Event:
        """The next event; it is neither stored nor shown yet."""
        self._seq += 1
        return Event(turn=self.turn, seq=self._seq, at=datetime.now(UTC), body=body)

    def add(self, body: Body) -> None:
        """Number an event and hand it on: a token to the readers, all else to the writer."""
        if self.is_lost:
            return
        event = self.number(body)
        self._unstored.append(event)
        self._idle.clear()
        is_token = isinstance(body, Token)
        if is_token and not self._waiting:
            self._show([event])
        else:
            self._waiting.append(event)
        if is_token and self._oldest_token is None:
            self._oldest_token = time.monotonic()
        writer().wake(urgent=not is_token)

    async def stored(self) -> None:
        """Wait until every event so far has its row."""
        await self._idle.wait()

    def due(self, now: float) -> bool:
        """Has this log something whose row may not wait any longer?"""
        if not self._unstored:
            return False
        old = self._oldest_token is not None and now - self._oldest_token >= TOKEN_ROW_EVERY
        return old or bool(self._waiting)

    def take(self) -> list[Event]:
        """What is to be stored now. Comes back through `put_back` or `commit`."""
        taken, self._unstored, self._oldest_token = self._unstored, [], None
        return taken

    def put_back(self, events: list[Event]) -> None:
        self._unstored = events + self._unstored

    def commit(self, events: Sequence[Event], faults: Sequence[Event] = ()) -> None:
        """These have their rows: show what waited for them. `faults` stand in for some of them."""
        last = events[-1].seq
        if faults:
            instead = {fault.seq: fault for fault in faults}
            self._waiting = [instead.get(event.seq, event) for event in self._waiting]
        split = 0
        for event in self._waiting:
            if event.seq > last and not isinstance(event.body, Token):
                break
            split += 1
        ready, self._waiting = self._waiting[:split], self._waiting[split:]
        self._show(ready)
        if not self._unstored:
            self._idle.set()

    def lose(self) -> None:
        """Another process has this turn now: nothing more is stored or shown."""
        self.is_lost = True
        self._unstored, self._waiting = [], []
        self._idle.set()
        self._leave()
        self._wake()

    def close(self, last: Sequence[Event]) -> None:
        """Show the last events, whose rows were written with the turn's end."""
        self._show(list(last))
        self._leave()

    def rest(self, last: Sequence[Event]) -> None:
        """The turn waits for a person: show what was written with that; readers follow the rows."""
        self.rests = True
        self._show(list(last))
        self._leave()

    def _leave(self) -> None:
        """This process runs the turn no more, unless it has begun to run it anew."""
        if LIVE.get(self.turn) is self:
            del LIVE[self.turn]

    def _show(self, events: list[Event]) -> None:
        if events:
            self.shown.extend(events)
            self._wake()
            announce(self.turn)

    def _wake(self) -> None:
        for reader in self._readers:
            reader.set()

    async def read(self, after: int, *, staff: bool) -> AsyncIterator[list[Event]]:
        """Batches of shown events after `after`, tokens merged, until the turn ends or waits."""
        index = bisect_right(self.shown, after, key=lambda event: event.seq)
        news, last_tokens = asyncio.Event(), 0.0
        self._readers.add(news)
        try:
            while True:
                news.clear()
                # A row can be read by a follower just before its event is shown here.
                fresh = [event for event in self.shown[index:] if event.seq > after]
                batch = merged(_visible(fresh, staff))
                index = len(self.shown)
                if batch:
                    yield batch
                    if isinstance(batch[-1].body, Token):  # so a draft's first one never waits
                        last_tokens = time.monotonic()
                if self.finished or self.is_lost or self.rests:
                    return
                await news.wait()
                await self._pace(index, last_tokens)
        finally:
            self._readers.discard(news)

    async def _pace(self, index: int, last_tokens: float) -> None:
        """Let tokens gather a little; anything else is sent as it comes."""
        rest = FRAME_EVERY - (time.monotonic() - last_tokens)
        if rest > 0 and all(isinstance(event.body, Token) for event in self.shown[index:]):
            await asyncio.sleep(rest)


LIVE: dict[UUID, TurnLog] = {}
"""The turns that run in this process."""


def open_log(turn: UUID, last_seq: int = 0) -> TurnLog:
    """Begin the log of a turn that this process runs from now on."""
    LIVE[turn] = TurnLog(turn, last_seq)
    _wake_sleepers(turn)
    return LIVE[turn]


class Writer:
    """Stores the events of all turns of this process, one INSERT at a time."""

    def __init__(self) -> None:
        self._news = asyncio.Event()
        self._urgent = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def wake(self, *, urgent: bool) -> None:
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._work())
        self._news.set()
        if urgent:
            self._urgent.set()

    async def _work(self) -> None:
        while True:
            await self._news.wait()
            if not self._urgent.is_set():
                await self._wait_for_tokens()
            self._news.clear()
            self._urgent.clear()
            await self._store_due()
            if any(turn_log.due(float("inf")) for turn_log in LIVE.values()):
                self._news.set()

    async def _wait_for_tokens(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(TOKEN_ROW_EVERY):
                await self._urgent.wait()

    async def _store_due(self) -> None:
        now = time.monotonic()
        taken = [(turn_log, turn_log.take()) for turn_log in LIVE.values() if turn_log.due(now)]
        if not taken:
            return
        try:
            await in_db(insert, [event for _, events in taken for event in merged(events)])
        except DatabaseError:
            await self._store_one_by_one(taken)
            return
        for turn_log, events in taken:
            turn_log.commit(events)

    async def _store_one_by_one(self, taken: list[tuple[TurnLog, list[Event]]]) -> None:
        """One turn's fault must not hold up the others."""
        failed = False
        for turn_log, events in taken:
            try:
                turn_log.commit(events, await in_db(insert_what_fits, merged(events)))
            except IntegrityError:
                log.warning("turn %s is written by another process", turn_log.turn)
                turn_log.lose()
            except DatabaseError as error:
                log.warning("events wait for the database: %s", type(error).__name__)
                turn_log.put_back(events)
                failed = True
        if failed:
            await asyncio.sleep(RETRY_AFTER)


_writers: WeakKeyDictionary[asyncio.AbstractEventLoop, Writer] = WeakKeyDictionary()


def writer() -> Writer:
    """The writer of the running loop."""
    loop = asyncio.get_running_loop()
    if (known := _writers.get(loop)) is None:
        known = _writers[loop] = Writer()
    return known


async def follow(turn: UUID, after: int = 0, *, staff: bool) -> AsyncIterator[list[Event]]:
    """Events after a number in order, stored ones first, then as they come; ends with the turn.

    A reader that is not staff gets user events alone, so its numbers rise with gaps.
    """
    while True:
        # Asked before the rows are read: a turn that ends in between is read once more.
        was_live = turn in LIVE
        is_over = not was_live and not await in_db(_is_open, turn)
        batch = await stored(turn, after)
        if visible := _visible(batch, staff):
            yield visible
        after = batch[-1].seq if batch else after
        if is_over or _is_end(batch):
            return
        if (live := LIVE.get(turn)) is not None:
            async for events in live.read(after, staff=staff):
                yield events
                after = events[-1].seq
            if live.finished:
                return
        elif not was_live:
            await _news_of(turn)


def tell(turn: UUID) -> None:
    """A turn that runs in no process has new rows: those who follow it read them now."""
    _wake_sleepers(turn)
    announce(turn)


_sleepers: dict[UUID, set[asyncio.Event]] = {}


def _wake_sleepers(turn: UUID) -> None:
    for sleeper in _sleepers.get(turn, ()):
        sleeper.set()


async def _news_of(turn: UUID) -> None:
    """Wait until a turn runs here, another process tells of it, or a while has passed."""
    here = asyncio.Event()
    _sleepers.setdefault(turn, set()).add(here)
    waits = [asyncio.ensure_future(heard(turn, POLL)), asyncio.ensure_future(here.wait())]
    try:
        done, _ = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for wait in done:
            wait.result()
    finally:
        _sleepers[turn].discard(here)
        if not _sleepers[turn]:
            del _sleepers[turn]
        for wait in waits:
            wait.cancel()
        await asyncio.gather(*waits, return_exceptions=True)


def _is_open(turn: UUID) -> bool:
    return Turn.objects.filter(pk=turn).exclude(status=Turn.Status.FINISHED).exists()


def _is_end(batch: Sequence[Event]) -> bool:
    return bool(batch) and isinstance(batch[-1].body, TurnFinished)


def _visible(events: Sequence[Event], staff: bool) -> list[Event]:
    return [event for event in events if staff or event.body.TYPE in USER_TYPES]
