"""What several nodes do the same way: account for a call, wait for the index, end by a constant,
and list what a claim may rest on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any, TypeVar

from chat.agent.budget import spend
from chat.agent.state import TurnState
from chat.contracts.errors import SearchFailed
from chat.contracts.events import Body
from chat.contracts.passages import Passage
from chat.contracts.ports import Ports, Reply
from chat.contracts.tasks import ToolResult
from chat.contracts.verdicts import Confidence, Route, Termination
from chat.guardrails.policy import Guarded

T = TypeVar("T")


def account(state: TurnState, asked: Guarded[Reply[Any] | None]) -> dict[str, Any]:
    """The counters and the event of a guarded call, whether it succeeded or failed."""
    call = asked.value.call if asked.value else asked.failed_call
    if call is None:
        return {"emit": ()}
    emit: tuple[Body, ...] = (call,)
    return {**spend(state, call), "emit": emit}


def also(update: dict[str, Any], *told: Body) -> dict[str, Any]:
    """The update with further events after its own."""
    return {**update, "emit": (*update["emit"], *told)}


async def in_time(work: Awaitable[T], ports: Ports) -> T:
    """The work of the index, within a control's time. Raises `SearchFailed` when that is over."""
    try:
        async with asyncio.timeout(ports.settings.control_timeout_ms / 1000):
            return await work
    except TimeoutError:
        raise SearchFailed from None


def held_by(state: TurnState) -> tuple[Passage, ...]:
    """All that a claim may rest on: the passages under their numbers, then what tools told.

    A tool that found nothing brings no passage, and says in words what there is instead.
    """
    told = (result for result in state["tool_results"] if result.text.strip())
    return (*state["passages"], *(_as_passage(result) for result in told))


def _as_passage(result: ToolResult) -> Passage:
    tool = f"tool:{result.call.tool}"
    chunk = f"{tool}#{result.call.id}"
    return Passage(chunk=chunk, document=tool, version=1, title=result.call.tool, text=result.text)


def constant(
    text: str, termination: Termination, ports: Ports, route: Route | None = None
) -> dict[str, Any]:
    """An ending that no model wrote, with two questions that work."""
    update: dict[str, Any] = {
        "text": text,
        "citations": (),
        "confidence": Confidence.NONE,
        "caveats": (),
        "gaps": (),
        "suggestions": tuple(ports.settings.examples[:2]),
        "termination": termination,
        "emit": (),
    }
    return update if route is None else {**update, "route": route}
