"""The whole turn on one page: nodes, fixed edges and routes, as data.

Nothing else adds an edge and no node returns a jump. The tables are checked by tests and
drawn into the documentation and the replay.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any, Literal

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from langgraph.types import interrupt

from chat.agent import routing
from chat.agent.nodes import answer, asking, endings, intake, rewriting, search, tools, ways
from chat.agent.state import TurnState
from chat.contracts.ports import Ports, nobody_answers
from chat.contracts.tasks import Pause, PauseReply

Boundary = Literal["input", "evidence", "generation", "output"]
Update = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Node:
    """A step of the turn. `label` says what it does in a customer's words."""

    name: str
    run: Callable[[TurnState, Ports], Coroutine[Any, Any, Update]]
    boundary: Boundary
    label: Callable[[TurnState], str]


def say(text: str) -> Callable[[TurnState], str]:
    """A label that is the same whatever the state."""
    return lambda _state: text


NODES: tuple[Node, ...] = (
    Node("screen_input", intake.screen_input, "input", say("Reading the question")),
    Node("crisis_response", endings.crisis_response, "output", say("Help that is there now")),
    Node("detect_greeting", intake.detect_greeting, "input", say("Reading the question")),
    Node("greeting_response", endings.greeting_response, "output", say("Saying hello")),
    Node("enhance_query", intake.enhance_query, "input", say("Reading the question")),
    Node("validate_topic", intake.validate_topic, "input", say("Checking the topic")),
    Node("handle_off_topic", endings.handle_off_topic, "output", endings.off_topic_label),
    Node("detect_ambiguity", asking.detect_ambiguity, "input", say("Reading the question")),
    Node("generate_clarification", asking.generate_clarification, "input", say("Asking back")),
    Node("choose_path", ways.choose_path, "input", say("Choosing the way")),
    Node("plan_search", ways.plan_search, "evidence", say("Planning the search")),
    Node("agent", ways.agent, "evidence", say("Thinking about what to look up")),
    Node("retrieve", search.retrieve, "evidence", search.retrieve_label),
    Node("assess_relevance", search.assess_relevance, "evidence", search.assess_label),
    Node("optimize_query", rewriting.optimize_query, "evidence", say("Looking for other words")),
    Node("handle_no_results", endings.handle_no_results, "output", say("Nothing found")),
    Node("generate_response", answer.generate_response, "generation", say("Writing")),
    Node("confirm_action", tools.confirm_action, "generation", say("Asking for your yes")),
    Node("tool_execution", tools.tool_execution, "generation", tools.tool_label),
    Node("check_grounding", answer.check_grounding, "generation", answer.check_label),
    Node("finish_answer", endings.finish_answer, "output", say("Putting the sources in")),
    Node("final_gate", endings.final_gate, "output", say("Last check")),
    Node("fallback", endings.fallback, "output", say("Choosing other words")),
    Node("deliver", endings.deliver, "output", say("Done")),
)

EDGES: tuple[tuple[str, str], ...] = (
    (START, "screen_input"),
    ("crisis_response", "final_gate"),
    ("greeting_response", "final_gate"),
    ("enhance_query", "validate_topic"),
    ("handle_off_topic", "final_gate"),
    ("plan_search", "retrieve"),
    ("retrieve", "assess_relevance"),
    ("handle_no_results", "final_gate"),
    ("tool_execution", "generate_response"),
    ("finish_answer", "final_gate"),
    ("fallback", "deliver"),
    ("deliver", END),
)

ROUTES: dict[str, tuple[Callable[[TurnState], str], tuple[str, ...]]] = {
    "screen_input": (
        routing.after_screening,
        ("crisis_response", "handle_off_topic", "plan_search", "detect_greeting"),
    ),
    "detect_greeting": (routing.after_greeting, ("greeting_response", "enhance_query")),
    "validate_topic": (
        routing.after_topic,
        ("handle_off_topic", "generate_clarification", "detect_ambiguity"),
    ),
    "detect_ambiguity": (routing.after_ambiguity, ("generate_clarification", "choose_path")),
    "generate_clarification": (routing.after_clarification, ("validate_topic", "final_gate")),
    "choose_path": (routing.after_choice, ("generate_response", "plan_search", "agent")),
    "agent": (routing.after_step, ("retrieve", "generate_response", "handle_no_results")),
    "assess_relevance": (
        routing.after_grades,
        ("generate_response", "optimize_query", "handle_no_results"),
    ),
    "optimize_query": (
        routing.after_rewrite,
        ("retrieve", "agent", "generate_response", "handle_no_results", "finish_answer"),
    ),
    "generate_response": (
        routing.after_draft,
        ("confirm_action", "tool_execution", "check_grounding", "final_gate"),
    ),
    "confirm_action": (routing.after_confirmation, ("tool_execution", "generate_response")),
    "check_grounding": (
        routing.after_check,
        ("finish_answer", "generate_response", "optimize_query", "plan_search"),
    ),
    "final_gate": (routing.after_gate, ("deliver", "fallback")),
}

COUNTERS: dict[str, str] = {
    "generate_clarification": "clarifications",
    "retrieve": "passes",
    "optimize_query": "rewrites",
    "confirm_action": "confirmations",
    "tool_execution": "tool_rounds",
    "check_grounding": "checks",
}
"""Nodes that count themselves; every cycle passes one."""

NODE_OF: dict[str, Node] = {node.name: node for node in NODES}


def build() -> StateGraph[TurnState, Ports, TurnState, TurnState]:
    """The tables as a LangGraph graph, not yet compiled."""
    graph = StateGraph(TurnState, context_schema=Ports)
    for node in NODES:
        graph.add_node(node.name, _bound(node))
    for source, target in EDGES:
        graph.add_edge(source, target)
    for source, (router, targets) in ROUTES.items():
        graph.add_conditional_edges(source, _on_the_loop(router), list(targets))
    return graph


def _on_the_loop(router: Callable[[TurnState], str]) -> Callable[..., Coroutine[Any, Any, str]]:
    """The router as LangGraph calls it: a plain function would be sent to a thread each time."""

    @wraps(router)
    async def route(state: TurnState) -> str:
        return router(state)

    return route


def _bound(node: Node) -> Callable[..., Coroutine[Any, Any, Update]]:
    """Hand the run's ports to a node; what it writes keeps its place between the events.

    A run that knows the replies beforehand does not pause for them.
    """

    async def run(state: TurnState, runtime: Runtime[Ports]) -> Update:
        given = runtime.context
        ask = _ask if given.ask is nobody_answers else given.ask
        return await node.run(state, replace(given, write=runtime.stream_writer, ask=ask))

    return run


def _ask(pause: Pause) -> PauseReply:
    """Pause here, for as long as it takes; the node begins again when the reply has come."""
    return PauseReply.model_validate(interrupt(pause.model_dump(mode="json")))
