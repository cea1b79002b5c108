"""The policy's eye on itself: which controls a turn owed, by what its events say that it did.

A control that fails says so. One that was never called says nothing, and looks like one that
passed; what it owed follows from the nodes that ran and from how the turn ended, so that a path
that leads past a control is seen even where its node is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from chat.contracts.events import Answer, Decision, Event, Retrieval, Stage
from chat.contracts.turn_facts import MISSING
from chat.contracts.verdicts import Control, Outcome, Termination

OWED_BY_NODE: Mapping[str, frozenset[Control]] = {
    "screen_input": frozenset({Control.REDACTION}),
    "validate_topic": frozenset({Control.SCOPE}),
    "detect_ambiguity": frozenset({Control.AMBIGUITY}),
    "plan_search": frozenset({Control.COVERAGE}),
    "assess_relevance": frozenset({Control.RELEVANCE}),
    "tool_execution": frozenset({Control.UNTRUSTED_INPUT}),
    "check_grounding": frozenset({Control.GROUNDEDNESS}),
    "finish_answer": frozenset({Control.CITATION_BINDING, Control.CONFIDENCE}),
    "final_gate": frozenset({Control.FINAL_GATE, Control.TOXICITY}),
}
"""What a node owes once it was left."""

OF_ANY_ANSWER = frozenset({Control.REDACTION, Control.FINAL_GATE})
OF_A_SEARCH = frozenset({Control.UNTRUSTED_INPUT})
OF_AN_ANSWER_FROM_A_SEARCH = frozenset({Control.RELEVANCE})  # a turn may be stopped before it
OWED_BY_END: Mapping[Termination, frozenset[Control]] = {
    **dict.fromkeys(
        (Termination.ANSWERED, Termination.ANSWERED_WITH_CAVEAT),
        frozenset(
            {
                Control.GROUNDEDNESS,
                Control.CITATION_BINDING,
                Control.CONFIDENCE,
                Control.TOXICITY,
            }
        ),
    ),
    **dict.fromkeys((Termination.OFF_TOPIC, Termination.RESTRICTED), frozenset({Control.SCOPE})),
}


def due(events: Iterable[Event], termination: Termination) -> frozenset[Control]:
    """The controls that ought to have left a decision in this turn."""
    owed: set[Control] = set()
    answered = searched = False
    for event in events:
        body = event.body
        if isinstance(body, Stage) and body.phase == "leave":
            owed |= OWED_BY_NODE.get(body.node, frozenset())
        elif isinstance(body, Retrieval) and body.hits:
            owed |= OF_A_SEARCH
            searched = True
        elif isinstance(body, Answer):
            answered = True
    if answered:
        owed |= OF_ANY_ANSWER | OWED_BY_END.get(termination, frozenset())
        owed |= OF_AN_ANSWER_FROM_A_SEARCH if searched else frozenset()
    return frozenset(owed)


def missing(events: Iterable[Event], owed: frozenset[Control]) -> frozenset[Control]:
    """Those of the owed that left none."""
    told = {event.body.control for event in events if isinstance(event.body, Decision)}
    return owed - told


def decision(owed: frozenset[Control], silent: frozenset[Control]) -> Decision:
    """The policy's own: it acts where a control was silent."""
    if not silent:
        return _decision(Outcome.PASSED, f"{len(owed)} due")
    return _decision(Outcome.ACTED, f"{MISSING}{', '.join(sorted(silent))}")


def _decision(outcome: Outcome, reason: str) -> Decision:
    return Decision(control=Control.POLICY, outcome=outcome, reason=reason)
