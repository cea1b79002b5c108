"""What two turns came to, side by side: figures, passes, and controls, from few events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from admin_tracing import beside_facts
from admin_tracing.beside_facts import COMPARED, MOST_OUTCOMES, Row
from chat.contracts.events import Body, Decision, Event, Retrieval
from chat.contracts.verdicts import Control, Outcome
from tests.traces import ANSWER, QUESTION, REWRITE, Trace, one_search, refund_with_one_rewrite


def turn(**changed: Any) -> Any:
    given = {
        "termination": "answered",
        "route_decided": "single_shot",
        "route_taken": "single_shot",
        "route_confidence": 0.71,
        "passes": 2,
        "model_calls": 1_234,
        "tokens": 2_042,
        "confidence": "high",
        "gaps": 0,
        "unsupported": 1,
    }
    return SimpleNamespace(**(given | changed))


def of(*bodies: Body) -> Sequence[Event]:
    trace = Trace()
    trace.tell(*bodies)
    return trace.events


def decided(*outcomes: Outcome) -> Sequence[Event]:
    return of(*(Decision(control=Control.RELEVANCE, outcome=outcome) for outcome in outcomes))


def compared(events: Sequence[Event]) -> Sequence[Event]:
    return [event for event in events if event.body.TYPE in COMPARED]


def test_equal_turns_differ_in_nothing():
    assert not any(row.differs for row in beside_facts.figures(turn(), turn()))


@pytest.mark.parametrize(
    ("field", "value", "name"),
    [
        ("termination", "no_evidence", "Ended"),
        ("route_taken", "iterative", "Route"),
        ("route_confidence", 0.52, "Route"),
        ("confidence", "low", "Confidence"),
        ("passes", 3, "Passes"),
        ("model_calls", 9, "Calls"),
        ("tokens", 1, "Tokens"),
        ("gaps", 1, "Gaps"),
        ("unsupported", 0, "Unsupported"),
    ],
)
def test_what_differs_is_one_row(field: str, value: object, name: str):
    rows = beside_facts.figures(turn(), turn(**{field: value}))
    assert [row.name for row in rows if row.differs] == [name]


def test_figures_are_words_and_numbers_with_their_groups():
    rows = {row.name: row.left for row in beside_facts.figures(turn(), turn())}
    assert rows["Route"] == "single shot 0.71 → single shot"
    assert rows["Calls"] == "1,234"
    assert rows["Unsupported"] == "1 claim"


def test_a_turn_that_is_not_over_has_no_end_yet():
    (ended, *_) = beside_facts.figures(turn(termination=""), turn(route_confidence=None))
    assert ended.left == "not yet"


def test_the_same_passes_do_not_differ():
    events = compared(refund_with_one_rewrite())
    rows = beside_facts.passes(events, events)
    assert [row.number for row in rows] == [1, 2]
    assert not any(row.differs for row in rows)
    assert not any(found.alone for row in rows if row.left for found in row.left.found)


def reordered(event: Event) -> Event:
    """A search that found the same the other way round."""
    if not isinstance(event.body, Retrieval):
        return event
    return replace(event, body=event.body.model_copy(update={"hits": event.body.hits[::-1]}))


def test_a_pass_that_only_one_had_stands_alone():
    rows = beside_facts.passes(compared(refund_with_one_rewrite()), compared(one_search()))
    assert rows[1].right is None
    assert rows[1].left is not None
    assert rows[1].left.queries == (REWRITE,)
    assert all(found.alone for found in rows[1].left.found)


def test_chunks_carry_their_grade_and_whether_the_other_has_them_so():
    (row,) = beside_facts.passes(one_search(2), one_search(3))
    assert row.left is not None and row.right is not None
    assert [(one.chunk, one.label, one.alone) for one in row.right.found] == [
        ("refunds#section-0", "ANSWERS", False),
        ("refunds#section-1", "IRRELEVANT", False),
        ("refunds#section-2", "IRRELEVANT", True),
    ]
    assert (row.left.accepted, row.left.queries) == (1, (QUESTION,))
    assert row.differs


def test_controls_list_their_outcomes_in_order_and_count_repeats():
    acted, passed = Outcome.ACTED, Outcome.PASSED
    (row,) = beside_facts.controls(decided(acted, acted, passed), decided(passed))
    assert row == Row("relevance", "acted ×2, passed", "passed")
    assert row.differs


def test_a_control_of_one_turn_alone_has_a_dash_in_the_other():
    (row,) = beside_facts.controls(decided(Outcome.PASSED), [])
    assert (row.left, row.right) == ("passed", "–")


def test_many_outcomes_are_cut():
    outcomes = [Outcome.ACTED, Outcome.PASSED] * MOST_OUTCOMES
    (row,) = beside_facts.controls(decided(*outcomes), [])
    assert row.left.endswith(f"{MOST_OUTCOMES} more")


def test_a_pass_whose_chunks_only_stand_in_another_order_says_so():
    trace = one_search(2)
    turned = [reordered(event) for event in one_search(2)]
    (row,) = beside_facts.passes(trace, turned)
    assert row.differs and row.is_reordered
    (row,) = beside_facts.passes(trace, one_search(3))
    assert row.differs and not row.is_reordered
    (row,) = beside_facts.passes(trace, trace)
    assert not row.is_reordered


def test_the_last_answer_counts():
    assert beside_facts.answer(refund_with_one_rewrite()) == ANSWER
    assert beside_facts.answer([]) == ""
