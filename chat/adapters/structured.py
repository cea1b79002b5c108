"""Gets a reply of a fixed shape from any endpoint, by the best means that it really has.

A small probe at first use tries JSON schema, tool call, JSON object and prompted JSON in this
order, and the first that gives a fitting reply is kept for that model. A reply that does not
fit is sent back once with the reason; after that it counts as invalid.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal, TypeVar, get_args
from weakref import WeakKeyDictionary

from chat.adapters.openai_client import Client, Whole
from chat.adapters.openai_faults import Failed
from chat.adapters.openai_request import Messages, Request
from chat.adapters.openai_usage import Meter
from chat.adapters.shapes import PROBE, Shape, Unusable
from chat.agent.prompts.parts import Prompt

T = TypeVar("T")
Mode = Literal["json_schema", "tool", "json_object", "prompted"]

MODES: tuple[Mode, ...] = get_args(Mode)
_NAME = "reply"
_LONGEST_ECHO = 2_000  # characters of an unusable reply that are sent back

_PROBE = Prompt("probe-1", "You test a connection.", "Set label to READY.")
_JSON_RULE = "Reply with one JSON object and nothing else. It must fit this schema:"
# What a probe reads as "not this way": the endpoint turned the request down, failed on it
# after its retries, or took it and replied in another form.
_REJECTED = frozenset({"refused", "server_error", "invalid"})
_NO_WAY_AT_ALL = (401, 403, 404)  # no key, no right, no such model


class Structured:
    """Asks one endpoint for shaped replies. `mode` fixes the means; None finds it out."""

    def __init__(self, client: Client, mode: Mode | None = None) -> None:
        self._client = client
        self._fixed = mode
        self._found: dict[str, Mode] = {}
        self._probing: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock] = (
            WeakKeyDictionary()
        )

    async def ask(self, model: str, prompt: Prompt, shape: Shape[T], meter: Meter) -> T:
        """The reply as a value. Raises `Failed`, with reason `invalid` if none fits.

        `meter` counts the probe and the repair too: they are paid for this question.
        """
        mode = await self.mode(model, meter)
        request = Request(
            model, _messages(prompt, shape, mode), _options(shape, mode), images=prompt.images
        )
        return await twice(self._client, request, lambda reply: read(reply, shape), meter)

    async def mode(self, model: str, meter: Meter) -> Mode:
        """The way to structure that this model has, found out at first use."""
        if self._fixed:
            return self._fixed
        lock = self._probing.setdefault(asyncio.get_running_loop(), asyncio.Lock())
        async with lock:
            if model not in self._found:
                self._found[model] = await self._probe(model, meter)
            return self._found[model]

    def known(self, model: str) -> Mode | None:
        """The same as far as it is known by now."""
        return self._fixed or self._found.get(model)

    async def _probe(self, model: str, meter: Meter) -> Mode:
        failed = Failed("invalid")
        for mode in MODES:
            messages, options = _messages(_PROBE, PROBE, mode), _options(PROBE, mode)
            try:
                reply = await self._client.complete(Request(model, messages, options), meter)
                read(reply, PROBE)
                return mode
            except Unusable:
                failed = Failed("invalid")
            except Failed as error:
                if error.reason not in _REJECTED or error.status in _NO_WAY_AT_ALL:
                    raise
                failed = error
        raise failed


async def twice(client: Client, request: Request, reading: Callable[[Whole], T], meter: Meter) -> T:
    """The value of a reply; one that is `Unusable` is sent back once with the reason.

    Raises `Failed`, with reason `invalid` if the second one cannot be used either.
    """
    reply = await client.complete(request, meter)
    try:
        return reading(reply)
    except Unusable as why:
        if reply.cut_short:  # the second one would run into the same limit
            raise Failed("invalid") from why
        again = [*request.messages, *_sent_back(reply, why)]
    reply = await client.complete(replace(request, messages=again), meter)
    try:
        value = reading(reply)
    except Unusable as why:
        raise Failed("invalid") from why
    meter.repaired = True
    return value


def read(reply: Whole, shape: Shape[T]) -> T:
    """The value in a reply, from its tool call or from the first JSON object in its text."""
    given = reply.arguments if reply.arguments is not None else object_in(reply.text)
    if given is None:
        raise Unusable("the reply holds no JSON object")
    return shape.read(given)


def object_in(text: str) -> dict[str, Any] | None:
    """The first JSON object in a text, whatever stands around it; None without one."""
    # Models that think aloud put braces there too.
    text = text.rpartition("</think>")[2]
    start = text.find("{")
    try:
        value, _ = json.JSONDecoder().raw_decode(text[start:] if start >= 0 else "")
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _messages(prompt: Prompt, shape: Shape[Any], mode: Mode) -> Messages:
    system = prompt.system
    if mode in ("json_object", "prompted"):
        system = f"{system}\n\n{_JSON_RULE}\n{json.dumps(shape.schema)}"
    return [("system", system), ("user", prompt.user)]


def _options(shape: Shape[Any], mode: Mode) -> dict[str, Any]:
    if mode == "json_schema":
        schema = {"name": _NAME, "schema": shape.schema, "strict": True}
        return {"response_format": {"type": "json_schema", "json_schema": schema}}
    if mode == "tool":
        function = {"name": _NAME, "description": "Gives the reply", "parameters": shape.schema}
        # With one tool "required" names it, and endpoints that refuse the object form take it.
        return {"tools": [{"type": "function", "function": function}], "tool_choice": "required"}
    return {"response_format": {"type": "json_object"}} if mode == "json_object" else {}


def _sent_back(reply: Whole, why: Unusable) -> Messages:
    calls = "\n".join(f"{call.tool} {json.dumps(call.arguments)}" for call in reply.calls)
    said = "\n".join(part for part in (reply.text, calls) if part)
    return [
        ("assistant", said[:_LONGEST_ECHO] or "(nothing)"),
        ("user", f"That reply cannot be used: {why}. Reply again in the form asked for."),
    ]
