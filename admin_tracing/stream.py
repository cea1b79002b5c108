"""Events as server-sent events: encodes, keeps the line warm, and nothing else.

The data of a frame is the same JSON that the socket sends and the log stores.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

from chat.contracts.events import Event

HEARTBEAT = 15.0  # seconds; proxies cut a silent line after 60 by default
BEAT = b": still here\n\n"


def encode(event: Event, mark: int | None = None) -> bytes:
    """One frame. `mark` is what the browser sends back as `Last-Event-ID`, `seq` if not given."""
    data = json.dumps(event.wire(), ensure_ascii=False, separators=(",", ":"))
    number = event.seq if mark is None else mark
    return f"id: {number}\nevent: {event.body.TYPE}\ndata: {data}\n\n".encode()


async def with_heartbeat(
    frames: AsyncIterator[bytes], every: float = HEARTBEAT
) -> AsyncIterator[bytes]:
    """The frames, with a comment wherever there was none for `every` seconds.

    When the reader goes away, the frames are closed with it.
    """
    coming = asyncio.ensure_future(anext(frames))
    try:
        while True:
            await asyncio.wait({coming}, timeout=every)
            if not coming.done():
                yield BEAT
                continue
            try:
                frame = coming.result()
            except StopAsyncIteration:
                return
            yield frame
            coming = asyncio.ensure_future(anext(frames))
    finally:
        await _let_go(coming, frames)


async def _let_go(coming: asyncio.Future[bytes], frames: AsyncIterator[bytes]) -> None:
    coming.cancel()
    await asyncio.wait({coming})
    if not coming.cancelled():
        coming.exception()  # looked at, so that nobody warns about it
    if hasattr(frames, "aclose"):
        await frames.aclose()
