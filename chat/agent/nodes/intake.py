"""The input boundary: what was asked, is it a greeting, is it ours."""

from __future__ import annotations

from typing import Any

from chat.agent.budget import spend
from chat.agent.state import TurnState
from chat.contracts.events import Body, Decision, QuestionRead
from chat.contracts.ports import Ports, Reply
from chat.contracts.verdicts import Control, Level, Outcome, TopicLabel, TopicVerdict
from chat.guardrails.input import GreetingGuess, greeting
from chat.guardrails.policy import Guarded, guard, skipped

HISTORY = 5  # earlier turns that a follow-up may refer to


async def screen_input(state: TurnState, ports: Ports) -> dict[str, Any]:
    """Report the redaction, which was done before anything was written."""
    found = state["redactions"]
    words = ", ".join(f"{count} {kind}" for kind, count in sorted(found.items()))
    outcome = Outcome.ACTED if found else Outcome.PASSED
    decision = Decision(control=Control.REDACTION, outcome=outcome, reason=words)
    return {"emit": (decision,)}


async def detect_greeting(state: TurnState, ports: Ports) -> dict[str, Any]:
    """Patterns first; a model only when they are unsure. A failure is no greeting."""
    if not ports.settings.greeting_check:
        return {"is_greeting": False, "emit": ()}
    guess = greeting(state["question"])
    if guess is not GreetingGuess.UNSURE:
        return {"is_greeting": guess is GreetingGuess.YES, "emit": ()}
    asked = await guard(
        ports.model.detect_greeting(state["question"]),
        fallback=None,
        timeout_ms=ports.settings.control_timeout_ms,
    )
    return {
        "is_greeting": bool(asked.value and asked.value.value),
        **_call_of(state, asked),
    }


async def enhance_query(state: TurnState, ports: Ports) -> dict[str, Any]:
    """Fold the history into a standalone question and reset every counter.

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
        update = _call_of(state, asked)
    read = QuestionRead(standalone=question, items=(question,))
    update["emit"] = (*update["emit"], read)
    return {**_fresh_counters(), "standalone": question, **update}


async def validate_topic(state: TurnState, ports: Ports) -> dict[str, Any]:
    """Is the standalone question ours? Fails open: the search still follows."""
    off = _topic_off(ports)
    if off:
        return {"topic": None, "emit": (skipped(Control.SCOPE, off),)}
    asked = await guard(
        ports.model.classify_topic(state["standalone"]),
        fallback=None,
        timeout_ms=ports.settings.control_timeout_ms,
    )
    verdict = asked.value.value if asked.value else None
    update = _call_of(state, asked)
    update["emit"] = (*update["emit"], _scope_decision(asked, verdict))
    return {"topic": verdict, **update}


def _topic_off(ports: Ports) -> str:
    if not ports.settings.agentic:
        return "the plain path"
    return "" if ports.settings.topic_check else "switched off"


def _scope_decision(asked: Guarded[Any], verdict: TopicVerdict | None) -> Decision:
    if verdict is None:
        return asked.decision(Control.SCOPE, acted=False)
    score = "" if verdict.score is None else f" {verdict.score:.2f}"
    reason = f"{verdict.label} {verdict.confidence}{score} {verdict.reason}".strip()
    sure = verdict.confidence is not Level.LOW  # an unsure verdict is searched all the same
    acted = sure and verdict.label is TopicLabel.IRRELEVANT
    return asked.decision(Control.SCOPE, acted=acted, reason=reason)


def _call_of(state: TurnState, asked: Guarded[Reply[Any] | None]) -> dict[str, Any]:
    """The counters and the event of a guarded call, whether it succeeded or failed."""
    call = asked.value.call if asked.value else asked.failed_call
    if call is None:
        return {"emit": ()}
    emit: tuple[Body, ...] = (call,)
    return {**spend(state, call), "emit": emit}


def _fresh_counters() -> dict[str, Any]:
    return {
        "passes": 0,
        "rewrites": 0,
        "no_progress": 0,
        "seen_before": False,
        "search_failed": False,
        "tried": (),
        "hits": (),
        "terms": (),
        "verdicts": {},
        "accepted": (),
        "accepted_as": {},
        "covered": {},
        "budget_hit": None,
        "model_failed": "",
        "draft": "",
    }
