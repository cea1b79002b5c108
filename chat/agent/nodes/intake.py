"""The input boundary: what was asked, in what state of mind, is it a greeting, is it ours."""

from __future__ import annotations

from typing import Any

from chat.agent.budget import told
from chat.agent.saying import account, also
from chat.agent.state import RestrictedBy, TurnState, fresh
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
from chat.guardrails import modes, output, scope
from chat.guardrails.input import GreetingGuess, greeting
from chat.guardrails.modes import MODES, Skip
from chat.guardrails.policy import Guarded, guard, guard_now, says, skipped
from chat.guardrails.questions import intents
from chat.guardrails.screening import crisis, paste
from chat.guardrails.screening.injection import suspicion

HISTORY = 5  # earlier turns that a follow-up may refer to


async def screen_input(state: TurnState, ports: Ports) -> dict[str, Any]:
    """Report the redaction that was done before anything was written; see what is at the door.

    A crisis, a pasted document and a question that a rule restricts have ways of their own.
    """
    limits = told(state["limits"])
    update = {**_at_the_door(state), "budget": limits, "emit": (_redaction(state),)}
    if update["intent"] is Intent.QUESTION:
        name = scope.by_rule(update["standalone"], ports.settings.site.restricted)
        return also({**update, **_restricted(name, "rule")}, *([_by_rule(name)] if name else []))
    if update["intent"] is Intent.DOCUMENT:  # it passes by `validate_topic`
        seen: Any = {**state, **update}
        scoped = await validate_topic(seen, ports)
        update = {**update, **scoped, "emit": (*update["emit"], *scoped["emit"])}
    return also(update, _read(state, update))


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
    """What was taken out; and orders in the person's own words, which are told and left.

    They reach no turn but theirs.
    """
    found = state["redactions"]
    taken = ", ".join(f"{count} {kind}" for kind, count in sorted(found.items()))
    orders: Guarded[tuple[str, ...]] = guard_now(
        lambda: suspicion(state["question"]), fallback=(), sane=lambda v: isinstance(v, tuple)
    )
    told = f"told and left: {', '.join(orders.value)}" if orders.value else ""
    return Decision(
        control=Control.REDACTION,
        outcome=Outcome.ACTED if taken or told else Outcome.PASSED,
        reason="; ".join(filter(None, (taken, told))),
    )


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
        sane=says(bool),
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
            sane=says(str),
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
    """Is the standalone question ours, and may it be answered? Rules first, then a classifier.

    Fails open, but for a question with a cue of a restricted category: that one is not answered.
    """
    categories = ports.settings.site.restricted
    if name := scope.by_rule(state["standalone"], categories):
        return {"topic": None, **_restricted(name, "rule"), "emit": (_by_rule(name),)}
    off = _topic_off(state, ports)
    if off and not _is_asked_all_the_same(state, ports):
        return {"topic": None, "emit": (skipped(Control.SCOPE, off),)}
    asked = await guard(
        ports.model.classify_topic(state["standalone"]),
        fallback=None,
        timeout_ms=ports.settings.control_timeout_ms,
        sane=says(TopicVerdict),
    )
    verdict = asked.value.value if asked.value else None
    if verdict is None:
        return {"topic": None, **_without_classifier(state, ports, asked)}
    name = scope.by_score(verdict, categories)
    if off and not name:  # what it says of the topic was not asked
        passed = asked.decision(Control.SCOPE, acted=False, reason="not restricted")
        return {"topic": None, **also(account(state, asked), passed)}
    decision = _scope_decision(asked, verdict, name)
    return {
        "topic": verdict,
        **_restricted(name, "classifier"),
        **also(account(state, asked), decision),
    }


def _restricted(name: str, by: RestrictedBy) -> dict[str, Any]:
    return {"restricted": name, "restricted_by": by} if name else {}


def _by_rule(name: str) -> Decision:
    return Decision(control=Control.SCOPE, outcome=Outcome.ACTED, reason=f"a rule of {name}")


def _without_classifier(state: TurnState, ports: Ports, asked: Guarded[Any]) -> dict[str, Any]:
    """Open for a plain question; closed where a cue says that it may be a restricted one."""
    told = account(state, asked)
    name = scope.suspicious(state["standalone"], ports.settings.site.restricted)
    if not name:
        return also(told, asked.decision(Control.SCOPE, acted=False))
    closed = Decision(control=Control.SCOPE, outcome=Outcome.FAILED_CLOSED, reason=asked.reason)
    return {**_restricted(name, "outage"), **also(told, closed)}


def _topic_off(state: TurnState, ports: Ports) -> str:
    if not ports.settings.agentic:
        return "the plain path"
    if state["intent"] in (Intent.ACTION, Intent.LOOKUP):
        return "a tool was asked for"
    if Skip.TOPIC in MODES[state["mode"]].skips:
        return f"the mode {state['mode']}"
    return "" if ports.settings.topic_check else "switched off"


def _is_asked_all_the_same(state: TurnState, ports: Ports) -> bool:
    """A file or a tool is a topic of its own, but opens no way round a restricted category."""
    settings = ports.settings
    if not (settings.agentic and settings.topic_check):
        return False
    return bool(scope.suspicious(state["standalone"], settings.site.restricted))


def _scope_decision(asked: Guarded[Any], verdict: TopicVerdict, restricted: str) -> Decision:
    if restricted:
        reason = f"{restricted} {verdict.restricted[restricted]:.2f}"
        return asked.decision(Control.SCOPE, acted=True, reason=reason)
    score = "" if verdict.score is None else f" {verdict.score:.2f}"
    reason = f"{verdict.label} {verdict.confidence}{score} {verdict.reason}".strip()
    sure = verdict.confidence is not Level.LOW  # an unsure verdict is asked about or searched
    acted = sure and verdict.label is TopicLabel.IRRELEVANT
    return asked.decision(Control.SCOPE, acted=acted, reason=reason)
