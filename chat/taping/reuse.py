"""Gives back what a tape holds wherever the inputs are equal, and calls where they are not.

A reused call comes with its `ModelCall` as it was, so a re-run counts calls, tokens, cost and time
as if it had been made; the ledger says what it was and what the new ones really cost.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, TypedDict

from chat.contracts.errors import SearchFailed
from chat.contracts.events import ModelCall
from chat.contracts.ports import ModelFault, Ports, Reply
from chat.contracts.tasks import Pause, PauseReply, ToolCall, ToolResult
from chat.taping.asked import Asked, digest
from chat.taping.elapsed import Elapsed
from chat.taping.ports import HeardModel, HeardRouter, HeardSearch, HeardTools, Write
from chat.taping.values import Unfit, value

RECORDED = "recorded"
"""The key of a yes that a tape gives: no action of a person's was ever done under it."""

NOT_AGAIN = "Not done: a re-run does nothing that cannot be undone."


class Line(TypedDict):
    """One call. `cost` (US dollars) and `ms` are of this run alone, so 0 for what was reused."""

    kind: str
    purpose: str
    reused: bool
    cost: float
    ms: float


class Reuse:
    """What a tape can give to one run. Without `searches` the index is asked anew."""

    def __init__(self, calls: Iterable[Mapping[str, Any]], *, searches: bool = True) -> None:
        self.ledger: list[Line] = []
        self._clock = Elapsed(time.perf_counter)
        self._known: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
        self._used: dict[str, int] = defaultdict(int)
        for call in calls:
            if (searches or call.get("kind") != "search") and isinstance(call.get("key"), str):
                self._known[call["key"]].append(call)

    def wrap(self, ports: Ports) -> Ports:
        """The same ports, asked only for what the tape does not know. Pauses are answered by it."""
        tools, self._clock = ports.tools, Elapsed(ports.clock)
        closed = {spec.name for spec in tools.specs if spec.irreversible}
        return replace(
            ports,
            model=HeardModel(ports.model, self.hear),
            search=HeardSearch(ports.search, self.hear),
            router=HeardRouter(ports.router, self.hear),
            tools=HeardTools(_Reading(tools, closed), self.hear),
            clock=self._clock,
            ask=self.ask,
        )

    def ask(self, pause: Pause) -> PauseReply:
        """What the person said to the same question; to another one nobody answers."""
        asked = Asked("ask", "ask", pause.kind, {"pause": pause})
        found = self._take(asked)
        if found is None:
            return PauseReply(expired=True)
        reply: PauseReply = found[0]
        return reply.model_copy(update={"key": RECORDED if reply.approved else ""})

    async def hear(
        self,
        asked: Asked,
        make: Callable[[Write | None], Awaitable[Any]],
        write: Write | None = None,
    ) -> Any:
        """The recorded reply, or the call itself."""
        line = Line(kind=asked.kind, purpose=asked.purpose, reused=True, cost=0.0, ms=0.0)
        self.ledger.append(line)
        found = self._take(asked)
        if found is None:
            line["reused"] = False
            with self._clock.making():
                return await _called(line, make)
        came, entry = found
        await self._clock.passes(_seconds(entry))
        if write is not None and (text := _shown(came, entry)):
            write(text)
        if isinstance(came, ModelFault | SearchFailed):
            raise came
        return came

    def _take(self, asked: Asked) -> tuple[Any, Mapping[str, Any]] | None:
        """The recording of this call that is next, as a value or a fault."""
        key = asked.key(asked.plain())
        if not (found := self._known.get(key)):
            return None
        place = min(self._used[key], len(found) - 1)
        entry = found[place]
        if not _speaks(asked, entry):
            return None
        try:
            came = _fault(entry) if "fault" in entry else _value(asked, entry)
        except (Unfit, KeyError, TypeError, ValueError):
            return None
        self._used[key] += 1
        return came, entry


class _Reading:
    """A toolbox in a re-run: what cannot be undone is not done again."""

    def __init__(self, tools: Any, closed: set[str]) -> None:
        self._tools = tools
        self._closed = closed
        self.specs = tools.specs
        self.summary = tools.summary
        self.problem = tools.problem

    async def run(self, call: ToolCall, key: str) -> ToolResult:
        if call.tool in self._closed:
            return ToolResult(call=call, text=NOT_AGAIN, problem="not_confirmed", summary=NOT_AGAIN)
        result: ToolResult = await self._tools.run(call, key)
        return result


async def _called(line: Line, make: Callable[[Write | None], Awaitable[Any]]) -> Any:
    """Make the call, and put down what it took."""
    began = time.perf_counter()
    try:
        came = await make(None)
    except ModelFault as fault:
        line["cost"] = fault.call.cost
        raise
    finally:
        line["ms"] = round((time.perf_counter() - began) * 1000, 2)
    line["cost"] = came.call.cost if isinstance(came, Reply) else getattr(came, "cost", 0.0)
    return came


def _seconds(entry: Mapping[str, Any]) -> float:
    """What the recorded call took."""
    ms = entry.get("ms")
    return max(ms, 0.0) / 1000 if isinstance(ms, int | float) else 0.0


def _speaks(asked: Asked, entry: Mapping[str, Any]) -> bool:
    """Would the call take the same prompt as the recorded one?"""
    if asked.kind != "model":
        return True
    version = str(entry.get("call", {}).get("prompt_version", ""))
    return version in asked.prompts.split() or entry.get("prompts") == digest(asked.prompts)


def _value(asked: Asked, entry: Mapping[str, Any]) -> Any:
    came = value(asked.method, entry["came"])
    return Reply(came, _call(entry)) if asked.kind == "model" else came


def _shown(came: Any, entry: Mapping[str, Any]) -> str:
    """What the person saw of an answer while it was written."""
    whole = came.value.text if isinstance(came, Reply) else ""
    return str(entry.get("wrote", whole))


def _call(entry: Mapping[str, Any]) -> ModelCall:
    return ModelCall.model_validate(entry["call"])


def _fault(entry: Mapping[str, Any]) -> ModelFault | SearchFailed:
    """The same fault again. Raises `ValueError` for one that nobody can give back."""
    fault = entry["fault"]
    if fault["type"] == "model":
        return ModelFault(fault["reason"], _call(entry))
    if fault["type"] == "search":
        return SearchFailed(fault["public"])
    raise ValueError(fault["type"])
