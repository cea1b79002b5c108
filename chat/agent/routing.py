"""Where a turn goes after a node: pure and total functions of the state.

No model, no clock, no counter. A value that no branch knows raises instead of choosing one.
"""

from __future__ import annotations

from typing import Literal

from chat.agent.budget import rewrites_left
from chat.agent.state import TurnState
from chat.contracts.verdicts import Clarity, Intent, Level, Mode, Route, TopicLabel
from chat.guardrails.modes import MODES, Skip


def skips(state: TurnState, what: Skip) -> bool:
    """Does the mode of this turn leave that out?"""
    return what in MODES[state["mode"]].skips


AfterScreening = Literal["crisis_response", "handle_off_topic", "plan_search", "detect_greeting"]


def after_screening(state: TurnState) -> AfterScreening:
    """A person in danger comes before everything, a restricted question before any work."""
    if state["mode"] is Mode.CRISIS:
        return "crisis_response"
    if state["restricted"]:
        return "handle_off_topic"
    return "plan_search" if state["intent"] is Intent.DOCUMENT else "detect_greeting"


def after_greeting(state: TurnState) -> Literal["greeting_response", "enhance_query"]:
    return "greeting_response" if state["is_greeting"] else "enhance_query"


AfterTopic = Literal["handle_off_topic", "generate_clarification", "detect_ambiguity"]


def after_topic(state: TurnState) -> AfterTopic:
    """Only a sure verdict rejects; an unsure one asks, and is searched where it may not ask."""
    topic = state["topic"]
    if state["restricted"]:
        return "handle_off_topic"
    if topic is None or topic.label is TopicLabel.RELEVANT:
        return "detect_ambiguity"
    if topic.label is not TopicLabel.IRRELEVANT:
        raise ValueError(f"no branch for the topic {topic.label!r}")
    if topic.confidence is not Level.LOW:
        return "handle_off_topic"
    return "generate_clarification" if _may_ask(state) else "detect_ambiguity"


def after_ambiguity(state: TurnState) -> Literal["generate_clarification", "choose_path"]:
    clarity = state["clarity"]
    if clarity is None or clarity.label is Clarity.SPECIFIC:
        return "choose_path"
    if clarity.label is Clarity.VAGUE:
        return "generate_clarification" if _may_ask(state) else "choose_path"
    raise ValueError(f"no branch for the clarity {clarity.label!r}")


def _may_ask(state: TurnState) -> bool:
    """Never somebody in distress, and never more often than a conversation bears."""
    asked = state["clarifications_before"] + state["clarifications"]
    if skips(state, Skip.CLARIFICATION) or state["budget_hit"]:
        return False
    return state["limits"].agentic and asked < state["limits"].max_clarifications


def after_clarification(state: TurnState) -> Literal["validate_topic", "final_gate"]:
    over = state["clarification_expired"] or state["mode"] is Mode.CRISIS
    return "final_gate" if over else "validate_topic"


def after_choice(state: TurnState) -> Literal["generate_response", "plan_search", "agent"]:
    route = state["route"]
    if route is Route.DIRECT:
        return "generate_response"
    if route in (Route.SINGLE_SHOT, Route.BASIC):
        return "plan_search"
    if route is Route.ITERATIVE:
        return "agent"
    raise ValueError(f"no branch for the route {route!r}")


def after_step(state: TurnState) -> Literal["retrieve", "generate_response", "handle_no_results"]:
    """The model's own decision: `agent` has forced a search where it may not answer yet.

    A budget that the decision itself used up searches no more.
    """
    if state["step_queries"] and not state["budget_hit"]:
        return "retrieve"
    unsearched = state["passes"] == 0 and not state["budget_hit"]
    return "generate_response" if state["accepted"] or unsearched else "handle_no_results"


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


AfterRewrite = Literal[
    "retrieve", "agent", "generate_response", "handle_no_results", "finish_answer"
]


def after_rewrite(state: TurnState) -> AfterRewrite:
    """A query that was tried finds nothing new, and a used-up budget searches no more.

    Then the draft that there is goes out, or one is written from what was accepted.
    """
    fresh = any(query not in state["tried"] for query in state["queries"].values())
    if fresh and not state["budget_hit"]:
        return "agent" if state["route"] is Route.ITERATIVE else "retrieve"
    if state["draft"]:
        return "finish_answer"
    return "generate_response" if state["accepted"] else "handle_no_results"


AfterDraft = Literal["confirm_action", "tool_execution", "check_grounding", "final_gate"]


def after_draft(state: TurnState) -> AfterDraft:
    if state["model_failed"]:
        return "final_gate"
    if not state["tool_calls"]:
        return "check_grounding"
    if state["budget_hit"]:
        return "final_gate"
    return "confirm_action" if state["pending_action"] else "tool_execution"


def after_confirmation(state: TurnState) -> Literal["tool_execution", "generate_response"]:
    return "generate_response" if state["declined"] else "tool_execution"


AfterCheck = Literal["finish_answer", "generate_response", "optimize_query", "plan_search"]

_CORRECTIONS: dict[str, AfterCheck] = {
    "": "finish_answer",
    "write": "generate_response",
    "search": "optimize_query",
    "plan": "plan_search",
}


def after_check(state: TurnState) -> AfterCheck:
    return _CORRECTIONS[state["correction"]]


def after_gate(state: TurnState) -> Literal["deliver", "fallback"]:
    return "fallback" if state["blocked"] else "deliver"
