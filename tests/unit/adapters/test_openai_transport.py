"""The transport thins streams out and loses nothing, over real HTTP."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2
import pytest

from chat.adapters.openai_transport import MergingTransport, Pace, until_set
from tests.doubles.endpoint import Endpoint
from tests.doubles.wire import Script

ABCD = Script(deltas=("a", "b", "c", "d"))


class Gate:
    """Lets the endpoint send its deltas one by one, when the test says so."""

    def __init__(self) -> None:
        self._open = asyncio.Semaphore(0)

    async def step(self, _number: int) -> None:
        await self._open.acquire()

    def let(self, count: int) -> None:
        for _ in range(count):
            self._open.release()


def texts(data: bytes) -> list[str]:
    """The text of each event in these bytes that has any."""
    lines = [line[6:] for line in data.split(b"\n") if line.startswith(b"data: {")]
    deltas = [choice["delta"] for line in lines for choice in json.loads(line)["choices"]]
    return [delta["content"] for delta in deltas if delta.get("content")]


@asynccontextmanager
async def streaming(endpoint: Endpoint, pace: Pace) -> AsyncIterator[AsyncIterator[bytes]]:
    async with httpx2.AsyncClient(transport=MergingTransport(pace)) as client:
        body = {"model": "m", "messages": [], "stream": True}
        url = f"{endpoint.base_url}/chat/completions"
        async with client.stream("POST", url, json=body) as reply:
            yield reply.aiter_bytes()


async def until_the_end(ended: asyncio.Event, _seconds: float) -> None:
    await ended.wait()


async def never(_ended: asyncio.Event, _seconds: float) -> None:
    raise AssertionError("the stream was held up")


async def next_texts(stream: AsyncIterator[bytes]) -> list[str]:
    """The texts of the next chunk that has any."""
    async for data in stream:
        if found := texts(data):
            return found
    return []


async def test_the_first_text_passes_at_once_and_what_follows_within_the_interval_merges() -> None:
    gate = Gate()
    pace = Pace(interval=30, pause=until_the_end)
    async with Endpoint(ABCD, step=gate.step) as endpoint, streaming(endpoint, pace) as stream:
        gate.let(1)
        assert await next_texts(stream) == ["a"]
        gate.let(3)
        assert await next_texts(stream) == ["bcd"]


async def test_a_stream_slower_than_the_interval_is_not_held_up() -> None:
    gate = Gate()
    clock = iter(range(0, 10_000, 10))
    pace = Pace(interval=5, clock=lambda: next(clock), pause=never)
    async with Endpoint(ABCD, step=gate.step) as endpoint, streaming(endpoint, pace) as stream:
        for text in "abcd":
            gate.let(1)
            assert await next_texts(stream) == [text]


async def test_without_an_interval_only_what_waits_is_merged() -> None:
    gate = Gate()
    pace = Pace(interval=0, clock=lambda: 0.0, pause=never)
    async with Endpoint(ABCD, step=gate.step) as endpoint, streaming(endpoint, pace) as stream:
        for text in "abcd":
            gate.let(1)
            assert await next_texts(stream) == [text]


async def test_the_end_of_a_stream_ends_the_pause() -> None:
    async with asyncio.timeout(10), Endpoint(ABCD) as endpoint:
        async with streaming(endpoint, Pace(interval=60)) as stream:
            data = b"".join([chunk async for chunk in stream])
    assert "".join(texts(data)) == "abcd"
    assert data.endswith(b"data: [DONE]\n\n")


@pytest.mark.parametrize(("streams", "seconds"), [(1, 0.05), (33, 0.05), (66, 0.1), (330, 0.5)])
def test_a_crowd_shares_what_its_largest_free_number_would_send(
    streams: int, seconds: float
) -> None:
    assert Pace(interval=0.05, crowd=33).rest(streams) == pytest.approx(seconds)


async def test_a_body_that_stays_open_after_its_closing_mark_is_left() -> None:
    script = Script(deltas=("a",), fault="open_end")
    async with asyncio.timeout(10), Endpoint(script) as endpoint:
        async with streaming(endpoint, Pace()) as stream:
            assert texts(b"".join([chunk async for chunk in stream])) == ["a"]
        await endpoint.asked[0].gone.wait()


async def test_a_connection_is_used_again_after_a_whole_stream() -> None:
    async with Endpoint(ABCD, ABCD) as endpoint:
        async with httpx2.AsyncClient(transport=MergingTransport(Pace(interval=0))) as client:
            for _ in range(2):
                body = {"model": "m", "messages": [], "stream": True}
                await client.post(f"{endpoint.base_url}/chat/completions", json=body)
    assert endpoint.asked[0].peer == endpoint.asked[1].peer


async def test_leaving_a_stream_closes_its_connection() -> None:
    gate = Gate()
    async with Endpoint(ABCD, step=gate.step) as endpoint:
        async with streaming(endpoint, Pace(interval=0)) as stream:
            gate.let(1)
            assert await next_texts(stream) == ["a"]
        async with asyncio.timeout(10):
            await endpoint.asked[0].gone.wait()


async def test_a_cut_connection_is_a_read_error_after_what_came_before() -> None:
    gate = Gate()
    script = Script(deltas=("a", "b"), fault="cut", after=1)
    async with Endpoint(script, step=gate.step) as endpoint:
        with pytest.raises(httpx2.ReadError):
            async with streaming(endpoint, Pace(interval=0)) as stream:
                gate.let(1)
                assert await next_texts(stream) == ["a"]
                gate.let(1)
                await next_texts(stream)


async def test_a_port_where_nobody_listens_is_a_connect_error() -> None:
    endpoint = Endpoint()
    await endpoint.start(0)
    await endpoint.stop()
    with pytest.raises(httpx2.ConnectError):
        async with streaming(endpoint, Pace()):
            pass


async def test_the_proxy_of_the_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("no_proxy", "NO_PROXY", "HTTP_PROXY"):
        monkeypatch.delenv(name, raising=False)
    async with Endpoint() as proxy, httpx2.AsyncClient(transport=MergingTransport()) as client:
        monkeypatch.setenv("http_proxy", proxy.base_url.removesuffix("/v1"))
        body = {"model": "m", "messages": []}
        reply = await client.post("http://model.invalid/v1/chat/completions", json=body)
    assert reply.status_code == 200
    assert proxy.asked[0].headers["Host"] == "model.invalid"


def test_one_transport_serves_one_event_loop_after_another() -> None:
    transport = MergingTransport(Pace(interval=0))

    async def ask() -> int:
        async with Endpoint() as endpoint:
            request = httpx2.Request(
                "POST",
                f"{endpoint.base_url}/chat/completions",
                json={"model": "m", "messages": []},
            )
            reply = await transport.handle_async_request(request)
            await reply.aread()
            return reply.status_code

    assert [asyncio.run(ask()) for _ in range(2)] == [200, 200]
    asyncio.run(transport.aclose())


async def test_a_pause_ends_with_its_time() -> None:
    await until_set(asyncio.Event(), 0.001)
