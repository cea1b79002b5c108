"""How a turn ends: markers are bound, constants speak, a pure gate looks, one node delivers."""

from __future__ import annotations

from typing import Any

from chat.agent.budget import TOOL_ROUNDS
from chat.agent.saying import constant
from chat.agent.state import TurnState
from chat.contracts.events import Answer, Decision, RouteTaken
from chat.contracts.ports import Ports
from chat.contracts.verdicts import Confidence, Control, GradeLabel, Outcome, Route, Termination
from chat.guardrails import evidence, output
from chat.guardrails.evidence import Bound, bind_citations
from chat.guardrails.modes import MODES, Skip
from chat.guardrails.policy import guard_now

SEARCHED_ALL = (Termination.NO_EVIDENCE, Termination.NO_PROGRESS)
"""Only after these may it be said that the documents hold no answer."""

WITHHELD = Bound(text="", citations=(), removed=())
"""What is left of a draft whose markers could not be checked; the final gate stops it."""

UNGRADED = "It could not be checked whether these passages answer the question."
UNCHECKED = "It could not be checked whether the sources hold all of this."
TICKET = "open_ticket"  # the tool that reaches staff, where a site has it
CAVEATS = 3  # claims that an answer warns of
MEDIUM = 3  # unsupported claims up to which confidence is medium


async def crisis_response(state: TurnState, ports: Ports) -> dict[str, Any]:
    """A fixed text with the contacts of the settings. Nothing is searched, no model speaks."""
    text = output.crisis_reply(ports.settings.contacts)
    reply = constant(text, Termination.CRISIS, ports, route=Route.CRISIS)
    return {**reply, "suggestions": ()}


async def greeting_response(state: TurnState, ports: Ports) -> dict[str, Any]:
    """Say hello and what the handbook covers."""
    text = output.greeting_reply(ports.settings.covers)
    return constant(text, Termination.GREETED, ports, route=Route.GREETING)


async def handle_off_topic(state: TurnState, ports: Ports) -> dict[str, Any]:
    """Say that this is not in the handbook, and what is."""
    text = output.off_topic_reply(ports.settings.covers)
    return constant(text, Termination.OFF_TOPIC, ports, route=Route.OFF_TOPIC)


async def handle_no_results(state: TurnState, ports: Ports) -> dict[str, Any]:
    """Say what was looked for and which words are missing. A budget that ended it wins."""
    why = _why_nothing(state)
    if why not in SEARCHED_ALL:
        return constant(output.fallback_reply(why, ports.settings.covers), why, ports)
    text = output.no_results_reply(state["standalone"], state["tried"], ports.settings.covers)
    missing = evidence.missing_words(state["standalone"], [hit.passage for hit in state["hits"]])
    reply = constant(output.with_missing_words(text, missing), why, ports)
    return {**reply, "suggestions": (*reply["suggestions"], *_somebody(state, ports))}


def _somebody(state: TurnState, ports: Ports) -> tuple[str, ...]:
    """Where nothing was found, people can still be asked, if there is a tool for it."""
    if not any(spec.name == TICKET for spec in ports.tools.specs):
        return ()
    return (output.ticket_for(state["standalone"]),)


async def finish_answer(state: TurnState, ports: Ports) -> dict[str, Any]:
    """Bind the markers; name every gap; say how sure the answer is and what it cannot vouch for."""
    asked = guard_now(
        lambda: bind_citations(output.soften(state["draft"]), state["passages"]), fallback=WITHHELD
    )
    bound = asked.value
    decision = asked.decision(
        Control.CITATION_BINDING,
        acted=len(bound.removed) > 0,
        reason=f"{len(bound.citations)} bound, {len(bound.removed)} removed",
    )
    gaps = tuple(item for item, found in state["covered"].items() if not found)
    caveats = _caveats(state)
    hedged = Skip.CAVEATS not in MODES[state["mode"]].skips
    return {
        "text": _with_gaps(bound.text, gaps),
        "citations": bound.citations,
        "confidence": _confidence(state),
        "caveats": caveats if hedged else (),
        "gaps": gaps,
        "suggestions": (),
        "termination": _termination(state, caveats) if asked.ran else Termination.CONTROL_FAILED,
        "emit": (decision,),
    }


def _with_gaps(text: str, gaps: tuple[str, ...]) -> str:
    """Code sees to it that every gap is named, whatever the model wrote."""
    if not text.strip() or output.names_every(text, gaps):
        return text
    return f"{text.rstrip()}\n\n{output.gap_line(gaps)}"


def _termination(state: TurnState, caveats: tuple[str, ...]) -> Termination:
    """A no of the person, then a budget that ended the work; then whether anything is open."""
    covered = all(state["covered"].values())
    if state["declined"]:
        return Termination.ACTION_DECLINED
    if state["budget_hit"] is Termination.TOOL_CAP:
        return Termination.TOOL_CAP
    if state["budget_hit"] and (not covered or _correction_was_due(state)):
        return state["budget_hit"]
    if caveats or not covered:
        return Termination.ANSWERED_WITH_CAVEAT
    return Termination.ANSWERED


def _correction_was_due(state: TurnState) -> bool:
    """Would the draft have been sent back, if a budget had not ended the work?"""
    wrong = any(claim.supported is False for claim in state["claims"])
    return wrong and state["corrections"] < state["limits"].max_corrections


def _caveats(state: TurnState) -> tuple[str, ...]:
    if not state["limits"].agentic:
        return ()
    found = []
    if GradeLabel.UNGRADED in state["accepted_as"].values():
        found.append(UNGRADED)
    if state["check_failed"] or any(claim.supported is None for claim in state["claims"]):
        found.append(UNCHECKED)
    wrong = [claim.label for claim in state["claims"] if claim.supported is False]
    found += [f"No source was found for: {label.rstrip('.')}." for label in wrong[:CAVEATS]]
    return tuple(found)


def _confidence(state: TurnState) -> Confidence:
    """From the count of claims that nothing holds; none where nobody has looked."""
    if not state["was_checked"] or not state["claims"]:
        return Confidence.NONE
    if any(claim.supported is None for claim in state["claims"]):
        return Confidence.LOW
    wrong = sum(claim.supported is False for claim in state["claims"])
    if wrong == 0:
        return Confidence.HIGH
    return Confidence.MEDIUM if wrong <= MEDIUM else Confidence.LOW


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
    return constant(output.fallback_reply(cause, ports.settings.covers), cause, ports)


async def deliver(state: TurnState, ports: Ports) -> dict[str, Any]:
    """The one place from which an answer leaves; the path is told again as it was taken."""
    taken = state.get("route", Route.SINGLE_SHOT)
    route = RouteTaken(
        decided=state.get("decided", taken),
        confidence=state["route_confidence"],
        taken=taken,
    )
    answer = Answer(
        text=state["text"],
        citations=state["citations"],
        confidence=state["confidence"],
        caveats=state["caveats"],
        gaps=state["gaps"],
        suggestions=state["suggestions"],
    )
    return {"emit": (route, answer)}


def _why_blocked(state: TurnState) -> Termination:
    if state["model_failed"] == Termination.TIME_CAP and state["budget_hit"]:
        return state["budget_hit"]
    if state["model_failed"]:
        return Termination.MODEL_FAILED
    if state.get("termination") is Termination.CONTROL_FAILED:
        return Termination.CONTROL_FAILED
    if state["tool_calls"] and state["budget_hit"]:
        return state["budget_hit"]
    if state["tool_rounds"] >= TOOL_ROUNDS:  # it still wanted tools, and wrote nothing
        return Termination.TOOL_CAP
    return Termination.GATE_BLOCKED


def _why_nothing(state: TurnState) -> Termination:
    if state["budget_hit"]:
        return state["budget_hit"]
    if state["search_failed"]:
        return Termination.CONTROL_FAILED
    stuck = state["limits"].no_progress_stop and state["no_progress"] >= 2
    refused = state["passes"] <= state["rewrites"]  # the last rewrite was never searched
    return Termination.NO_PROGRESS if stuck or refused else Termination.NO_EVIDENCE
