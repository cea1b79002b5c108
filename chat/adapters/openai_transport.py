"""The HTTP under the model client: aiohttp, handed to the SDK as an httpx2 transport.

It thins event streams out on the way in: the first text passes at once, later text at most
every `interval` seconds, merged with whatever came meanwhile (`sse_merge`). A stream that is
slower than that is not delayed, and neither is the end. No timeout is kept here: the caller
bounds the silence between tokens, and a cancelled read closes the connection at once.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from urllib.request import getproxies, proxy_bypass
from weakref import WeakSet

import aiohttp
import httpx2
from multidict import CIMultiDict
from yarl import URL

from chat.adapters.sse_merge import DONE, SseMerger

_LINGER = 0.02  # seconds to wait for the end of the body after [DONE], to keep the connection
_NO_TIMEOUT = aiohttp.ClientTimeout(total=None, sock_connect=None)
# aiohttp frames the body itself, and a compressed stream could not be merged.
_OWN_HEADERS = frozenset({"connection", "accept-encoding", "transfer-encoding"})


async def until_set(event: asyncio.Event, seconds: float) -> None:
    """Wait until the event is set, at most the given seconds."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()


@dataclass(frozen=True, slots=True)
class Pace:
    """How a stream is thinned out.

    `interval` is the least time in seconds between two chunks of one stream; 0 merges only
    what waits already. More than `crowd` streams at once share what that many would send, so
    that the work is bounded however many there are: with 50, each waits 75 ms. `clock` gives
    monotonic seconds; `pause` waits for an event or a time, whichever is first.
    """

    interval: float = 0.05
    crowd: int = 33
    clock: Callable[[], float] = time.monotonic
    pause: Callable[[asyncio.Event, float], Awaitable[None]] = until_set

    def rest(self, streams: int) -> float:
        """Seconds between two chunks of a stream while so many are open."""
        return self.interval * max(1.0, streams / self.crowd)


class MergingTransport(httpx2.AsyncBaseTransport):
    """Sends requests through aiohttp and merges the deltas of event streams.

    Raises `httpx2.ConnectError` when no reply came at all, and `httpx2.ReadError` when a
    reply was cut off.
    """

    def __init__(self, pace: Pace | None = None) -> None:
        self._pace = pace or Pace()
        self._sessions: dict[asyncio.AbstractEventLoop, aiohttp.ClientSession] = {}
        self._proxies: dict[URL, str | None] = {}
        self._streams: WeakSet[_MergedBody] = WeakSet()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        body = await request.aread()
        session = await self._session()
        url = URL(str(request.url), encoded=True)
        try:
            reply = await session.request(
                request.method,
                url,
                headers=_headers_out(request),
                data=body or None,
                proxy=self._proxy(url.origin()),
                allow_redirects=False,
                timeout=_NO_TIMEOUT,
            )
        except (aiohttp.ClientError, OSError) as error:
            raise httpx2.ConnectError(str(error), request=request) from error
        return httpx2.Response(
            reply.status,
            headers=list(reply.raw_headers),
            stream=self._merged(reply) if _can_merge(reply) else _Body(reply),
            request=request,
        )

    async def aclose(self) -> None:
        """Close every connection that this transport holds."""
        sessions, self._sessions = self._sessions, {}
        for session in sessions.values():
            await session.close()

    def _merged(self, reply: aiohttp.ClientResponse) -> _MergedBody:
        body = _MergedBody(reply, self._pace, self._streams)
        self._streams.add(body)
        return body

    def _proxy(self, origin: URL) -> str | None:
        """The proxy that the environment names for an origin, looked up once.

        aiohttp's own `trust_env` goes to a thread with every request, and lets a `.netrc`
        stand against the key.
        """
        if origin not in self._proxies:
            by_passed = proxy_bypass(origin.host or "")
            self._proxies[origin] = None if by_passed else getproxies().get(origin.scheme)
        return self._proxies[origin]

    async def _session(self) -> aiohttp.ClientSession:
        """The session of the running loop: commands and tests start more than one loop."""
        loop = asyncio.get_running_loop()
        if loop not in self._sessions:
            self._sessions[loop] = aiohttp.ClientSession(
                # How many streams run at once is bounded by the turns, not here.
                connector=aiohttp.TCPConnector(limit=0),
                cookie_jar=aiohttp.DummyCookieJar(),
                auto_decompress=False,
            )
            for old in [known for known in self._sessions if known.is_closed()]:
                await self._sessions.pop(old).close()
        return self._sessions[loop]


class _Body(httpx2.AsyncByteStream):
    """A reply's body as it comes."""

    def __init__(self, reply: aiohttp.ClientResponse) -> None:
        self._reply = reply

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while data := await self._read():
            yield data

    async def aclose(self) -> None:
        """Keep the connection if the body came to its end, else close it at once."""
        if self._reply.content.is_eof():
            self._reply.release()
        else:
            self._reply.close()

    async def _read(self) -> bytes:
        try:
            return await self._reply.content.readany()
        except (aiohttp.ClientError, OSError) as error:
            raise httpx2.ReadError(str(error)) from error


class _MergedBody(_Body):
    """An event stream, merged and paced with the others that are open."""

    def __init__(
        self, reply: aiohttp.ClientResponse, pace: Pace, others: WeakSet[_MergedBody]
    ) -> None:
        super().__init__(reply)
        self._pace = pace
        self._others = others
        self._ended = asyncio.Event()
        reply.content.on_eof(self._ended.set)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        merger = SseMerger()
        due = 0.0
        while data := await self._read():
            if merger.texts:
                data += await self._more(data, due - self._pace.clock())
            if out := merger.feed(data):
                due = self._pace.clock() + self._pace.rest(len(self._others))
                yield out
            if merger.done:
                # Some servers hold the body open after [DONE], and the SDK would wait for it.
                await self._linger()
                return
        if rest := merger.rest():
            yield rest

    async def aclose(self) -> None:
        self._others.discard(self)
        await super().aclose()

    async def _more(self, data: bytes, seconds: float) -> bytes:
        """What came within the pause. The end of the body ends the pause."""
        if seconds <= 0 or DONE in data:
            return b""
        await self._pace.pause(self._ended, seconds)
        content = self._reply.content
        # After a fault, what was read before it is handed on first.
        return b"" if content.exception() is not None else content.read_nowait()

    async def _linger(self) -> None:
        if not self._ended.is_set():
            await self._pace.pause(self._ended, _LINGER)


def _can_merge(reply: aiohttp.ClientResponse) -> bool:
    plain = reply.headers.get("Content-Encoding", "identity") == "identity"
    return plain and reply.content_type == "text/event-stream"


def _headers_out(request: httpx2.Request) -> CIMultiDict[str]:
    headers: CIMultiDict[str] = CIMultiDict(
        (key, value) for key, value in request.headers.multi_items() if key not in _OWN_HEADERS
    )
    headers["Accept-Encoding"] = "identity"
    return headers
