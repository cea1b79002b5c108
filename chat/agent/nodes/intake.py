"""The input boundary: what was asked, in what state of mind, is it a greeting, is it ours."""

from __future__ import annotations

from typing import Any

from chat.agent.budget import told
from chat.agent.saying import account, also
from chat.agent.state import TurnState, fresh
from chat.contracts.events import Decision, QuestionRead
from chat.contracts.ports import Ports
from chat.contracts.verdicts import (
    Control,
    Intent,
    Level,
    Mode,
    Outcome,
    TopicLabel,
    TopicVerdict,
)
from chat.guardrails import modes, output
from chat.guardrails.input import GreetingGuess, greeting
from chat.guardrails.modes import MODES, Skip
from chat.guardrails.policy import Guarded, guard, skipped
from chat.guardrails.questions import intents
from chat.guardrails.screening import crisis, paste

HISTORY = 5  # earlier turns that a follow-up may refer to


async def screen_input(state: TurnState, ports: Ports) -> dict[str, Any]:
    """Report the redaction that was done before anything was written; see what is at the door.

    A crisis and a pasted document have ways of their own.
    """
    limits = told(state["limits"])
    update = {**_at_the_door(state), "budget": limits, "emit": (_redaction(state),)}
    if update["intent"] is not Intent.QUESTION:
        return also(update, _read(state, update))
    return update


def _at_the_door(state: TurnState) -> dict[str, Any]:
    question = state["question"]
    pasted = paste.pasted(question) if _came_pasted(state) else None
    if crisis.crisis(question if pasted is None else pasted.lead):
        intent, mode, standalone = Intent.CRISIS, Mode.CRISIS, question
    elif pasted is not None:
        intent, mode = Intent.DOCUMENT, Mode.DOCUMENT
        standalone = output.paste_question(pasted.lead)
    else:
        intent, standalone = Intent.QUESTION, question
        mode = _mode(state, intent, distressed=crisis.distressed(question))
    level = modes.context_level(len(state["history"]), intent)
    return {"intent": intent, "mode": mode, "context_level": level, "standalone": standalone}


def _came_pasted(state: TurnState) -> bool:
    return any(each.kind == "paste" for each in state["attachments"])


def _redaction(state: TurnState) -> Decision:
    found = state["redactions"]
    words = ", ".join(f"{count} {kind}" for kind, count in sorted(found.items()))
    outcome = Outcome.ACTED if found else Outcome.PASSED
    return Decision(control=Control.REDACTION, outcome=outcome, reason=words)


async def detect_greeting(state: TurnState, ports: Ports) -> dict[str, Any]:
    """Patterns first; a model only when they are unsure. A failure is no greeting.

    Who says hello with a file wants the file read.
    """
    if not ports.settings.greeting_check or state["attachments"]:
        return {"is_greeting": False, "emit": ()}
    guess = greeting(state["question"])
    if guess is not GreetingGuess.UNSURE:
        return _greeted(state, guess is GreetingGuess.YES, {"emit": ()})
    asked = await guard(
        ports.model.detect_greeting(state["question"]),
        fallback=None,
        timeout_ms=ports.settings.control_timeout_ms,
    )
    return _greeted(state, bool(asked.value and asked.value.value), account(state, asked))


def _greeted(state: TurnState, is_greeting: bool, update: dict[str, Any]) -> dict[str, Any]:
    if not is_greeting:
        return {"is_greeting": False, **update}
    update = {**update, "is_greeting": True, "intent": Intent.GREETING}
    return also(update, _read(state, update))


async def enhance_query(state: TurnState, ports: Ports) -> dict[str, Any]:
    """Fold the history into a standalone question, and reset every counter.

    A first turn costs no call. When the model fails the question stands as it was typed.
    """
    question = state["question"]
    update: dict[str, Any] = {"emit": ()}
    if state["history"]:
        asked = await guard(
            ports.model.standalone(question, state["history"][-HISTORY:]),
            fallback=None,
            timeout_ms=ports.settings.control_timeout_ms,
        )
        question = (asked.value.value.strip() if asked.value else "") or question
        update = account(state, asked)
    update = {**fresh(), **update, "standalone": question, **_wanted(state, question, ports)}
    return also(update, _read(state, update))


def _wanted(state: TurnState, question: str, ports: Ports) -> dict[str, Any]:
    """Intent, mode and how much the history says, from the question as it now stands."""
    wanted = intents.wanted_tools(question, [(s.name, s.hints) for s in ports.tools.specs])
    irreversible = {spec.name for spec in ports.tools.specs if spec.irreversible}
    intent = intents.intent(
        state["question"],
        has_history=bool(state["history"]),
        wants_action=any(name in irreversible for name in wanted),
        wants_lookup=any(name not in irreversible for name in wanted),
    )
    return {
        "intent": intent,
        "mode": _mode(state, intent, distressed=state["mode"] is Mode.SUPPORTIVE),
        "context_level": modes.context_level(len(state["history"]), intent),
    }


def _mode(state: TurnState, intent: Intent, *, distressed: bool) -> Mode:
    """A question that came with a file is about that file, as one with a paste is."""
    if state["attachments"]:
        return Mode.DOCUMENT
    return modes.mode_of(state["question"], intent=intent, distressed=distressed)


def _read(state: TurnState, update: dict[str, Any]) -> QuestionRead:
    seen = {**state, **update}
    return QuestionRead(
        standalone=seen["standalone"],
        items=(seen["standalone"],),
        intent=seen["intent"],
        mode=seen["mode"],
        context_level=seen["context_level"],
    )


async def validate_topic(state: TurnState, ports: Ports) -> dict[str, Any]:
    """Is the standalone question ours? Fails open: the search still follows."""
    if off := _topic_off(state, ports):
        return {"topic": None, "emit": (skipped(Control.SCOPE, off),)}
    asked = await guard(
        ports.model.classify_topic(state["standalone"]),
        fallback=None,
        timeout_ms=ports.settings.control_timeout_ms,
    )
    verdict = asked.value.value if asked.value else None
    return {
        "topic": verdict,
        **also(account(state, asked), _scope_decision(asked, verdict)),
    }


def _topic_off(state: TurnState, ports: Ports) -> str:
    if not ports.settings.agentic:
        return "the plain path"
    if state["intent"] in (Intent.ACTION, Intent.LOOKUP):
        return "a tool was asked for"
    if Skip.TOPIC in MODES[state["mode"]].skips:
        return f"the mode {state['mode']}"
    return "" if ports.settings.topic_check else "switched off"


def _scope_decision(asked: Guarded[Any], verdict: TopicVerdict | None) -> Decision:
    if verdict is None:
        return asked.decision(Control.SCOPE, acted=False)
    score = "" if verdict.score is None else f" {verdict.score:.2f}"
    reason = f"{verdict.label} {verdict.confidence}{score} {verdict.reason}".strip()
    sure = verdict.confidence is not Level.LOW  # an unsure verdict is asked about or searched
    acted = sure and verdict.label is TopicLabel.IRRELEVANT
    return asked.decision(Control.SCOPE, acted=acted, reason=reason)
