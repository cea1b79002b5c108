"""The wake-up between processes: it only ever says that a turn has news.

A channel layer delivers at most once and drops past its capacity, so nothing rests on it:
a reader that hears nothing reads the log again after a while. Without Redis there is one
process and nothing to say.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from uuid import UUID

from channels.layers import get_channel_layer
from django.conf import settings

log = logging.getLogger(__name__)

EVERY = 0.05  # seconds between two wake-ups of one turn

_last: dict[UUID, float] = {}
_sending: set[asyncio.Task[None]] = set()


def announce(turn: UUID) -> None:
    """Tell other processes that a turn has news, at most every 50 ms."""
    if not settings.PLUMBLINE.redis_url:
        return
    now = time.monotonic()
    if now - _last.get(turn, 0.0) < EVERY:
        return
    _last[turn] = now
    task = asyncio.create_task(_send(turn))
    _sending.add(task)
    task.add_done_callback(_sending.discard)


def forget(turn: UUID) -> None:
    """The turn is over."""
    _last.pop(turn, None)


async def heard(turn: UUID, seconds: float) -> None:
    """Wait for news of a turn, or for so long."""
    if not settings.PLUMBLINE.redis_url:
        await asyncio.sleep(seconds)
        return
    layer = get_channel_layer()
    channel = await layer.new_channel()
    await layer.group_add(_group(turn), channel)
    try:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await layer.receive(channel)
    finally:
        await layer.group_discard(_group(turn), channel)


async def _send(turn: UUID) -> None:
    try:
        await get_channel_layer().group_send(_group(turn), {"type": "news"})
    except (OSError, ConnectionError) as error:
        log.warning("no wake-up was sent: %s", type(error).__name__)


def _group(turn: UUID) -> str:
    return f"turn.{turn.hex}"
