"""The input boundary, second half: is there something to look up, and if not, what to ask.

The person's reply may take days and another process; see `chat.contracts.ports.Ports.ask`.
"""

from __future__ import annotations

from typing import Any

from chat.agent.budget import checked
from chat.agent.saying import account, also, constant
from chat.agent.state import TurnState
from chat.contracts.events import Decision, QuestionRead
from chat.contracts.ports import Ports
from chat.contracts.tasks import Exchange, Pause, PauseReply
from chat.contracts.verdicts import (
    AmbiguityVerdict,
    Clarity,
    Control,
    Intent,
    Mode,
    Route,
    Termination,
)
from chat.guardrails import output
from chat.guardrails.modes import MODES, Skip
from chat.guardrails.policy import Guarded, guard, says, skipped
from chat.guardrails.questions import vagueness
from chat.guardrails.screening import crisis

OPTIONS = 3  # chips at most
LONGEST = 1_000  # characters of a question and its reply put together


async def detect_ambiguity(state: TurnState, ports: Ports) -> dict[str, Any]:
    """Can retrieval proceed? Code first, a model when it cannot say. Fails open: never asks."""
    if off := _off(state, ports):
        return {"clarity": None, "emit": (skipped(Control.AMBIGUITY, off),)}
    question, history = state["standalone"], state["history"]
    known = vagueness.clarity(question, has_history=bool(history))
    if known is not None:
        verdict = _by_code(known, ports)
        return {"clarity": verdict, "emit": (_decision(Guarded(verdict, ran=True), verdict),)}
    asked = await guard(
        ports.model.detect_ambiguity(question, history),
        fallback=None,
        timeout_ms=ports.settings.control_timeout_ms,
        sane=says(AmbiguityVerdict),
    )
    said = asked.value.value if asked.value else None
    return {"clarity": said, **also(account(state, asked), _decision(asked, said))}


def _off(state: TurnState, ports: Ports) -> str:
    if not ports.settings.agentic:
        return "the plain path"
    if Skip.AMBIGUITY in MODES[state["mode"]].skips:
        return f"the mode {state['mode']}"
    return "" if ports.settings.ambiguity_check else "switched off"


def _by_code(label: Clarity, ports: Ports) -> AmbiguityVerdict:
    if label is Clarity.SPECIFIC:
        return AmbiguityVerdict(label=label, reason="there is a word to look up")
    return AmbiguityVerdict(
        label=label,
        question=vagueness.QUESTION,
        options=tuple(ports.settings.examples[:OPTIONS]),
        reason="no word in it can be looked up",
    )


def _decision(asked: Guarded[Any], verdict: AmbiguityVerdict | None) -> Decision:
    if verdict is None:
        return asked.decision(Control.AMBIGUITY, acted=False)
    reason = f"{verdict.label} {verdict.reason}".strip()
    return asked.decision(Control.AMBIGUITY, acted=verdict.label is Clarity.VAGUE, reason=reason)


async def generate_clarification(state: TurnState, ports: Ports) -> dict[str, Any]:
    """Ask, wait, and merge the reply into the question. Counts itself.

    Before the pause nothing is done that has an effect: the node begins again after it.
    """
    pause = _pause(state)
    reply = ports.ask(pause)
    counted = {"clarifications": state["clarifications"] + 1}
    if crisis.crisis(reply.text):
        return {**counted, **_in_crisis(state, ports)}
    if reply.expired:
        cause = Termination.CLARIFICATION_EXPIRED
        text = output.fallback_reply(cause, ports.settings.covers)
        return {
            "clarification_expired": True,
            **counted,
            **constant(text, cause, ports, route=Route.CLARIFY),
        }
    return {**counted, **await _merged(state, pause, reply, ports)}


def _in_crisis(state: TurnState, ports: Ports) -> dict[str, Any]:
    """A reply may be the first to say it: nothing is searched then, and the fixed text speaks."""
    text = output.crisis_reply(ports.settings.contacts)
    read = QuestionRead(
        standalone=state["standalone"],
        intent=Intent.CRISIS,
        mode=Mode.CRISIS,
        context_level=state["context_level"],
    )
    reply = constant(text, Termination.CRISIS, ports, route=Route.CRISIS)
    return {**also(reply, read), "mode": Mode.CRISIS, "intent": Intent.CRISIS, "suggestions": ()}


def _pause(state: TurnState) -> Pause:
    """The words of the verdict that was unsure: of the topic, or of the question itself."""
    clarity, topic = state["clarity"], state["topic"]
    if clarity is not None and clarity.label is Clarity.VAGUE:
        question, options = clarity.question or vagueness.QUESTION, clarity.options
    else:
        question, options = output.UNSURE_TOPIC, topic.options if topic else ()
    return Pause(kind="clarification", question=question, options=options[:OPTIONS])


async def _merged(
    state: TurnState, pause: Pause, reply: PauseReply, ports: Ports
) -> dict[str, Any]:
    """The question with the reply in it; side by side if the model cannot put them together."""
    question = state["standalone"]
    asked = await guard(
        ports.model.standalone(
            reply.text, (*state["history"], Exchange(question=question, answer=pause.question))
        ),
        fallback=None,
        timeout_ms=ports.settings.control_timeout_ms,
        sane=says(str),
    )
    # Both halves are cut, so that a long question does not push the reply out.
    beside = f"{question[: LONGEST // 2]}: {reply.text[: LONGEST // 2]}"
    merged = (asked.value.value.strip() if asked.value else "") or beside
    upset = state["mode"] is Mode.STANDARD and crisis.distressed(reply.text)
    mode = Mode.SUPPORTIVE if upset else state["mode"]
    read = QuestionRead(
        standalone=merged[:LONGEST],
        items=(merged[:LONGEST],),
        intent=state["intent"],
        mode=mode,
        context_level=state["context_level"],
    )
    update = {"standalone": merged[:LONGEST], "topic": None, "clarity": None, "mode": mode}
    told = also(account(state, asked), read)
    return {**update, **checked(state, told, ports.clock())}
