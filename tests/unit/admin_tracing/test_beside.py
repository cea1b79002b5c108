"""Two turns on one line: every step stands once, in order; they part where they first differ."""

from __future__ import annotations

import random
from collections.abc import Sequence
from uuid import uuid4

from hypothesis import given, settings
from hypothesis import strategies as st

from admin_tracing.beside import FOLLOWS, Beside, Told, beside
from admin_tracing.replay import build
from chat.contracts.events import Body, Decision, Event, RouteTaken, Stage, Token, TurnStarted
from chat.contracts.verdicts import Control, Outcome, Route
from tests.traces import BOUNDARIES, QUESTION, Trace, long_turn, one_search, refund_with_one_rewrite

NODES = tuple(BOUNDARIES)
BODIES: tuple[Body, ...] = (
    Token(offset=0, text="a"),
    Token(offset=1, text="b"),
    Decision(control=Control.SCOPE, outcome=Outcome.PASSED),
    Decision(control=Control.SCOPE, outcome=Outcome.ACTED),
    RouteTaken(decided=Route.DIRECT, taken=Route.DIRECT),
    *(Stage(node=node, phase="enter", label="x") for node in NODES[:4]),
)
TURNS = st.lists(st.sampled_from(BODIES), max_size=20)


def told(events: Sequence[Event]) -> Told:
    return Told(events, build(events, BOUNDARIES))


def of(*bodies: Body) -> Told:
    trace = Trace()
    trace.tell(*bodies)
    return told(trace.events)


def parting(one: Told, other: Told) -> tuple[str, str]:
    """The types of the two steps at which they part, empty where a turn has none."""
    found = beside(one, other)
    assert found.parts_at is not None
    pair = found.pairs[found.parts_at]
    left = one.replay.steps[pair.left].type if pair.left is not None else ""
    right = other.replay.steps[pair.right].type if pair.right is not None else ""
    return left, right


@given(TURNS, TURNS)
@settings(max_examples=60)
def test_every_step_of_both_stands_once_and_in_order(left: list[Body], right: list[Body]):
    one, other = of(*left), of(*right)
    found = beside(one, other)
    assert [p.left for p in found.pairs if p.left is not None] == [*range(len(one.replay.steps))]
    assert [p.right for p in found.pairs if p.right is not None] == [
        *range(len(other.replay.steps))
    ]
    assert all(p.left is not None or p.right is not None for p in found.pairs)


@given(TURNS, TURNS)
@settings(max_examples=60)
def test_they_part_at_the_first_place_that_differs(left: list[Body], right: list[Body]):
    one, other = of(*left), of(*right)
    found = beside(one, other)
    before = found.pairs[: found.parts_at]
    for pair in before:
        kinds = {
            told_.replay.steps[place].type
            for told_, place in ((one, pair.left), (other, pair.right))
            if place is not None
        }
        assert pair.same or kinds & set(FOLLOWS)
    if found.parts_at is not None:
        assert not found.pairs[found.parts_at].same


@given(TURNS)
@settings(max_examples=40)
def test_a_turn_and_its_double_never_part(bodies: list[Body]):
    found = beside(of(*bodies), of(*bodies))
    assert found.parts_at is None
    assert all(pair.same and pair.left == pair.right for pair in found.pairs)


def test_times_costs_and_ids_are_no_difference():
    one = told(refund_with_one_rewrite(uuid4()))
    other = told(refund_with_one_rewrite(uuid4()))
    assert beside(one, other).parts_at is None


def test_a_pass_more_pushes_nothing_out_of_its_place():
    two_passes = refund_with_one_rewrite()
    first = next(e.seq for e in two_passes if getattr(e.body, "node", "") == "optimize_query")
    last = next(e.seq for e in two_passes if getattr(e.body, "node", "") == "generate_response")
    trace = Trace()
    trace.tell(*(e.body for e in two_passes if not first <= e.seq < last))
    one, other = told(two_passes), told(trace.events)
    found = beside(one, other)
    alone = [
        one.replay.steps[p.left] for p in found.pairs if p.right is None and p.left is not None
    ]
    nodes = {one.replay.visits[step.visit].node for step in alone}
    assert nodes == {"optimize_query", "retrieve", "assess_relevance"}
    assert all(pair.left is not None for pair in found.pairs)
    assert parting(one, other) == ("stage", "")


def test_other_hits_part_them_at_the_search():
    assert parting(told(one_search(3)), told(one_search(4))) == ("retrieval", "retrieval")


def test_another_kind_of_turn_is_no_parting():
    asked = TurnStarted(question=QUESTION, message=uuid4(), kind="ask")
    again = TurnStarted(question=QUESTION, message=uuid4(), kind="rerun")
    assert beside(of(asked), of(again)).parts_at is None


def test_other_words_of_a_draft_are_marked_and_do_not_part_them():
    found = beside(of(Token(offset=0, text="a")), of(Token(offset=0, text="b")))
    assert [pair.same for pair in found.pairs] == [False]
    assert found.parts_at is None


def test_nothing_beside_nothing_is_nothing():
    assert beside(of(), of()) == Beside()


def test_thousands_of_steps_are_aligned_with_a_few_taken_out():
    events = long_turn(2_000)
    gone = set(random.Random(7).sample(range(5, 1_900), 40))
    trace = Trace()
    trace.tell(*(e.body for e in events if e.seq not in gone))
    one, other = told(events), told(trace.events)
    found = beside(one, other)
    steps = one.replay.steps
    assert [p.left for p in found.pairs if p.left is not None] == [*range(len(steps))]
    assert sum(pair.right is not None for pair in found.pairs) == len(other.replay.steps)
