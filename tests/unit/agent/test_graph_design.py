"""The graph is the one that was designed, edge for edge; what differs is named with its reason."""

from __future__ import annotations

import pytest
from langgraph.graph import END, START

from chat.agent.graph import EDGES, NODES, ROUTES

DESIGNED: dict[str, set[str]] = {
    "screen_input": {"crisis_response", "handle_off_topic", "plan_search", "detect_greeting"},
    "detect_greeting": {"greeting_response", "enhance_query"},
    "enhance_query": {"validate_topic"},
    "validate_topic": {"handle_off_topic", "generate_clarification", "detect_ambiguity"},
    "detect_ambiguity": {"generate_clarification", "choose_path"},
    "generate_clarification": {"validate_topic", "final_gate"},
    "choose_path": {"generate_response", "plan_search", "agent"},
    "plan_search": {"retrieve"},
    "agent": {"retrieve", "generate_response", "handle_no_results"},
    "retrieve": {"assess_relevance"},
    "assess_relevance": {"generate_response", "optimize_query", "handle_no_results"},
    "optimize_query": {"retrieve", "agent", "handle_no_results", "finish_answer"},
    "generate_response": {"confirm_action", "tool_execution", "check_grounding", "final_gate"},
    "confirm_action": {"tool_execution", "generate_response"},
    "tool_execution": {"generate_response"},
    "check_grounding": {"finish_answer", "generate_response", "optimize_query", "plan_search"},
    "finish_answer": {"final_gate"},
    "greeting_response": {"final_gate"},
    "crisis_response": {"final_gate"},
    "handle_off_topic": {"final_gate"},
    "handle_no_results": {"final_gate"},
    "final_gate": {"deliver", "fallback"},
    "fallback": {"deliver"},
}

ADDED: dict[str, set[str]] = {
    "optimize_query": {"generate_response"},  # docs/adr/0008
}

BOUNDARIES = {
    "input": {
        *("screen_input", "detect_greeting", "enhance_query", "validate_topic"),
        *("detect_ambiguity", "generate_clarification", "choose_path"),
    },
    "evidence": {"plan_search", "agent", "retrieve", "assess_relevance", "optimize_query"},
    "generation": {"generate_response", "confirm_action", "tool_execution", "check_grounding"},
    "output": {
        *("greeting_response", "crisis_response", "handle_off_topic", "handle_no_results"),
        *("finish_answer", "final_gate", "fallback", "deliver"),
    },
}


def exits(node: str) -> set[str]:
    _, routed = ROUTES.get(node, (None, ()))
    return {*routed, *(target for source, target in EDGES if source == node)}


@pytest.mark.parametrize("node", DESIGNED)
def test_a_node_leads_where_the_design_says(node: str) -> None:
    assert exits(node) == DESIGNED[node] | ADDED.get(node, set())


def test_the_turn_begins_and_ends_where_the_design_says() -> None:
    assert [target for source, target in EDGES if source == START] == ["screen_input"]
    assert exits("deliver") == {END}


@pytest.mark.parametrize("boundary", BOUNDARIES)
def test_each_node_stands_at_its_boundary(boundary: str) -> None:
    assert {node.name for node in NODES if node.boundary == boundary} == BOUNDARIES[boundary]


def test_no_node_was_added_or_left_out() -> None:
    assert {node.name for node in NODES} == {*DESIGNED, "deliver"}
