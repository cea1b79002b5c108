"""Tools for tests of the registry: each goes wrong, or right, in one way."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from pydantic import Field, field_validator

from chat.contracts.tasks import ToolCall, ToolSpec
from chat.tools.base import Arguments, Found, Tool

Work = Callable[["Words", str], Awaitable[Found]]


class Words(Arguments):
    """One short text, perhaps twice."""

    text: str = Field(min_length=1, max_length=10)
    times: int = Field(1, ge=1, le=3)

    @field_validator("text")
    @classmethod
    def _unbroken(cls, text: str) -> str:
        if text == "break":
            raise RuntimeError("the check itself is broken")
        return text


async def say(arguments: Words, key: str) -> Found:
    return Found(text=arguments.text * arguments.times, summary="Said")


async def raise_(arguments: Words, key: str) -> Found:
    raise RuntimeError("a secret of the database")


async def hang(arguments: Words, key: str) -> Found:
    await asyncio.Event().wait()
    raise AssertionError("never here")


async def cancel_itself(arguments: Words, key: str) -> Found:
    raise asyncio.CancelledError


class Does(Tool[Words]):
    """A tool that does what it is given, and remembers with which key."""

    arguments = Words

    def __init__(self, work: Work = say, **spec: Any) -> None:
        self._work = work
        self._spec: dict[str, Any] = {"name": "echo", "timeout_ms": 60_000} | spec
        self.keys: list[str] = []

    @property
    def spec(self) -> ToolSpec:
        return ToolSpec(
            description="Says it again.", parameters=Words.model_json_schema(), **self._spec
        )

    def summary(self, arguments: Words) -> str:
        return f"Say “{arguments.text}”."

    async def run(self, arguments: Words, key: str) -> Found:
        self.keys.append(key)
        return await self._work(arguments, key)


def call(tool: str = "echo", arguments: Any = None, **given: Any) -> ToolCall:
    """A call with `given` as its arguments; with none at all, they could not be read."""
    return ToolCall(id="call-1", tool=tool, arguments=given if arguments is None else arguments)
