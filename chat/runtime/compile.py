"""The compiled graph with its step limit, made once a process, and one run of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import cache
from typing import Any

from langgraph.errors import GraphRecursionError
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command

from chat.agent.graph import build
from chat.agent.state import TurnState
from chat.contracts.ports import Ports
from chat.contracts.tasks import PauseReply
from chat.runtime.checkpoint import TurnCheckpoint
from chat.runtime.translate import STREAM_MODES

STEP_LIMIT = 130
"""LangGraph's own stop. A turn of three passes takes 22 steps, so only a fault reaches it."""

StepLimitReached = GraphRecursionError
"""What a run raises at the limit: an incident, never a way out."""


@cache
def compiled() -> CompiledStateGraph[TurnState, Ports, Any, Any]:
    """The graph of `chat.agent.graph`, ready to run."""
    return build().compile()


def parts(
    begin: TurnState | PauseReply, ports: Ports, checkpoint: TurnCheckpoint
) -> AsyncIterator[Any]:
    """One run, from its first state or from the reply to its pause, as LangGraph's stream.

    The checkpoint is written in memory, once, when the run ends or waits.
    """
    graph = compiled().copy({"checkpointer": checkpoint})
    given: Any = Command(resume=begin.model_dump()) if isinstance(begin, PauseReply) else begin
    return graph.astream(
        given,
        {"recursion_limit": STEP_LIMIT, "configurable": {"thread_id": "turn"}},
        context=ports,
        stream_mode=list(STREAM_MODES),
        durability="exit",
    )
