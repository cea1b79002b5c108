"""How a turn ends: constants speak, a pure gate looks at every text, one node delivers."""

from __future__ import annotations

from typing import Any

from chat.agent.state import TurnState
from chat.contracts.events import Answer, Decision, RouteTaken
from chat.contracts.ports import Ports
from chat.contracts.verdicts import Confidence, Control, Outcome, Route, Termination
from chat.guardrails import output

SEARCHED_ALL = (Termination.NO_EVIDENCE, Termination.NO_PROGRESS)
"""Only after these may it be said that the documents hold no answer."""


async def greeting_response(state: TurnState, ports: Ports) -> dict[str, Any]:
    """Say hello and what the handbook covers."""
    text = output.greeting_reply(ports.settings.covers)
    return _fixed(text, Termination.GREETED, ports, route=Route.GREETING)


async def handle_off_topic(state: TurnState, ports: Ports) -> dict[str, Any]:
    """Say that this is not in the handbook, and what is."""
    text = output.off_topic_reply(ports.settings.covers)
    return _fixed(text, Termination.OFF_TOPIC, ports, route=Route.OFF_TOPIC)


async def handle_no_results(state: TurnState, ports: Ports) -> dict[str, Any]:
    """Say what was looked for. The reason is the budget's, if one ended the search."""
    why = _why_nothing(state)
    if why in SEARCHED_ALL:
        text = output.no_results_reply(state["standalone"], state["tried"], ports.settings.covers)
    else:
        text = output.fallback_reply(why, ports.settings.covers)
    return _fixed(text, why, ports)


async def final_gate(state: TurnState, ports: Ports) -> dict[str, Any]:
    """Nothing that is missing, blank or a scrap leaves."""
    verdict = output.final_gate(state.get("text"))
    decision = Decision(
        control=Control.FINAL_GATE,
        outcome=Outcome.PASSED if verdict.passed else Outcome.ACTED,
        reason=verdict.reason,
    )
    return {"blocked": not verdict.passed, "emit": (decision,)}


async def fallback(state: TurnState, ports: Ports) -> dict[str, Any]:
    """Say which cause it was and what is covered; two questions that work are suggested."""
    cause = _why_blocked(state)
    text = output.fallback_reply(cause, ports.settings.covers)
    return _fixed(text, cause, ports)


async def deliver(state: TurnState, ports: Ports) -> dict[str, Any]:
    """The one place from which an answer leaves."""
    route = state.get("route", Route.SINGLE_SHOT)
    answer = Answer(
        text=state["text"],
        citations=state["citations"],
        confidence=state["confidence"],
        caveats=state["caveats"],
        gaps=state["gaps"],
        suggestions=state["suggestions"],
    )
    return {"emit": (RouteTaken(decided=route, taken=route), answer)}


def _why_blocked(state: TurnState) -> Termination:
    if state.get("model_failed"):
        return Termination.MODEL_FAILED
    if state.get("termination") is Termination.CONTROL_FAILED:
        return Termination.CONTROL_FAILED
    return Termination.GATE_BLOCKED


def _why_nothing(state: TurnState) -> Termination:
    if state["budget_hit"]:
        return state["budget_hit"]
    if state["search_failed"]:
        return Termination.CONTROL_FAILED
    stuck = state["limits"].no_progress_stop and state["no_progress"] >= 2
    refused = state["passes"] <= state["rewrites"]  # the last rewrite was never searched
    return Termination.NO_PROGRESS if stuck or refused else Termination.NO_EVIDENCE


def _fixed(
    text: str, termination: Termination, ports: Ports, route: Route | None = None
) -> dict[str, Any]:
    update: dict[str, Any] = {
        "text": text,
        "citations": (),
        "confidence": Confidence.NONE,
        "caveats": (),
        "gaps": (),
        "suggestions": tuple(ports.settings.examples[:2]),
        "termination": termination,
        "emit": (),
    }
    return update if route is None else {**update, "route": route}
