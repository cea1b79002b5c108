"""The far side of a benchmark: a model endpoint whose tokens say when they were written.

A question that names its visitor gets a stream that waits until `POST /go`, then comes at a
fixed rate; all its tokens are five characters, as long as a usual token. Any other question
is answered at once. Requests for structure get the label that leads on to an answer.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import re
import time
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.doubles.endpoint import Asked, Endpoint
from tests.doubles.wire import Script, chunk, sample

RATE = 100.0  # tokens a second and stream
UNIT_NS = 100_000  # a tenth of a millisecond, in which tokens tell the time
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
LENGTH = 5  # characters of a token: four digits and a space, good for 167 seconds
WANTED = ("RELEVANT", "ANSWERS", "HIGH", "OTHER", "READY", "SPECIFIC", "YES")
VISITOR = re.compile(r"visitor (\d+)")


def asking(number: int) -> str:
    """The question of a visitor, whose answer waits for `go`."""
    return f"How long does a refund take to reach visitor {number}?"


def written(token: str, go: int) -> int:
    """When a token was written, in nanoseconds since the epoch. `go` is what `/go` replied."""
    return go + int(token, 36) * UNIT_NS


def token_at(now: int, go: int) -> str:
    """The token of a moment; both in nanoseconds since the epoch."""
    units, digits = (now - go) // UNIT_NS, ""
    for _ in range(LENGTH - 1):
        units, digit = divmod(units, 36)
        digits = DIGITS[digit] + digits
    return digits + " "


@dataclass
class Start:
    """One start of all streams: `count` of them wait until `open` is set, to send `tokens`.

    `arrived` is notified of each.
    """

    count: int = 0
    arrived: asyncio.Condition = field(default_factory=asyncio.Condition)
    tokens: int = 0
    open: asyncio.Event = field(default_factory=asyncio.Event)
    at: int = 0  # nanoseconds since the epoch
    clock: float = 0.0  # the same moment on the loop's clock
    sent: dict[str, dict[str, Any]] = field(default_factory=dict)


class PacedEndpoint(Endpoint):
    """The endpoint with its barrier. `GET /gathered`, `POST /go`, `GET /sent` and `GET /held`."""

    def __init__(self) -> None:
        super().__init__()
        self._start = Start()
        self._last = self._start
        self._held: list[tuple[int, int]] = []

    async def serve(self, port: int) -> None:
        app = web.Application()
        app.router.add_post("/v1/chat/completions", self._complete)
        app.router.add_get("/gathered", self._gathered)
        app.router.add_post("/go", self._go)
        app.router.add_get("/sent", self._tell_sent)
        app.router.add_get("/held", self._tell_held)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", port).start()
        await asyncio.Event().wait()

    # ---- what the benchmark asks

    async def _gathered(self, request: web.Request) -> web.Response:
        """Replies once so many `streams` wait."""
        start, wanted = self._start, int(request.query["streams"])
        async with start.arrived:
            await start.arrived.wait_for(lambda: start.count >= wanted)
        return web.json_response(start.count)

    async def _go(self, request: web.Request) -> web.Response:
        """Starts every stream that waits, each of so many `tokens`; replies with the moment."""
        self._last, self._start = self._start, Start()
        self._last.tokens = int(request.query["tokens"])
        self._last.at = time.time_ns()
        self._last.clock = asyncio.get_running_loop().time()
        self._last.open.set()
        return web.json_response(self._last.at)

    async def _tell_sent(self, _request: web.Request) -> web.Response:
        """Of the streams of the last start, by visitor: `sha256`, `characters`, `late_ms`."""
        return web.json_response(self._last.sent)

    async def _tell_held(self, _request: web.Request) -> web.Response:
        """From when to when requests were in here since the last look, in nanoseconds."""
        held, self._held = self._held, []
        return web.json_response(held)

    # ---- what the model is asked

    async def _complete(self, request: web.Request) -> web.StreamResponse:
        arrived = time.time_ns()
        body = await request.json()
        if body.get("stream"):
            self._held.append((arrived, time.time_ns()))
            return await super()._complete(request)
        reply = await super()._complete(request)
        self._held.append((arrived, time.time_ns()))
        return reply

    def _next(self, asked: Asked) -> Script:
        script = super()._next(asked)
        if isinstance(script.answer, dict):
            return Script(answer=leading_on(asked.body["response_format"]["json_schema"]["schema"]))
        return script

    async def _stream(
        self, request: web.Request, asked: Asked, script: Script
    ) -> web.StreamResponse:
        visitor = VISITOR.search(asked.prompt)
        if visitor is None:
            return await super()._stream(request, asked, script)
        model = asked.body["model"]
        reply = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await reply.prepare(request)
        await reply.write(chunk(model, {"role": "assistant", "content": ""}))
        start = self._start
        async with start.arrived:
            start.count += 1
            start.arrived.notify_all()
        await start.open.wait()
        start.sent[visitor[1]] = await self._write(reply, start, model, int(visitor[1]))
        await reply.write(self._end(asked, script))
        return reply

    async def _write(
        self, reply: web.StreamResponse, start: Start, model: str, number: int
    ) -> dict[str, Any]:
        """Streams run at the same rate, but not in step: real ones would not be either."""
        before, after = chunk(model, {"content": "#"}).split(b"#")
        clock = asyncio.get_running_loop().time
        first, late, digest = start.clock + (number * 0.618 % 1) / RATE, 0.0, hashlib.sha256()
        for count in range(start.tokens):
            behind = clock() - first - count / RATE
            if behind < 0:
                await asyncio.sleep(-behind)
            late = max(late, behind)
            token = token_at(time.time_ns(), start.at).encode()
            digest.update(token)
            await reply.write(before + token + after)
        characters = start.tokens * LENGTH
        return {"sha256": digest.hexdigest(), "characters": characters, "late_ms": late * 1000}


def leading_on(schema: dict[str, Any]) -> dict[str, Any]:
    """A value that fits the schema, with the label of each list that leads to an answer."""
    reply: dict[str, Any] = sample(schema)
    for name, given in schema.get("properties", {}).items():
        reply[name] = next((w for w in WANTED if w in given.get("enum", ())), reply[name])
    return reply


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    asyncio.run(PacedEndpoint().serve(parser.parse_args().port))
