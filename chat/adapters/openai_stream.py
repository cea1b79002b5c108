"""Reads one streamed reply: its text, its tool calls, its end, and the silence in between."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import openai

from chat.adapters.openai_calls import CallAssembler
from chat.adapters.openai_faults import Failed
from chat.adapters.openai_text import Unfencing, storable
from chat.adapters.openai_usage import Meter

_REPLACEMENT = "\ufffd"
_AFTERWARDS = 1.0  # seconds to wait for the usage once the reply has finished


class StreamReader:
    """The text of a reply, piece by piece, over decoded stream events.

    `timeout` is in seconds, to the first token and between tokens. A token is anything that
    the model produced, so thinking aloud and parts of a tool call count, and empty events do
    not. `calls` are complete once the text has come to its end.
    """

    def __init__(self, events: AsyncGenerator[Any, None], timeout: float, meter: Meter) -> None:
        self._events = events
        self._timeout = timeout
        self._meter = meter
        self._seen = False
        self._finish: str | None = None
        self._usage: Any = None
        self._half = ""
        self._fence = Unfencing()
        self.calls = CallAssembler()

    async def next_text(self) -> str:
        """The next piece; empty at the end of a complete reply.

        Raises `Failed` for a refusal or a reply without an end, and whatever the connection
        raises. The connection is closed then.
        """
        try:
            async with asyncio.timeout(self._patience()) as limit:
                return await self._next(limit)
        except (TimeoutError, openai.APIConnectionError):
            await self.aclose()
            if self._finish is None:
                raise
            return self._end()  # all that is missing is the usage
        except BaseException:
            await self.aclose()
            raise

    async def aclose(self) -> None:
        """Close the connection if the reply has not come to its end; count what it used."""
        # Some endpoints send the sum so far with every event: the last one counts.
        self._meter.add(self._usage)
        self._usage = None
        await self._events.aclose()

    async def _next(self, limit: asyncio.Timeout) -> str:
        clock = asyncio.get_running_loop().time
        async for event in self._events:
            self._seen = True
            self._usage = event.get("usage") or self._usage
            choice = (event.get("choices") or [{}])[0]
            delta = choice.get("delta") or {}
            self._finish = choice.get("finish_reason") or self._finish
            if delta.get("refusal") or self._finish == "content_filter":
                raise Failed("refused")
            self.calls.take(delta.get("tool_calls"))
            if text := self._whole(delta.get("content") or ""):
                return text
            if choice.get("finish_reason") or any(v for k, v in delta.items() if k != "role"):
                limit.reschedule(clock() + self._patience())
        await self.aclose()
        return self._end()

    def _patience(self) -> float:
        return self._timeout if self._finish is None else min(self._timeout, _AFTERWARDS)

    def _end(self) -> str:
        if self._finish is None:
            # A body without a single event was never a stream; a stream that stops was cut.
            raise Failed("cut_stream" if self._seen else "invalid")
        self._meter.cut_short = self._finish == "length"
        half, self._half = self._half, ""
        return self._fence.feed(_REPLACEMENT if half else "") + self._fence.rest()

    def _whole(self, text: str) -> str:
        """The text in whole characters; half a surrogate pair waits for its other half.

        Marks of the prompts' fence are taken out, and what may become one waits too.
        """
        text, self._half = self._half + text, ""
        if text and "\ud800" <= text[-1] <= "\udbff":
            text, self._half = text[:-1], text[-1]
        return self._fence.feed(storable(text))
