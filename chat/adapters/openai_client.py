"""Calls of an OpenAI-compatible endpoint, with their time limit and retries.

They use the client that `ChatOpenAI` has built, one layer below it, and read plain JSON:
message objects and callbacks would double the CPU of a token, and cost 5 ms a whole reply.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import httpx2
from langchain_openai import ChatOpenAI
from openai import AsyncOpenAI, AsyncStream

from chat.adapters.openai_calls import calls_of
from chat.adapters.openai_faults import EXPECTED, Failed, failure_of, unwanted
from chat.adapters.openai_request import OPTIONAL, Request
from chat.adapters.openai_stream import StreamReader
from chat.adapters.openai_usage import Meter
from chat.contracts.tasks import ToolCall

log = logging.getLogger(__name__)

T = TypeVar("T")

RETRIES = 2
_PATH = "/chat/completions"
LONGEST_WAIT = 5.0  # seconds; an endpoint that asks for more gets no second try
_FIRST_BACKOFF = 0.25  # seconds, doubled for the second retry


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
    """A reply that came in one piece: its text and its tool calls.

    `cut_short`: the model ran into its own length limit.
    """

    text: str
    calls: tuple[ToolCall, ...] = ()
    cut_short: bool = False

    @property
    def arguments(self) -> dict[str, Any] | None:
        """Those of the first call, for a reply that is one; None if they cannot be read."""
        return self.calls[0].arguments if self.calls else None


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

    def takes_tools(self, model: str) -> bool:
        """False once the endpoint has said that it does not."""
        return "tools" not in self._unwanted.get(model, frozenset())

    def leave_out(self, model: str, name: str) -> None:
        """Send this model no more of a parameter or an extra, by its name."""
        self._unwanted[model] = self._unwanted.get(model, frozenset()) | {name}

    async def complete(self, request: Request, meter: Meter) -> Whole:
        """A whole reply; its tokens are counted even if nobody can use it."""

        async def once(left_out: frozenset[str]) -> Whole:
            body = request.body(left_out)
            async with asyncio.timeout(self._timeout):
                reply: Any = await self._api(request.model).post(_PATH, body=body, cast_to=object)
            meter.add(reply.get("usage"))
            return _whole(reply["choices"][0])

        return await self._retried(request, once, meter)

    async def stream(self, request: Request, meter: Meter) -> AsyncGenerator[str | ToolCall, None]:
        """Text as it comes, never empty, and then the tool calls.

        Nothing is tried again once text has come. A call that was begun and not finished is
        tried again, since nobody has seen it.
        """

        async def once(left_out: frozenset[str]) -> tuple[StreamReader, str]:
            events = self._events(request, left_out)
            reader = StreamReader(events, self._timeout, meter)
            text = await reader.next_text()
            if not text and not reader.calls:
                raise Failed("invalid")
            return reader, text

        reader, text = await self._retried(request, once, meter)
        try:
            while text:
                yield text
                text = await _named(reader.next_text())
            for call in reader.calls.calls():
                yield call
        finally:
            await reader.aclose()

    async def _events(
        self, request: Request, left_out: frozenset[str]
    ) -> AsyncGenerator[Any, None]:
        stream: AsyncStream[object] = await self._api(request.model).post(
            _PATH,
            body=request.body(left_out, stream=True),
            cast_to=object,
            stream=True,
            stream_cls=AsyncStream[object],
        )
        async with stream:
            async for event in stream:
                yield event

    async def _retried(
        self, request: Request, once: Callable[[frozenset[str]], Awaitable[T]], meter: Meter
    ) -> T:
        left_out = self._unwanted.get(request.model, frozenset())
        retries = 0
        while True:
            try:
                return await once(left_out)
            except (Failed, *EXPECTED) as error:
                failed = failure_of(error)
                wait = self._wait(failed, retries)
                if name := self._given_up(request, error, wait is None, left_out):
                    left_out |= {name}
                    meter.repaired = meter.repaired or name in request.extras
                    continue
                if wait is None:
                    # No message: endpoints like to quote the prompt in it.
                    log.warning(
                        "%s: %s (%s)", request.model, failed.reason, failed.status or "no status"
                    )
                    raise failed from error
            retries += 1
            await self._timing.sleep(wait)

    def _given_up(
        self, request: Request, error: Exception, last: bool, left_out: frozenset[str]
    ) -> str | None:
        """What the next try goes without, since the endpoint refuses it; None for nothing.

        What it names is left out from then on, but for pictures: one may be too large. An
        extra is given up without being named when there is no `last` try left.
        """
        extras = [name for name in request.extras if name not in left_out]
        if name := unwanted(error, (frozenset(OPTIONAL) - left_out).union(extras)):
            if name != "images":
                self.leave_out(request.model, name)
        elif last and extras and failure_of(error).turned_down:
            name = extras[0]
        if name in extras:
            log.warning("%s: asked again without %s", request.model, name)
        return name

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


def _whole(choice: Mapping[str, Any]) -> Whole:
    """What a choice says. Raises `Failed` if the model would not say it."""
    message, finish = choice["message"], choice.get("finish_reason")
    if message.get("refusal") or finish == "content_filter":
        raise Failed("refused")
    return Whole(_text(message.get("content")), calls_of(message), cut_short=finish == "length")


def _text(content: Any) -> str:
    """A message's content as text; some endpoints send it in parts."""
    if isinstance(content, list):
        return "".join(part.get("text", "") for part in content)
    return content or ""
