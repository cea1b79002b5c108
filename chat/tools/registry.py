"""The toolbox behind the agent's port: validates, runs with a time limit, counts, never raises.

A model can neither confirm an action nor forge a confirmation: the key that an irreversible
tool needs is no argument, it comes from the server beside the call.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from typing import Any, Literal

from pydantic import ValidationError

from chat import counters
from chat.contracts.tasks import ToolCall, ToolResult, ToolSpec
from chat.tools.base import Arguments, CannotRun, Found, Tool, one_line

log = logging.getLogger(__name__)

Problem = Literal["unknown_tool", "bad_arguments", "failed", "timeout", "not_confirmed"]

NAMED_PROBLEMS = 5  # of bad arguments, so that a model's own nonsense cannot fill its prompt
LONGEST_NAME = 60
LONGEST_TEXT = 12_000  # characters of a result

UNREADABLE = "The arguments could not be read. Send one JSON object that fits the schema."
NOT_CONFIRMED = "Nothing was done: the person has not confirmed this action."
FAILED = "The tool failed. Nothing came of it; do not guess its result."
TIMEOUT = "The tool took too long and was left. Do not guess its result."
UNSURE = "The tool took too long. Whether it did its work is not known yet: say so."
TRIED = "That could not be done just now."


class Registry:
    """`chat.contracts.ports.Toolbox` over the given tools; made anew for each turn.

    Specs are read once, so that a turn sees the same tools from its first call to its last.
    Raises ValueError for two tools of one name.
    """

    def __init__(
        self,
        tools: Sequence[Tool[Any]],
        *,
        count: Callable[[str, str], None] = counters.tool_call,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.specs: tuple[ToolSpec, ...] = tuple(tool.spec for tool in tools)
        self._tools = {spec.name: tool for spec, tool in zip(self.specs, tools, strict=True)}
        if len(self._tools) != len(tools):
            raise ValueError("two tools have the same name")
        self._spec_of = {spec.name: spec for spec in self.specs}
        self._count = count
        self._clock = clock

    def summary(self, call: ToolCall) -> str:
        """What the call would do, from its checked arguments; its tool's name if they are bad."""
        tool = self._tools.get(call.tool)
        arguments = _read(tool, call) if tool else ""
        if tool is None or isinstance(arguments, str):
            return one_line(call.tool)[:LONGEST_NAME]
        return tool.summary(arguments)

    def problem(self, call: ToolCall) -> str:
        tool = self._tools.get(call.tool)
        if tool is None:
            return "unknown_tool"
        return "bad_arguments" if isinstance(_read(tool, call), str) else ""

    async def run(self, call: ToolCall, key: str) -> ToolResult:
        """Do it. `ms` is the time that it took; only cancellation comes through."""
        started = self._clock()
        result = await self._run(call, key)
        # A model invents names without end; the counter keeps one for all of them.
        self._count(call.tool if call.tool in self._tools else "unknown", result.problem or "ok")
        return result.model_copy(update={"ms": (self._clock() - started) * 1000})

    async def _run(self, call: ToolCall, key: str) -> ToolResult:
        tool = self._tools.get(call.tool)
        if tool is None:
            names = ", ".join(self._tools) or "none"
            return _refused(call, "unknown_tool", f"There is no such tool. There are: {names}.")
        arguments = _read(tool, call)
        if isinstance(arguments, str):
            return _refused(call, "bad_arguments", arguments)
        spec = self._spec_of[call.tool]
        if spec.irreversible and not key:
            return _refused(call, "not_confirmed", NOT_CONFIRMED)
        result = await self._in_time(tool, spec, call, _work(tool, call, arguments, key))
        return result.model_copy(update={"cost": spec.cost})

    async def _in_time(
        self, tool: Tool[Any], spec: ToolSpec, call: ToolCall, work: Any
    ) -> ToolResult:
        """What the work gives within its time; afterwards it is told to end and left.

        It is not waited for: a tool may take no notice of being cancelled.
        """
        task: asyncio.Task[ToolResult] = asyncio.create_task(work)
        try:
            await asyncio.wait({task}, timeout=spec.timeout_ms / 1000)
        finally:
            if not task.done():
                task.cancel()
        if not task.done():
            log.warning("the tool %s took more than %d ms", spec.name, spec.timeout_ms)
            return _refused(call, "timeout", UNSURE if spec.irreversible else TIMEOUT)
        return _refused(call, "failed", FAILED) if task.cancelled() else task.result()


async def _work(tool: Tool[Any], call: ToolCall, arguments: Arguments, key: str) -> ToolResult:
    """The tool's own work as a result, whatever becomes of it."""
    try:
        found: Found = await tool.run(arguments, key)
        return ToolResult(
            call=call,
            text=found.text[:LONGEST_TEXT],
            passages=found.passages,
            summary=found.summary,
        )
    except CannotRun as refusal:
        return _refused(call, refusal.problem, str(refusal))
    except Exception:  # the edge of a tool: a defect in it must not end the turn
        log.exception("the tool %s failed", call.tool)
        return _refused(call, "failed", FAILED)


def _read(tool: Tool[Any], call: ToolCall) -> Arguments | str:
    """The checked arguments, or what is wrong with them for the model, without its values."""
    if call.arguments is None:
        return UNREADABLE
    try:
        return tool.arguments.model_validate(call.arguments)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_input=False, include_context=False)
        told = "; ".join(
            f"{_place(fault['loc'])}: {fault['msg']}" for fault in faults[:NAMED_PROBLEMS]
        )
        return f"The arguments do not fit the schema. {told}."
    except Exception:  # a validator that breaks: what it could not check is not let through
        log.exception("the arguments of %s could not be checked", call.tool)
        return UNREADABLE


def _place(path: tuple[int | str, ...]) -> str:
    return one_line(".".join(map(str, path)))[:LONGEST_NAME] or "arguments"


def _refused(call: ToolCall, problem: Problem, text: str) -> ToolResult:
    return ToolResult(call=call, text=text, problem=problem, summary=TRIED)
