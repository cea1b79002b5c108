"""A model endpoint that speaks the OpenAI wire format from a script, over real HTTP.

In process: `async with Endpoint() as endpoint:`. On its own, for benchmarks:
`python -m tests.doubles.endpoint --port 9001 --rate 100`. A request takes the next script;
with none left it gets `default`, or the smallest answer that fits the schema it brought.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from collections import deque
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, field
from typing import Any, Self

from aiohttp import web

from tests.doubles.wire import Script, chunk, completion, error, event, mode_of, parts_of, sample

EVERY_MODE = frozenset({"json_schema", "tool", "json_object", "none"})
WORDS = ("A", " refund", " reaches", " your", " card", " in", " 5", " to", " 10", " days", ". ")


@dataclass
class Asked:
    """A request that came in. `gone` is set when its client left before the end.

    `peer` is the client's address, so equal for requests over one connection.
    """

    body: dict[str, Any]
    headers: dict[str, str]
    peer: Any
    gone: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def mode(self) -> str:
        return mode_of(self.body)

    @property
    def prompt(self) -> str:
        """All messages of the request in one text."""
        texts = [
            part["text"] for message in self.body["messages"] for part in parts_of(message, "text")
        ]
        return "\n".join(texts)

    @property
    def pictures(self) -> list[str]:
        """The addresses of all pictures in the request."""
        messages = self.body["messages"]
        return [
            part["image_url"]["url"]
            for message in messages
            for part in parts_of(message, "image_url")
        ]


async def _at_once(_number: int) -> None:
    """Hold nothing back."""


class Endpoint:
    """The server. `modes` are the ways to ask for structure that it accepts (else 400); without
    `tool` it takes no tools at all, and if it `sees` nothing, no pictures.

    It also answers 400 to a parameter that it `refuses`. `sleep` waits between deltas
    (seconds); `step` is awaited with its number before each delta and before a fault, so that
    a test decides when it may happen. `arrived` is called for each request.
    """

    def __init__(
        self,
        *scripts: Script,
        modes: Collection[str] = EVERY_MODE,
        refuses: Collection[str] = (),
        sees: bool = True,
        default: Script | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        step: Callable[[int], Awaitable[None]] = _at_once,
        arrived: Callable[[], None] = lambda: None,
    ) -> None:
        self.scripts = deque(scripts)
        self.asked: list[Asked] = []
        self.base_url = ""
        self._modes = modes
        self._refuses = refuses
        self._sees = sees
        self._default = default or Script(deltas=WORDS)
        self._sleep = sleep
        self._step = step
        self._arrived = arrived
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> Self:
        await self.start(0)
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.stop()

    async def start(self, port: int) -> None:
        """Serve on 127.0.0.1; port 0 takes a free one. `base_url` says which."""
        app = web.Application()
        app.router.add_post("/v1/chat/completions", self._complete)
        self._runner = web.AppRunner(
            app, handler_cancellation=True, shutdown_timeout=0, access_log=None
        )
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", port)
        await site.start()
        self.base_url = f"http://127.0.0.1:{self._runner.addresses[0][1]}/v1"

    async def stop(self) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    async def _complete(self, request: web.Request) -> web.StreamResponse:
        peer = request.transport.get_extra_info("peername") if request.transport else None
        asked = Asked(await request.json(), dict(request.headers), peer)
        self.asked.append(asked)
        self._arrived()
        try:
            return await self._reply(request, asked)
        except (asyncio.CancelledError, ConnectionResetError):
            asked.gone.set()
            raise

    async def _reply(self, request: web.Request, asked: Asked) -> web.StreamResponse:
        if unknown := self._unknown(asked):
            return web.json_response(error(f"Unsupported: {unknown[0]}", None), status=400)
        script = self._next(asked)
        if script.status != 200:
            body = error("scripted", script.code)
            return web.json_response(body, status=script.status, headers=script.headers)
        if script.fault == "html":
            return web.Response(text="<html>A login page</html>", content_type="text/html")
        if asked.body.get("stream"):
            return await self._stream(request, asked, script)
        return await self._whole(request, asked, script)

    def _unknown(self, asked: Asked) -> list[str]:
        """What of a request this endpoint does not take."""
        unknown = [name for name in self._refuses if name in asked.body]
        unknown += [asked.mode] if asked.mode not in self._modes else []
        unknown += ["tools"] if "tools" in asked.body and "tool" not in self._modes else []
        return unknown + (["image_url"] if asked.pictures and not self._sees else [])

    def _next(self, asked: Asked) -> Script:
        if self.scripts:
            return self.scripts.popleft()
        if asked.mode == "json_schema":
            return Script(answer=sample(asked.body["response_format"]["json_schema"]["schema"]))
        if asked.mode == "tool":
            return Script(answer=sample(asked.body["tools"][0]["function"]["parameters"]))
        return self._default

    async def _whole(
        self, request: web.Request, asked: Asked, script: Script
    ) -> web.StreamResponse:
        text = json.dumps(completion(asked.body["model"], script, asked.mode))
        if script.fault == "silence":
            await asyncio.Event().wait()
        if script.fault == "cut":
            _hang_up(request)
        if script.fault == "malformed":
            text = text[: len(text) // 2]
        return web.Response(text=text, content_type="application/json", headers=script.headers)

    async def _stream(
        self, request: web.Request, asked: Asked, script: Script
    ) -> web.StreamResponse:
        model = asked.body["model"]
        reply = web.StreamResponse(headers={"Content-Type": "text/event-stream"} | script.headers)
        await reply.prepare(request)
        await reply.write(chunk(model, {"role": "assistant", "content": ""}))
        start = time.monotonic()
        for number, piece in enumerate(script.pieces):
            if _strikes(script, number):
                return await self._fail(request, reply, script)
            if script.pace:
                await self._sleep(max(0.0, start + number * script.pace - time.monotonic()))
            await self._step(number)
            delta = {"content": piece} if isinstance(piece, str) else piece
            await reply.write(chunk(model, delta))
        if _strikes(script, len(script.pieces)):
            return await self._fail(request, reply, script)
        await reply.write(self._end(asked, script))
        if script.fault == "open_end":
            await asyncio.Event().wait()
        return reply

    @staticmethod
    def _end(asked: Asked, script: Script) -> bytes:
        model = asked.body["model"]
        end = chunk(model, {}, finish=script.finish)
        if script.usage and (asked.body.get("stream_options") or {}).get("include_usage"):
            end += chunk(model, None, usage=script.usage)
        return end + b"data: [DONE]\n\n"

    async def _fail(
        self, request: web.Request, reply: web.StreamResponse, script: Script
    ) -> web.StreamResponse:
        await self._step(script.after)
        if script.fault == "silence":
            await asyncio.Event().wait()
        if script.fault == "cut":
            _hang_up(request)
        if script.fault == "malformed":
            await reply.write(b'data: {"choices": [{"delta"\n\n')
        if script.fault == "error_event":
            await reply.write(event(error("overloaded", script.code)))
        return reply


def _strikes(script: Script, number: int) -> bool:
    return script.fault not in (None, "open_end") and number == script.after


def _hang_up(request: web.Request) -> None:
    if request.transport is not None:
        request.transport.abort()
    raise ConnectionResetError("scripted")


async def _serve(port: int, script: Script) -> None:
    endpoint = Endpoint(default=script)
    await endpoint.start(port)
    await asyncio.Event().wait()


def main() -> None:
    """Serve until the process is ended."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--rate", type=float, default=100.0, help="tokens a second and stream")
    parser.add_argument("--tokens", type=int, default=500, help="tokens of a reply")
    options = parser.parse_args()
    words = tuple(WORDS[number % len(WORDS)] for number in range(options.tokens))
    pace = 1 / options.rate if options.rate else 0.0
    asyncio.run(_serve(options.port, Script(deltas=words, pace=pace)))


if __name__ == "__main__":
    main()
