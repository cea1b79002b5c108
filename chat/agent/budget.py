"""What a turn may spend and what it has spent: pure arithmetic on the state.

Checked on every loop edge. A budget that is used up names its own termination, and the first
one that was hit stays.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from chat.agent.state import TurnState
from chat.contracts.events import ModelCall
from chat.contracts.ports import AgentSettings
from chat.contracts.tasks import ToolResult
from chat.contracts.verdicts import Termination

TOOL_ROUNDS = 3  # times that one turn runs tools


def spend(state: TurnState, *calls: ModelCall, tools: Iterable[ToolResult] = ()) -> dict[str, Any]:
    """The counters after these calls, as a part of a node's update. Paid tools cost like models."""
    paid = sum(call.cost for call in calls) + sum(result.cost for result in tools)
    return {
        "calls": state.get("calls", 0) + len(calls),
        "spent_tokens": state.get("spent_tokens", 0) + sum(c.tokens.total for c in calls),
        "spent_cost": state.get("spent_cost", 0.0) + paid,
    }


def used_up(state: TurnState, now: float) -> Termination | None:
    """The first budget that is used up at `now` (monotonic seconds), or None."""
    if hit := state.get("budget_hit"):
        return hit
    limits = state["limits"]
    if state.get("passes", 0) >= limits.max_passes:
        return Termination.PASS_CAP
    if state.get("spent_tokens", 0) >= limits.token_budget:
        return Termination.TOKEN_CAP
    if state.get("spent_cost", 0.0) >= limits.cost_budget:
        return Termination.COST_CAP
    return Termination.TIME_CAP if time_left_ms(state, now) <= 0 else None


def time_left_ms(state: TurnState, now: float) -> float:
    """Milliseconds that the turn may still take; below 0 when it has taken longer."""
    return state["limits"].wall_clock_ms - (now - state["started"]) * 1000


def checked(state: TurnState, update: dict[str, Any], now: float) -> dict[str, Any]:
    """A node's update together with the budget that it used up."""
    after: Any = {**state, **update}
    return {**update, "budget_hit": used_up(after, now)}


def told(limits: AgentSettings) -> dict[str, float]:
    """The limits as the log tells them: counts, tokens, US dollars and milliseconds of a turn."""
    return {
        "passes": limits.max_passes,
        "rewrites": limits.max_rewrites,
        "tokens": limits.token_budget,
        "cost": limits.cost_budget,
        "ms": limits.wall_clock_ms,
    }


def rewrites_left(state: TurnState) -> bool:
    """May the loop search again with other words?"""
    return state.get("rewrites", 0) < state["limits"].max_rewrites


def uses(state: TurnState, tool: str) -> int:
    """How often a tool was called in this turn, whatever came of it."""
    return sum(result.call.tool == tool for result in state.get("tool_results", ()))
