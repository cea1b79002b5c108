"""A control that was never called looks like one that passed; what a turn owed tells them apart."""

from __future__ import annotations

import pytest

from chat.agent.graph import NODE_OF
from chat.contracts.events import Answer, Body, Decision, HitLine, Retrieval, Stage
from chat.contracts.verdicts import Control, Outcome, Termination
from chat.guardrails import silence
from tests.factories import events

ANSWER = Answer(text="Five to ten days.")


def left(*nodes: str) -> list[Body]:
    return [Stage(node=node, phase="leave", label="", ms=1.0) for node in nodes]


def found(*chunks: str) -> Retrieval:
    lines = tuple(HitLine(chunk=chunk, document="refunds", score=1.0) for chunk in chunks)
    return Retrieval.model_validate(
        {"pass": 1, "query": "refund", "asked": 6, "hits": lines, "ms": 1.0}
    )


def ran(*controls: Control) -> list[Body]:
    return [Decision(control=control, outcome=Outcome.PASSED) for control in controls]


@pytest.mark.parametrize(("node", "owed"), silence.OWED_BY_NODE.items())
def test_a_node_that_ran_owes_its_controls(node: str, owed: frozenset[Control]) -> None:
    assert silence.due(events(left(node)), Termination.NO_EVIDENCE) == owed


def test_every_node_that_owes_something_is_a_node_of_the_graph() -> None:
    assert set(silence.OWED_BY_NODE) <= set(NODE_OF)


def test_a_node_that_was_entered_and_broke_off_owes_nothing() -> None:
    entered: list[Body] = [Stage(node="check_grounding", phase="enter", label="")]
    assert silence.due(events(entered), Termination.INTERRUPTED) == frozenset()


def test_passages_that_came_are_screened_and_graded() -> None:
    owed = silence.due(events([found("refunds#timing"), ANSWER]), Termination.NO_EVIDENCE)
    assert owed >= {Control.UNTRUSTED_INPUT, Control.RELEVANCE}
    assert silence.due(events([found()]), Termination.NO_EVIDENCE) == frozenset()


def test_a_turn_that_was_stopped_while_its_passages_were_graded_owes_no_grades() -> None:
    owed = silence.due(events([found("refunds#timing")]), Termination.USER_STOP)
    assert owed == {Control.UNTRUSTED_INPUT}


def test_an_answer_owes_its_checks_even_where_their_nodes_were_passed_by() -> None:
    bypassed = events([*left("screen_input", "generate_response", "deliver"), ANSWER])
    owed = silence.due(bypassed, Termination.ANSWERED)
    assert {Control.GROUNDEDNESS, Control.CITATION_BINDING, Control.FINAL_GATE} <= owed


@pytest.mark.parametrize(
    "end", [Termination.GREETED, Termination.CRISIS, Termination.NO_EVIDENCE, Termination.OFF_TOPIC]
)
def test_every_reply_passes_the_gate(end: Termination) -> None:
    assert silence.due(events([ANSWER]), end) >= {Control.REDACTION, Control.FINAL_GATE}


@pytest.mark.parametrize("end", [Termination.OFF_TOPIC, Termination.RESTRICTED])
def test_a_question_that_is_turned_away_owes_the_control_that_did_it(end: Termination) -> None:
    assert Control.SCOPE in silence.due(events([ANSWER]), end)


def test_a_turn_that_was_stopped_before_anything_owes_nothing() -> None:
    assert silence.due([], Termination.USER_STOP) == frozenset()


def test_what_left_a_decision_is_not_missing_whatever_it_said() -> None:
    owed = frozenset({Control.SCOPE, Control.RELEVANCE, Control.FINAL_GATE})
    told = events(
        [
            Decision(control=Control.SCOPE, outcome=Outcome.FAILED_OPEN, reason="timeout"),
            Decision(control=Control.RELEVANCE, outcome=Outcome.SKIPPED, reason="switched off"),
        ]
    )
    assert silence.missing(told, owed) == {Control.FINAL_GATE}


def test_the_policy_passes_where_all_spoke_and_names_those_that_did_not() -> None:
    owed = frozenset({Control.SCOPE, Control.RELEVANCE, Control.GROUNDEDNESS})
    fine = silence.decision(owed, frozenset())
    assert (fine.control, fine.outcome, fine.reason) == (
        Control.POLICY,
        Outcome.PASSED,
        "3 due",
    )
    silent = silence.decision(owed, frozenset({Control.SCOPE, Control.GROUNDEDNESS}))
    assert (silent.outcome, silent.reason) == (Outcome.ACTED, "missing: groundedness, scope")


def test_a_whole_answered_turn_owes_and_leaves_the_same() -> None:
    nodes = ("screen_input", "validate_topic", "detect_ambiguity", "plan_search")
    more = ("assess_relevance", "check_grounding", "finish_answer", "final_gate")
    bodies = [*left(*nodes), found("refunds#timing"), *left(*more), ANSWER]
    owed = silence.due(events(bodies), Termination.ANSWERED)
    assert silence.missing(events([*bodies, *ran(*owed)]), owed) == frozenset()
