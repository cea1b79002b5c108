"""The near side of a benchmark: people with a session and a socket each, who keep what arrives.

A visitor notes for each frame how much of the draft was there and when, and leaves all
arithmetic to the end, so that looking costs little on the machine that is being measured.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import time
from dataclasses import dataclass, field
from typing import Any, Self
from uuid import uuid4

import aiohttp

from benchmarks.paced_endpoint import LENGTH, written

CONVERSATION = re.compile(r'data-conversation="([^"]+)"')
SECONDS = 180  # that anything may take


@dataclass
class Draft:
    """A draft as it grew: after each frame its length in characters and the time."""

    text: str = ""
    growth: list[tuple[int, int]] = field(default_factory=list)

    def place(self, offset: int, text: str) -> None:
        """Put text where it belongs; what is there already is not taken twice."""
        if offset > len(self.text):
            raise RuntimeError(f"a hole in the draft, from {len(self.text)} to {offset}")
        self.text += text[len(self.text) - offset :]
        self.growth.append((len(self.text), time.time_ns()))

    def sha256(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()

    def lags(self, go: int) -> list[float]:
        """Milliseconds from the writing of each token to its arrival."""
        found, done = [], 0
        for length, arrived in self.growth:
            while done + LENGTH <= length:
                found.append((arrived - written(self.text[done : done + LENGTH], go)) / 1e6)
                done += LENGTH
        return found


class Listener:
    """A socket on the bare relay: no session, no page, a question is its own frame."""

    def __init__(self, port: int, characters: int) -> None:
        self.draft = Draft()
        self.frames = 0
        self.asked = self.first = 0  # nanoseconds since the epoch
        self.drafted, self.finished = asyncio.Event(), asyncio.Event()
        self._address = f"http://127.0.0.1:{port}"
        self._characters = characters
        self._session = aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True))
        self._socket: aiohttp.ClientWebSocketResponse
        self._reading: asyncio.Task[None]

    async def __aenter__(self) -> Self:
        async with asyncio.timeout(SECONDS):
            self._socket = await self._connected()
        self._reading = asyncio.create_task(self._read())
        return self

    async def __aexit__(self, *exc: object) -> None:
        self._reading.cancel()
        await self._socket.close()
        await self._session.close()

    async def ask(self, question: str) -> None:
        self.asked = time.time_ns()
        await self._say(question)

    async def until(self, event: asyncio.Event) -> None:
        """Wait for `drafted` or `finished`. What broke the reading is raised here."""
        waiting = asyncio.create_task(event.wait())
        async with asyncio.timeout(SECONDS):
            await asyncio.wait({waiting, self._reading}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if not event.is_set():
            raise RuntimeError("the socket ended before the answer did") from self._broke()

    async def _say(self, question: str) -> None:
        await self._socket.send_str(question)

    async def _connected(self) -> aiohttp.ClientWebSocketResponse:
        return await self._session.ws_connect(f"{self._address}/")

    async def _read(self) -> None:
        async for message in self._socket:
            self._take(json.loads(message.data))

    def _take(self, frame: dict[str, Any]) -> None:
        if "text" in frame:
            self._grow(len(self.draft.text), frame["text"])
        else:
            self.finished.set()

    def _grow(self, offset: int, text: str) -> None:
        self.frames += 1
        self.first = self.first or time.time_ns()
        self.draft.place(offset, text)
        if len(self.draft.text) >= self._characters:
            self.drafted.set()

    def _broke(self) -> BaseException | None:
        return self._reading.exception() if self._reading.done() else None


class Visitor(Listener):
    """A person at the product: opens the page, then a socket on its conversation."""

    turn = ""

    async def stored(self) -> str:
        """The draft as the log kept it, read again from the first event."""
        live, self.draft = self.draft, Draft()
        self.finished.clear()
        await self._socket.send_json({"type": "resume", "turn": self.turn, "after": 0})
        await self.until(self.finished)
        kept, self.draft = self.draft, live
        return kept.sha256()

    async def _connected(self) -> aiohttp.ClientWebSocketResponse:
        async with self._session.get(f"{self._address}/chat/") as reply:
            page = CONVERSATION.search(await reply.text())
        if page is None:
            raise RuntimeError(f"the page names no conversation (status {reply.status})")
        path = f"{self._address}/ws/chat/{page[1]}/"
        socket = await self._session.ws_connect(path, origin=self._address)
        hello = await socket.receive_json()
        if hello["type"] != "hello":
            raise RuntimeError(f"no welcome: {hello}")
        return socket

    async def _say(self, question: str) -> None:
        ask = {"type": "ask", "text": question, "client_id": str(uuid4())}
        await self._socket.send_json(ask)

    def _take(self, frame: dict[str, Any]) -> None:
        match frame["type"]:
            case "turn_started":
                self.turn = frame["turn"]
            case "token":
                self._grow(frame["data"]["offset"], frame["data"]["text"])
            case "turn_finished":
                self.finished.set()
            case "refused" | "error" | "draft_withdrawn":
                raise RuntimeError(f"instead of an answer: {frame}")
