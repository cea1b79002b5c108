"""How a turn ends: markers are bound, constants speak, a pure gate looks, one node delivers."""

from __future__ import annotations

from typing import Any

from chat.agent.budget import TOOL_ROUNDS
from chat.agent.saying import constant, held_by
from chat.agent.state import TurnState
from chat.contracts.events import Answer, Decision, RouteTaken
from chat.contracts.ports import Ports
from chat.contracts.verdicts import Confidence, Control, GradeLabel, Outcome, Route, Termination
from chat.guardrails import bands, evidence, generation, output, scope
from chat.guardrails.claims.hedges import Hedged
from chat.guardrails.drafts.links import without_foreign_links
from chat.guardrails.evidence import Bound, bind_citations
from chat.guardrails.modes import MODES, Skip
from chat.guardrails.policy import Guarded, guard_now
from chat.guardrails.toxicity import Toxicity, toxic
from chat.guardrails.untrusted.sentences import MARK

SEARCHED_ALL = (Termination.NO_EVIDENCE, Termination.NO_PROGRESS)
"""Only after these may it be said that the documents hold no answer."""

WITHHELD = Bound(text="", citations=(), removed=())
"""What is left of a draft whose markers could not be checked; the final gate stops it."""

UNGRADED = "It could not be checked whether these passages answer the question."
UNCHECKED = "It could not be checked whether the sources hold all of this."
LEFT_OUT = "A part of a source reads like an order to the assistant, and was left out."
TICKET = "open_ticket"  # the tool that reaches staff, where a site has it
CAVEATS = 3  # claims that an answer warns of


async def crisis_response(state: TurnState, ports: Ports) -> dict[str, Any]:
    """A fixed text with the contacts of the settings. Nothing is searched, no model speaks."""
    text = output.crisis_reply(ports.settings.contacts)
    reply = constant(text, Termination.CRISIS, ports, route=Route.CRISIS)
    return {**reply, "suggestions": ()}


async def greeting_response(state: TurnState, ports: Ports) -> dict[str, Any]:
    """Say hello and what the handbook covers."""
    text = output.greeting_reply(ports.settings.covers)
    return constant(text, Termination.GREETED, ports, route=Route.GREETING)


def off_topic_label(state: TurnState) -> str:
    return "Not for this assistant" if state.get("restricted") else "Not in the handbook"


async def handle_off_topic(state: TurnState, ports: Ports) -> dict[str, Any]:
    """Say that this is not in the handbook, and what is; or the fixed words of a restriction."""
    covers, route = ports.settings.covers, Route.OFF_TOPIC
    if state["restricted_by"] == "outage":  # it may have been allowed, and nobody could say
        cause = Termination.CONTROL_FAILED
        return constant(output.fallback_reply(cause, covers), cause, ports, route=route)
    if name := state["restricted"]:
        text = scope.reply_of(name, ports.settings.site.restricted)
        return constant(text, Termination.RESTRICTED, ports, route=route)
    return constant(output.off_topic_reply(covers), Termination.OFF_TOPIC, ports, route=route)


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
    asked = guard_now(lambda: _bound(state), fallback=WITHHELD, sane=_is_bound)
    bound = asked.value
    # Nothing leaves past the filters either: one that breaks counts as markers not bound.
    filtered = guard_now(lambda: _filtered(bound.text, state, ports), fallback=Hedged("", 0))
    binding = (asked if filtered.ran else filtered).decision(
        Control.CITATION_BINDING,
        acted=len(bound.removed) > 0,
        reason=f"{len(bound.citations)} bound, {len(bound.removed)} removed",
    )
    sure = guard_now(
        lambda: bands.band(state["claims"], was_checked=state["was_checked"]),
        fallback=Confidence.NONE,
        sane=lambda band: isinstance(band, Confidence),
    )
    gaps = tuple(item for item, found in state["covered"].items() if not found)
    caveats = _caveats(state)
    hedged = Skip.CAVEATS not in MODES[state["mode"]].skips
    is_whole = asked.ran and filtered.ran
    return {
        "text": _with_gaps(filtered.value.text, gaps),
        "hedged": filtered.value.count,
        "citations": bound.citations,
        "unresolved": tuple(map(str, bound.removed)),
        "confidence": sure.value,
        "caveats": caveats if hedged else (),
        "gaps": gaps,
        "suggestions": (),
        "termination": _termination(state, caveats) if is_whole else Termination.CONTROL_FAILED,
        "emit": (binding, _how_sure(sure, state)),
    }


def _bound(state: TurnState) -> Bound:
    """Two verdicts apart: that a marker resolves, and that its passage carries what is said."""
    bound = bind_citations(state["draft"], state["passages"])
    return evidence.held_against(bound, state["claims"], state["passages"], generation.fits_entity)


def _is_bound(value: object) -> bool:
    return isinstance(value, Bound)


def _filtered(text: str, state: TurnState, ports: Ports) -> Hedged:
    """The filters after the check: links that no source has go, words that colour are put plainly,
    and a name that stands on nothing says so."""
    sources, site = held_by(state), ports.settings.site
    safe = without_foreign_links(text, [passage.text for passage in sources]).text
    plain = output.soften(safe, site.soften)
    return generation.hedged(plain, sources, state["standalone"], site)


def _how_sure(sure: Guarded[Confidence], state: TurnState) -> Decision:
    """Acted where the band is anything but high: something is said beside the answer."""
    counted = bands.by_basis(state["claims"])
    reason = ", ".join(f"{count} {basis}" for basis, count in sorted(counted.items()))
    return sure.decision(
        Control.CONFIDENCE,
        acted=sure.value is not Confidence.HIGH,
        reason=f"{sure.value}: {reason}" if reason else str(sure.value),
    )


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
    wrong = bands.needs_retry(state["claims"])
    return wrong and state["corrections"] < state["limits"].max_corrections


def _caveats(state: TurnState) -> tuple[str, ...]:
    if not state["limits"].agentic:
        return ()
    found = []
    if GradeLabel.UNGRADED in state["accepted_as"].values():
        found.append(UNGRADED)
    if any(MARK in passage.text for passage in state["accepted"]):
        found.append(LEFT_OUT)
    if state["check_failed"] or bands.undecided(state["claims"]):
        found.append(UNCHECKED)
    wrong = bands.unsupported(state["claims"])
    found += [generation.caveat_of(claim) for claim in wrong[:CAVEATS]]
    return tuple(found)


async def final_gate(state: TurnState, ports: Ports) -> dict[str, Any]:
    """Nothing that is missing, blank or a scrap leaves; beside it, nothing that is abuse."""
    verdict = output.final_gate(state.get("text"))
    gate = Decision(
        control=Control.FINAL_GATE,
        outcome=Outcome.PASSED if verdict.passed else Outcome.ACTED,
        reason=verdict.reason,
    )
    rude = guard_now(
        lambda: toxic(state.get("text") or ""),
        fallback=Toxicity(found=False),
        sane=lambda said: isinstance(said, Toxicity),
    )
    told = rude.decision(Control.TOXICITY, acted=rude.value.found, reason=rude.value.reason)
    if not rude.ran and _held_back(state, ports):
        told = told.model_copy(update={"outcome": Outcome.FAILED_CLOSED})
        closed = {"termination": Termination.CONTROL_FAILED}
        return {"blocked": True, **closed, "emit": (gate, told)}
    return {"blocked": not verdict.passed or rude.value.found, "emit": (gate, told)}


def _held_back(state: TurnState, ports: Ports) -> bool:
    """Open: what nobody could read for abuse leaves. Closed for what a model wrote on a question
    with a cue of a restricted category; a constant, such as the help in a crisis, always leaves."""
    if not state.get("draft"):
        return False
    asked = state.get("standalone") or state["question"]
    return bool(scope.suspicious(asked, ports.settings.site.restricted))


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
    if state["search_failed"] or state["unread"]:
        return Termination.CONTROL_FAILED
    stuck = state["limits"].no_progress_stop and state["no_progress"] >= 2
    refused = state["passes"] <= state["rewrites"]  # the last rewrite was never searched
    return Termination.NO_PROGRESS if stuck or refused else Termination.NO_EVIDENCE
