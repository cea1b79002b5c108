"""The generation boundary and what makes an answer fit to send.

The draft is written from accepted passages and their neighbours alone; then its markers are
held against them, renumbered and pruned.
"""

from __future__ import annotations

from typing import Any

from chat.agent.budget import spend
from chat.agent.state import TurnState
from chat.contracts.errors import SearchFailed
from chat.contracts.passages import Passage
from chat.contracts.ports import ModelFault, Ports
from chat.contracts.tasks import AnswerTask
from chat.contracts.verdicts import Confidence, Control, GradeLabel, Termination
from chat.guardrails.evidence import Bound, bind_citations
from chat.guardrails.policy import guard_now

WITHHELD = Bound(text="", citations=(), removed=())
"""What is left of a draft whose markers could not be checked; the final gate stops it."""


def finish_label(state: TurnState) -> str:
    count = len(state.get("accepted", ()))
    return "Checking against 1 passage" if count == 1 else f"Checking against {count} passages"


async def generate_response(state: TurnState, ports: Ports) -> dict[str, Any]:
    """Write the draft, streamed. A model that fails after its retries is told, not raised."""
    passages = await _with_neighbours(state, ports)
    gaps = tuple(item for item, found in state["covered"].items() if not found)
    task = AnswerTask(
        question=state["standalone"],
        history=state["history"],
        passages=passages,
        gaps=gaps,
    )
    try:
        reply = await ports.model.answer(task, ports.write)
    except ModelFault as fault:
        return {
            "passages": passages,
            "model_failed": fault.reason,
            "blocked": True,
            "text": "",
            **spend(state, fault.call),
            "emit": (fault.call,),
        }
    return {
        "passages": passages,
        "draft": reply.value.text,
        "gaps": gaps,
        **spend(state, reply.call),
        "emit": (reply.call,),
    }


async def finish_answer(state: TurnState, ports: Ports) -> dict[str, Any]:
    """Bind the markers to passages; say what could not be graded or found."""
    asked = guard_now(lambda: bind_citations(state["draft"], state["passages"]), fallback=WITHHELD)
    bound = asked.value
    removed = len(bound.removed)
    decision = asked.decision(
        Control.CITATION_BINDING,
        acted=removed > 0,
        reason=f"{len(bound.citations)} bound, {removed} removed",
    )
    caveats = _caveats(state)
    return {
        "text": bound.text,
        "citations": bound.citations,
        "confidence": Confidence.NONE,
        "caveats": caveats,
        "suggestions": (),
        "termination": _termination(state, caveats) if asked.ran else Termination.CONTROL_FAILED,
        "emit": (decision,),
    }


def _termination(state: TurnState, caveats: tuple[str, ...]) -> Termination:
    """A budget that ended the work wins; else anything to caveat is said in the reason."""
    covered = all(state["covered"].values())
    if state["budget_hit"] and not covered:
        return state["budget_hit"]
    if caveats or not covered:
        return Termination.ANSWERED_WITH_CAVEAT
    return Termination.ANSWERED


def _caveats(state: TurnState) -> tuple[str, ...]:
    if not state["limits"].agentic:
        return ()
    if GradeLabel.UNGRADED in state["accepted_as"].values():
        return ("It could not be checked whether these passages answer the question.",)
    return ()


async def _with_neighbours(state: TurnState, ports: Ports) -> tuple[Passage, ...]:
    """The accepted passages first, then the sections beside them in their documents."""
    accepted = state["accepted"]
    if not ports.settings.neighbours or not accepted:
        return accepted
    known = {passage.chunk for passage in accepted}
    try:
        beside = await ports.search.neighbours([passage.chunk for passage in accepted])
    except SearchFailed:  # the evidence itself is there, so the answer does not wait for more
        return accepted
    return (*accepted, *(passage for passage in beside if passage.chunk not in known))
