"""Calls of an OpenAI-compatible endpoint, with their time limit and retries.

They use the client that `ChatOpenAI` has built, one layer below it, and read plain JSON:
message objects and callbacks would double the CPU of a token, and cost 5 ms a whole reply.
"""

from __future__ import annotations

import asyncio
import json
import logging
import random
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import httpx2
from langchain_openai import ChatOpenAI
from openai import AsyncOpenAI, AsyncStream

from chat.adapters.openai_faults import EXPECTED, Failed, failure_of, unwanted
from chat.adapters.openai_stream import StreamReader
from chat.adapters.openai_usage import Meter

log = logging.getLogger(__name__)

T = TypeVar("T")
Messages = list[tuple[str, str]]

RETRIES = 2
_PATH = "/chat/completions"
LONGEST_WAIT = 5.0  # seconds; an endpoint that asks for more gets no second try
_FIRST_BACKOFF = 0.25  # seconds, doubled for the second retry

# Wanted, but not every endpoint takes them: some reasoning models refuse a temperature.
_OPTIONAL: dict[str, Any] = {"temperature": 0, "stream_options": {"include_usage": True}}


@dataclass(frozen=True, slots=True)
class Timing:
    """Time and chance, replaceable: `clock` in monotonic seconds, `chance` from 0 to 1."""

    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    chance: Callable[[], float] = random.random


@dataclass(frozen=True, slots=True)
class Target:
    """Where to call. `timeout` is in seconds: to the end of a whole reply; for a stream to
    the first token and between tokens, never for all of it."""

    base_url: str
    models: frozenset[str]
    timeout: float
    api_key: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Whole:
    """A reply that came in one piece: its text, or the arguments of the tool call that it is.

    `cut_short`: the model ran into its own length limit.
    """

    text: str
    arguments: dict[str, Any] | None = None
    cut_short: bool = False


class Client:
    """One endpoint and the models there. Calls raise `Failed` and nothing else."""

    def __init__(
        self, target: Target, transport: httpx2.AsyncBaseTransport, timing: Timing
    ) -> None:
        self._target = target
        self._timeout = target.timeout
        self._timing = timing
        self._http = httpx2.AsyncClient(transport=transport, timeout=None)
        # All at once, at start: the first one imports a quarter of a second of modules.
        self._chats = {model: self._chat(model) for model in target.models}
        self._unwanted: dict[str, frozenset[str]] = {}

    async def aclose(self) -> None:
        """Close the connections; running calls fail."""
        await self._http.aclose()

    async def complete(
        self, model: str, messages: Messages, options: Mapping[str, Any], meter: Meter
    ) -> Whole:
        """A whole reply; its tokens are counted even if nobody can use it."""

        async def once(optional: dict[str, Any]) -> Whole:
            optional.pop("stream_options", None)
            body = {**_body(model, messages), **optional, **options}
            async with asyncio.timeout(self._timeout):
                reply: Any = await self._api(model).post(_PATH, body=body, cast_to=object)
            meter.add(reply.get("usage"))
            return _whole(reply["choices"][0])

        return await self._retried(model, once)

    async def stream(
        self, model: str, messages: Messages, meter: Meter
    ) -> AsyncGenerator[str, None]:
        """Text as it comes, never empty. Nothing is tried again once text has come."""

        async def once(optional: dict[str, Any]) -> tuple[StreamReader, str]:
            events = self._events(model, messages, optional)
            reader = StreamReader(events, self._timeout, meter)
            text = await reader.next_text()
            if not text:
                raise Failed("invalid")
            return reader, text

        reader, text = await self._retried(model, once)
        try:
            while text:
                yield text
                text = await _named(reader.next_text())
        finally:
            await reader.aclose()

    async def _events(
        self, model: str, messages: Messages, optional: dict[str, Any]
    ) -> AsyncGenerator[Any, None]:
        stream: AsyncStream[object] = await self._api(model).post(
            _PATH,
            body=_body(model, messages) | {"stream": True} | optional,
            cast_to=object,
            stream=True,
            stream_cls=AsyncStream[object],
        )
        async with stream:
            async for event in stream:
                yield event

    async def _retried(self, model: str, once: Callable[[dict[str, Any]], Awaitable[T]]) -> T:
        retries = 0
        while True:
            skipped = self._unwanted.get(model, frozenset())
            optional = {key: value for key, value in _OPTIONAL.items() if key not in skipped}
            try:
                return await once(optional)
            except (Failed, *EXPECTED) as error:
                if name := unwanted(error, frozenset(_OPTIONAL) - skipped):
                    self._unwanted[model] = skipped | {name}
                    continue
                failed = failure_of(error)
                wait = self._wait(failed, retries)
                if wait is None:
                    # No message: endpoints like to quote the prompt in it.
                    log.warning("%s: %s (%s)", model, failed.reason, failed.status or "no status")
                    raise failed from error
            retries += 1
            await self._timing.sleep(wait)

    def _wait(self, failed: Failed, retries: int) -> float | None:
        """Seconds until the next try; None for no more."""
        if not failed.repeatable or retries >= RETRIES:
            return None
        if failed.retry_after is not None:
            return failed.retry_after if failed.retry_after <= LONGEST_WAIT else None
        return _FIRST_BACKOFF * 2**retries * (0.5 + 0.5 * self._timing.chance())

    def _api(self, model: str) -> AsyncOpenAI:
        api: AsyncOpenAI = self._chats[model].root_async_client
        return api

    def _chat(self, model: str) -> ChatOpenAI:
        return ChatOpenAI(
            model=model,
            base_url=self._target.base_url,
            api_key=self._key,
            openai_proxy="",
            http_async_client=self._http,
            max_retries=0,
            use_responses_api=False,
        )

    async def _key(self) -> str:
        """A function that must be awaited keeps the library from building a blocking client."""
        return self._target.api_key or "none"  # local endpoints ask for no key


async def _named(work: Awaitable[str]) -> str:
    """The work's result; what it raises gets its one name."""
    try:
        return await work
    except (Failed, *EXPECTED) as error:
        raise failure_of(error) from error


def _body(model: str, messages: Messages) -> dict[str, Any]:
    return {
        "model": model,
        "messages": [{"role": role, "content": text} for role, text in messages],
    }


def _whole(choice: Mapping[str, Any]) -> Whole:
    """What a choice says. Raises `Failed` if the model would not say it."""
    message, finish = choice["message"], choice.get("finish_reason")
    if message.get("refusal") or finish == "content_filter":
        raise Failed("refused")
    calls = message.get("tool_calls")
    arguments = _arguments(calls[0]["function"]["arguments"]) if calls else None
    return Whole(_text(message.get("content")), arguments, cut_short=finish == "length")


def _text(content: Any) -> str:
    """A message's content as text; some endpoints send it in parts."""
    if isinstance(content, list):
        return "".join(part.get("text", "") for part in content)
    return content or ""


def _arguments(text: str) -> dict[str, Any] | None:
    """A tool call's arguments; None for a call that was not written in JSON."""
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return given if isinstance(given, dict) else None
