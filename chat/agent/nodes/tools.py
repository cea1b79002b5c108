"""The tools of a turn: a person's yes before what cannot be undone, and the calls themselves.

The model asks; only the person confirms. What is run is what was shown, under the key of the
yes, so that it happens once.
"""

from __future__ import annotations

import asyncio
from typing import Any

from chat.agent.budget import checked, spend, uses
from chat.agent.consent import to_confirm
from chat.agent.nodes import untrusted
from chat.agent.state import TurnState
from chat.contracts.events import Tool
from chat.contracts.ports import Ports
from chat.contracts.tasks import Pause, ToolCall, ToolResult
from chat.contracts.verdicts import Termination

DECLINED = "The person said no. It was not done."
CAPPED = "This tool was used as often as one question allows."


def tool_label(state: TurnState) -> str:
    return "Doing what you agreed to" if state.get("confirmed") else "Looking it up"


async def confirm_action(state: TurnState, ports: Ports) -> dict[str, Any]:
    """Show exactly what would be done, and wait. Counts itself; no reply is a no."""
    call = to_confirm(state["tool_calls"], state, ports)
    tool = call.tool if call else ""
    reply = ports.ask(
        Pause(kind="action", question=state["pending_action"], tool=tool, irreversible=True)
    )
    counted = {"confirmations": state["confirmations"] + 1, "pending_action": "", "emit": ()}
    if reply.approved and reply.key and not reply.expired:
        return {**counted, "confirmed": reply.key}
    declined = tuple(_refused(each, "declined", DECLINED) for each in state["tool_calls"])
    return {
        **counted,
        "declined": True,
        "tool_calls": (),
        "tool_results": (*state["tool_results"], *declined),
    }


async def tool_execution(state: TurnState, ports: Ports) -> dict[str, Any]:
    """Run the calls side by side. Counts itself; a call over its tool's limit is not run."""
    shown = to_confirm(state["tool_calls"], state, ports)
    pairs = zip(state["tool_calls"], _allowed(state, ports), strict=True)
    results = await asyncio.gather(
        *(
            ports.tools.run(call, state["confirmed"] if call is shown else "")
            if may_run
            else _over(call)
            for call, may_run in pairs
        )
    )
    screened = untrusted.results(results, ports)
    results = list(screened.results)
    update = {
        "tool_rounds": state["tool_rounds"] + 1,
        "tool_calls": (),
        "confirmed": "",
        "tool_results": (*state["tool_results"], *results),
        **spend(state, tools=results),
        "emit": (*map(_told, results), *([screened.decision] if screened.decision else ())),
    }
    update = checked(state, update, ports.clock())
    if any(result.problem == "tool_cap" for result in results):
        update["budget_hit"] = update["budget_hit"] or Termination.TOOL_CAP
    return update


def _allowed(state: TurnState, ports: Ports) -> list[bool]:
    """Which calls keep to their tools' limits; an unknown tool is the toolbox's to refuse."""
    limits = {spec.name: spec.limit for spec in ports.tools.specs}
    used = {name: uses(state, name) for name in limits}
    allowed = []
    for call in state["tool_calls"]:
        allowed.append(call.tool not in limits or used[call.tool] < limits[call.tool])
        used[call.tool] = used.get(call.tool, 0) + 1
    return allowed


async def _over(call: ToolCall) -> ToolResult:
    return _refused(call, "tool_cap", CAPPED)


def _refused(call: ToolCall, problem: str, text: str) -> ToolResult:
    return ToolResult(call=call, text=text, problem=problem, summary=text)


def _told(result: ToolResult) -> Tool:
    phase = result.problem or "done"
    return Tool(tool=result.call.tool, phase=phase, summary=result.summary, ms=result.ms)
