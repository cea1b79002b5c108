"""The generation boundary: a draft from accepted evidence alone, and whether anything holds it.

An unsupported draft is withdrawn and written again with the reason, or more is searched for
what it claimed; a direct draft that claims something is searched after all.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from chat.agent.budget import TOOL_ROUNDS, checked, rewrites_left, spend, time_left_ms, uses
from chat.agent.consent import to_confirm
from chat.agent.nodes import untrusted
from chat.agent.saying import account, also, held_by, in_time
from chat.agent.state import Correction, TurnState
from chat.contracts.errors import SearchFailed
from chat.contracts.events import Claim, Claims, Decision
from chat.contracts.passages import Passage
from chat.contracts.ports import ModelFault, Ports, Reply
from chat.contracts.tasks import AnswerTask, CheckTask, Draft, ToolSpec
from chat.contracts.verdicts import Basis, ClaimVerdict, Control, Outcome, Route, Termination
from chat.guardrails import bands, generation
from chat.guardrails.drafts import courtesy
from chat.guardrails.modes import MODES, Skip
from chat.guardrails.policy import Guarded, guard, guard_now, skipped

UNSUPPORTED = "A part of it rests on no source, so it is written again."
SEARCHING = "It rests on no source, so more is looked up."
LOOKING_UP = "That is better looked up than answered from memory."
CALLING = "Something has to be looked up or done first."


def check_label(state: TurnState) -> str:
    count = len(state.get("passages", ()))
    if count == 0:
        return "Checking the wording"
    return "Checking against 1 passage" if count == 1 else f"Checking against {count} passages"


async def generate_response(state: TurnState, ports: Ports) -> dict[str, Any]:
    """Write the draft, streamed, or ask for tools. A model that fails is told, not raised."""
    passages, screened = await _sources(state, ports)
    gaps = tuple(item for item, found in state["covered"].items() if not found)
    task = AnswerTask(
        question=state["standalone"],
        history=state["history"],
        passages=passages,
        gaps=gaps,
        mode=state["mode"],
        tools=_offered(state, ports),
        results=state["tool_results"],
        wrong=_wrong(state),
        images=ports.images,
    )
    update = {"passages": passages, "gaps": gaps, "correction": "", "claims": ()}
    try:
        async with asyncio.timeout(_time_to_write(state, ports)):
            reply = await ports.model.answer(task, _shown_by(ports))
    except ModelFault as fault:
        failed = {**spend(state, fault.call), "emit": (fault.call, *screened)}
        return {**update, **failed, "model_failed": fault.reason, "draft": "", "text": ""}
    except TimeoutError:  # it went on and on: a stream's own limit is between two tokens
        cut = {"model_failed": str(Termination.TIME_CAP), "draft": "", "text": "", "emit": screened}
        return {**update, **cut, "budget_hit": state["budget_hit"] or Termination.TIME_CAP}
    drafted = _drafted(untrusted.draft(reply.value, ports), state, ports)
    update = {**update, **drafted, **spend(state, reply.call), "emit": (reply.call, *screened)}
    return checked(state, update, ports.clock()) if drafted["tool_calls"] else update


def _shown_by(ports: Ports) -> Callable[[str], None]:
    """Who shows and stores the draft as it grows: nobody, while a picture may speak through it."""
    return (lambda _text: None) if ports.images else ports.write


def _time_to_write(state: TurnState, ports: Ports) -> float:
    """Seconds for a whole draft: what is left of the turn, and never less than a control has."""
    left = time_left_ms(state, ports.clock())
    return max(left, ports.settings.control_timeout_ms) / 1000


def _drafted(draft: Draft, state: TurnState, ports: Ports) -> dict[str, Any]:
    """A text, or calls that come before one. What was not offered is not called."""
    if not draft.calls or not _offered(state, ports):
        return {"draft": draft.text, "tool_calls": (), "pending_action": ""}
    calls = untrusted.calls(draft.calls)
    call = to_confirm(calls, state, ports)
    update: dict[str, Any] = {
        "draft": "",
        "tool_calls": calls,
        "pending_action": ports.tools.summary(call) if call else "",
    }
    return {**update, "withdrawn": CALLING} if draft.text else update


def _offered(state: TurnState, ports: Ports) -> tuple[ToolSpec, ...]:
    """The tools that may still be called: none after a no, at a cap, or on the plain path."""
    closed = not ports.settings.agentic or state["declined"] or bool(state["budget_hit"])
    if closed or state["tool_rounds"] >= TOOL_ROUNDS:
        return ()
    return tuple(spec for spec in ports.tools.specs if uses(state, spec.name) < spec.limit)


def _wrong(state: TurnState) -> tuple[str, ...]:
    """Claims of the draft that was sent back."""
    if state["correction"] != "write":
        return ()
    return tuple(claim.text for claim in bands.unsupported(state["claims"]))


async def _sources(
    state: TurnState, ports: Ports
) -> tuple[tuple[Passage, ...], tuple[Decision, ...]]:
    """The accepted passages, the sections beside them, then what tools found; all screened."""
    beside = await _beside(state, ports)
    found = (p for result in state["tool_results"] for p in result.passages)
    fresh = {p.chunk: p for p in (*state["accepted"], *beside.passages, *found)}
    return tuple(fresh.values()), (beside.decision,) if beside.decision else ()


async def _beside(state: TurnState, ports: Ports) -> untrusted.Screened:
    """The sections beside what was accepted."""
    accepted = [passage.chunk for passage in state["accepted"]]
    if not ports.settings.neighbours or not accepted:
        return untrusted.Screened()
    try:
        found = await in_time(ports.search.neighbours(accepted), ports)
    except SearchFailed:  # the evidence itself is there, so the answer does not wait for more
        return untrusted.Screened()
    return untrusted.passages([passage for passage in found if passage.chunk not in accepted])


async def check_grounding(state: TurnState, ports: Ports) -> dict[str, Any]:
    """Does anything hold the draft? Code first, then a judge for what code cannot decide.

    Fails closed: what nobody checked is never called checked. Counts itself; sends a draft back
    at most as often as the settings allow.
    """
    counted = {"checks": state["checks"] + 1, "correction": "", "was_checked": False}
    if _from_memory(state):  # by code, so no setting turns it off
        return {**counted, **_direct(state)}
    if off := _off(state, ports):
        return {**counted, "emit": (skipped(Control.GROUNDEDNESS, off),)}
    if not state["draft"].strip():
        return {**counted, "emit": (skipped(Control.GROUNDEDNESS, "there is no draft"),)}
    proved = guard_now(lambda: _by_code(state, ports), fallback=NO_CLAIMS, sane=_are_verdicts)
    asked = await _by_judge(state, ports, proved)
    claims = _together(proved.value, asked)
    update = checked(state, {**counted, **account(state, asked)}, ports.clock())
    after: Any = {**state, **update}
    correction = _correction(after, claims)
    broken = proved if not proved.ran else asked
    told = also(update, *_told(claims), _decision(broken, claims))
    return {
        **told,
        "claims": claims,
        "unheld": bands.unheld(claims),
        "was_checked": broken.ran,
        "check_failed": "" if broken.ran else broken.reason,
        "correction": correction,
        "corrections": state["corrections"] + bool(correction),
        **({"withdrawn": UNSUPPORTED} if correction == "write" else {}),
        **({"withdrawn": SEARCHING} if correction == "search" else {}),
    }


NO_CLAIMS: tuple[ClaimVerdict, ...] = ()
Judged = Guarded[Reply[tuple[ClaimVerdict, ...]] | None]


def _by_code(state: TurnState, ports: Ports) -> tuple[ClaimVerdict, ...]:
    site = ports.settings.site
    return generation.verify(state["draft"], held_by(state), state["standalone"], site)


def _are_verdicts(value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(each, ClaimVerdict) for each in value)


async def _by_judge(
    state: TurnState, ports: Ports, proved: Guarded[tuple[ClaimVerdict, ...]]
) -> Judged:
    """What code left open; no call where it left nothing."""
    left = tuple(claim.text for claim in bands.undecided(proved.value))
    if not left:
        return Guarded(None, ran=True)
    task = CheckTask(
        question=state["standalone"],
        draft=state["draft"],
        claims=left,
        passages=held_by(state),
        images=ports.images,
    )
    return await guard(
        ports.model.check(task),
        fallback=None,
        timeout_ms=ports.settings.control_timeout_ms,
        sane=lambda reply: _are_verdicts(reply.value) and len(reply.value) == len(left),
    )


def _together(proved: tuple[ClaimVerdict, ...], asked: Judged) -> tuple[ClaimVerdict, ...]:
    """The judge's verdicts in the places of those that code left open, which they complete."""
    said = iter(asked.value.value if asked.value else ())
    open_ones = set(map(id, bands.undecided(proved)))
    return tuple(
        _completed(claim, next(said, None)) if id(claim) in open_ones else claim for claim in proved
    )


def _completed(claim: ClaimVerdict, said: ClaimVerdict | None) -> ClaimVerdict:
    """The judge decides; the sentence, its label and what code counted stay code's.

    So does the basis of what code computed, but could not read the words of.
    """
    if said is None:
        return claim
    kept = {"text": claim.text, "label": claim.label, "unheld": claim.unheld}
    kept["reason"] = untrusted.seen(said.reason)
    computed = {"basis": claim.basis} if claim.basis is Basis.CALCULATION else {}
    return said.model_copy(update={**kept, **computed})


def _off(state: TurnState, ports: Ports) -> str:
    if not ports.settings.agentic:
        return "the plain path"
    if Skip.GROUNDING in MODES[state["mode"]].skips:
        return f"the mode {state['mode']}"
    return "" if ports.settings.grounding_check else "switched off"


def _from_memory(state: TurnState) -> bool:
    on_its_own = state["route"] is Route.DIRECT
    return on_its_own and not state["passages"] and not state["tool_results"]


def _direct(state: TurnState) -> dict[str, Any]:
    """A draft without a source may be kind, and nothing more; a judge has nothing to hold it to."""
    silent = not state["draft"].strip()
    if not silent and not courtesy.makes_claims(state["draft"]):
        passed = Decision(
            control=Control.GROUNDEDNESS, outcome=Outcome.PASSED, reason="it claims nothing"
        )
        return {"emit": (passed,)}
    acted = Decision(
        control=Control.GROUNDEDNESS,
        outcome=Outcome.ACTED,
        reason="it is searched instead of answered from memory",
    )
    return {
        "draft": "",
        "route": Route.SINGLE_SHOT,
        "correction": "plan",
        "withdrawn": LOOKING_UP,
        "emit": (acted,),
    }


def _correction(state: TurnState, claims: tuple[ClaimVerdict, ...]) -> Correction:
    """What happens to a draft with unsupported claims, while there is something left to try."""
    if not bands.needs_retry(claims) or state["budget_hit"]:
        return ""
    if state["corrections"] >= state["limits"].max_corrections:
        return ""
    holds_something = any(claim.supported for claim in claims)
    if holds_something or not state["items"] or not rewrites_left(state):
        return "write"
    return "search"


def _told(claims: tuple[ClaimVerdict, ...]) -> tuple[Claims, ...]:
    lines = tuple(
        Claim(
            id=f"c{number}",
            label=claim.label,
            basis=claim.basis,
            supported=claim.supported,
            by=claim.by,
        )
        for number, claim in enumerate(claims, start=1)
    )
    return (Claims(claims=lines),) if lines else ()


def _decision(asked: Guarded[Any], claims: tuple[ClaimVerdict, ...]) -> Decision:
    wrong = len(bands.unsupported(claims))
    by_code = sum(claim.by == "code" for claim in claims)
    return asked.decision(
        Control.GROUNDEDNESS,
        acted=wrong > 0,
        reason=f"{len(claims) - wrong} of {len(claims)} claims are supported, {by_code} by code",
    )
