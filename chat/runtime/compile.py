"""The compiled graph with its step limit, made once a process."""

from __future__ import annotations

from functools import cache
from typing import Any

from langgraph.errors import GraphRecursionError
from langgraph.graph.state import CompiledStateGraph

from chat.agent.graph import build
from chat.agent.state import TurnState
from chat.contracts.ports import Ports

STEP_LIMIT = 60
"""LangGraph's own stop. A turn of three passes takes 18 steps, so only a fault reaches it."""

StepLimitReached = GraphRecursionError
"""What a run raises at the limit: an incident, never a way out."""


@cache
def compiled() -> CompiledStateGraph[TurnState, Ports, Any, Any]:
    """The graph of `chat.agent.graph`, ready to run."""
    return build().compile()
