"""Frames of the stream: encoded as the browser reads them, kept warm, and let go."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

import pytest

from admin_tracing.stream import BEAT, encode, with_heartbeat
from chat.contracts.events import Event, Token, event_from
from tests.traces import Trace, refund_with_one_rewrite


def parsed(frame: bytes) -> dict[str, str]:
    lines = frame.decode().removesuffix("\n\n").split("\n")
    return dict(line.split(": ", 1) for line in lines)


def test_a_frame_carries_the_event_as_the_socket_sends_it():
    for event in refund_with_one_rewrite():
        frame = parsed(encode(event))
        assert (frame["id"], frame["event"]) == (str(event.seq), event.body.TYPE)
        assert json.loads(frame["data"]) == event.wire()


def test_a_frame_can_be_read_back_as_the_same_event():
    event = refund_with_one_rewrite()[0]
    wire = json.loads(parsed(encode(event))["data"])
    assert event_from(event.turn, wire["seq"], event.at, wire["type"], wire["data"]) == event


@pytest.mark.parametrize("text", ["one\ntwo", "a\r\nb", "data: x\n\nid: 9", "\u2028"])
def test_text_with_line_breaks_cannot_break_a_frame(text: str):
    trace = Trace()
    trace.tell(Token(offset=0, text=text))
    frame = encode(trace.events[0])
    assert frame.count(b"\n") == 4
    assert json.loads(parsed(frame)["data"])["data"]["text"] == text


def test_the_stream_of_all_turns_marks_frames_with_its_own_number():
    event: Event = refund_with_one_rewrite()[0]
    assert parsed(encode(event, 81))["id"] == "81"


class Frames:
    """Frames that come when they are told to, and that know when they were closed."""

    def __init__(self) -> None:
        self.queue: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.closed = False

    async def read(self) -> AsyncIterator[bytes]:
        try:
            while (frame := await self.queue.get()) is not None:
                yield frame
        finally:
            self.closed = True


async def test_silence_is_filled_with_a_comment_and_nothing_is_lost():
    frames = Frames()
    stream = with_heartbeat(frames.read(), every=0.01)
    assert await anext(stream) == BEAT
    frames.queue.put_nowait(b"one")
    assert await anext(stream) == b"one"
    assert await anext(stream) == BEAT
    frames.queue.put_nowait(None)
    assert [frame async for frame in stream if frame != BEAT] == []
    assert frames.closed


async def test_a_reader_that_goes_away_closes_what_it_read():
    frames = Frames()
    stream = with_heartbeat(frames.read(), every=60)
    reading = asyncio.ensure_future(anext(stream))
    await asyncio.sleep(0)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert frames.closed


async def test_a_fault_of_the_source_reaches_the_server():
    async def broken() -> AsyncIterator[bytes]:
        yield b"one"
        raise ConnectionError

    stream = with_heartbeat(broken())
    assert await anext(stream) == b"one"
    with pytest.raises(ConnectionError):
        await anext(stream)
