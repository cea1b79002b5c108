"""Facts about the graph that are tests and not hopes: its edges, its gate, its counters."""

from __future__ import annotations

import typing
from collections.abc import Iterable
from pathlib import Path

import pytest
from langgraph.graph import END, START

from chat.agent import nodes, routing
from chat.agent.budget import TOOL_ROUNDS
from chat.agent.graph import COUNTERS, EDGES, NODE_OF, NODES, ROUTES
from chat.agent.state import TurnState
from chat.contracts.ports import AgentSettings
from chat.contracts.verdicts import Control, Termination
from chat.guardrails.policy import POLICIES
from chat.runtime.compile import STEP_LIMIT, compiled
from config.variables import Variable, variables

Edge = tuple[str, str]

TABLE: set[Edge] = {*EDGES, *((a, b) for a, (_, targets) in ROUTES.items() for b in targets)}
NAMES = {node.name for node in NODES}

# Reasons that come from outside the graph: a stop, a crash, LangGraph's own limit.
FROM_THE_RUNNER = {
    *(Termination.USER_STOP, Termination.INTERRUPTED),
    *(Termination.STEP_LIMIT, Termination.SUPERSEDED),
}
# Reasons whose nodes are not part of this graph.
NOT_REACHED_YET = {Termination.HANDED_OFF}


def reached(edges: Iterable[Edge], start: str = START) -> set[str]:
    """Every node that can be reached from `start`."""
    table = list(edges)
    seen, ahead = {start}, [start]
    while ahead:
        here = ahead.pop()
        fresh = {b for a, b in table if a == here} - seen
        seen |= fresh
        ahead.extend(fresh)
    return seen


def without(*names: str) -> set[Edge]:
    return {(a, b) for a, b in TABLE if a not in names and b not in names}


def test_the_compiled_graph_has_exactly_the_edges_of_the_tables() -> None:
    drawn = {(edge.source, edge.target) for edge in compiled().get_graph().edges}
    assert drawn == TABLE


def test_the_compiled_graph_has_exactly_the_nodes_of_the_table() -> None:
    assert set(compiled().get_graph().nodes) == NAMES | {START, END}
    assert len(NAMES) == len(NODES) == len(NODE_OF)


def test_every_node_can_be_reached_and_reaches_the_end() -> None:
    assert reached(TABLE) == NAMES | {START, END}
    assert all(END in reached(TABLE, name) for name in NAMES)


def test_no_node_has_both_a_fixed_and_a_routed_exit() -> None:
    fixed = [source for source, _ in EDGES]
    assert not set(fixed) & set(ROUTES)
    assert len(fixed) == len(set(fixed))


def test_every_node_has_an_exit() -> None:
    assert {a for a, _ in TABLE} == NAMES | {START}


def test_without_the_final_gate_the_end_cannot_be_reached() -> None:
    assert END not in reached(without("final_gate"))


def test_only_deliver_leads_to_the_end() -> None:
    assert [a for a, b in TABLE if b == END] == ["deliver"]


def test_every_cycle_passes_a_node_that_counts_itself() -> None:
    uncounted = without(*COUNTERS)
    for name in NAMES:
        ahead = {b for a, b in uncounted if a == name}
        assert not any(name in reached(uncounted, b) for b in ahead), name


def test_counters_are_fields_of_the_state() -> None:
    assert set(COUNTERS) <= NAMES
    assert set(COUNTERS.values()) <= set(TurnState.__annotations__)


@pytest.mark.parametrize("source", ROUTES)
def test_a_router_promises_the_targets_of_its_row(source: str) -> None:
    router, targets = ROUTES[source]
    promised = typing.get_type_hints(router)["return"]
    assert set(typing.get_args(promised)) == set(targets)
    assert len(targets) == len(set(targets))


def test_no_router_is_left_over() -> None:
    written = {name for name in vars(routing) if name.startswith("after_")}
    assert {router.__name__ for router, _ in ROUTES.values()} == written


def test_every_control_has_a_policy() -> None:
    assert set(POLICIES) == set(Control)


def test_every_reason_to_end_is_given_by_a_node_or_by_the_runner() -> None:
    source = "".join(path.read_text() for path in Path(nodes.__path__[0]).glob("*.py"))
    source += Path(routing.__file__).with_name("budget.py").read_text()
    given = {reason for reason in Termination if f"Termination.{reason.name}" in source}
    assert given == set(Termination) - FROM_THE_RUNNER - NOT_REACHED_YET


def test_every_way_out_of_the_graph_sets_a_reason() -> None:
    speaking = {a for a, b in TABLE if b in ("final_gate", "deliver")} - {"final_gate"}
    assert speaking == {
        *("crisis_response", "greeting_response", "handle_off_topic", "generate_clarification"),
        *("handle_no_results", "finish_answer", "fallback", "generate_response"),
    }


def test_the_step_limit_is_above_the_longest_turn_that_settings_allow() -> None:
    rewriting = ["optimize_query", "agent", "retrieve", "assess_relevance"]
    correcting = ["generate_response", "check_grounding"]
    asking = ["generate_clarification", "validate_topic", "detect_ambiguity"]
    calling = ["confirm_action", "tool_execution", "generate_response"]
    longest = (
        len(NODES)
        + _most("RAG_MAX_RETRIES") * len(rewriting)
        + _most("RAG_MAX_LOOP_ITERATIONS") * len(correcting)
        + AgentSettings().max_clarifications * len(asking)
        + TOOL_ROUNDS * len(calling)
    )
    assert longest < STEP_LIMIT


def _most(name: str) -> int:
    """The largest value that a setting may have."""
    (variable,) = (v for v in variables() if v.name == name)
    return next(n for n in range(99, -1, -1) if _allowed(variable, n))


def test_every_label_is_words_for_a_customer() -> None:
    for node in NODES:
        label = node.label({})
        assert label and "_" not in label and not label.endswith((".", "!")), node.name


def _allowed(variable: Variable, value: int) -> bool:
    try:
        variable.parser.parse(str(value))
    except ValueError:
        return False
    return True
