"""Where a turn goes after a node: pure and total functions of the state.

No model, no clock, no counter. A value that no branch knows raises instead of choosing one.
"""

from __future__ import annotations

from typing import Literal

from chat.agent.budget import rewrites_left
from chat.agent.state import TurnState
from chat.contracts.verdicts import Level, TopicLabel


def after_greeting(state: TurnState) -> Literal["greeting_response", "enhance_query"]:
    return "greeting_response" if state["is_greeting"] else "enhance_query"


def after_topic(state: TurnState) -> Literal["handle_off_topic", "plan_search"]:
    """Only a sure verdict rejects: an unsure one is searched, so that no good question is lost."""
    topic = state["topic"]
    if topic is None or topic.label is TopicLabel.RELEVANT:
        return "plan_search"
    if topic.label is TopicLabel.IRRELEVANT:
        return "plan_search" if topic.confidence is Level.LOW else "handle_off_topic"
    raise ValueError(f"no branch for the topic {topic.label!r}")


AfterGrades = Literal["generate_response", "optimize_query", "handle_no_results"]


def after_grades(state: TurnState) -> AfterGrades:
    """Evidence before budget; the other order is the lab's counter-example."""
    if state["limits"].check_order == "evidence":
        return _evidence_first(state)
    if state["limits"].check_order == "budget":
        return _budget_first(state)
    raise ValueError(f"no branch for the check order {state['limits'].check_order!r}")


def _evidence_first(state: TurnState) -> AfterGrades:
    if all(state["covered"].values()):
        return "generate_response"
    if _may_search_again(state):
        return "optimize_query"
    return "generate_response" if state["accepted"] else "handle_no_results"


def _budget_first(state: TurnState) -> AfterGrades:
    if not _may_search_again(state):
        return "handle_no_results"
    return "generate_response" if all(state["covered"].values()) else "optimize_query"


def _may_search_again(state: TurnState) -> bool:
    limits = state["limits"]
    if not limits.agentic or state["search_failed"] or state["budget_hit"]:
        return False
    if limits.no_progress_stop and state["no_progress"] >= 2:
        return False
    return rewrites_left(state)


AfterRewrite = Literal["retrieve", "generate_response", "handle_no_results"]


def after_rewrite(state: TurnState) -> AfterRewrite:
    """A query that was tried already finds nothing new, so it is not searched."""
    if state["query"] not in state["tried"]:
        return "retrieve"
    return "generate_response" if state["accepted"] else "handle_no_results"


def after_draft(state: TurnState) -> Literal["finish_answer", "final_gate"]:
    return "final_gate" if state["model_failed"] else "finish_answer"


def after_gate(state: TurnState) -> Literal["deliver", "fallback"]:
    return "fallback" if state["blocked"] else "deliver"
