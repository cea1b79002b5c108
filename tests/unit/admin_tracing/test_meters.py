"""What a turn has spent, from its events alone: it adds up, and it never falls back."""

from __future__ import annotations

import pytest

from admin_tracing import meters
from admin_tracing.meters import Limits, Spent
from chat.contracts.events import (
    Body,
    Event,
    ModelCall,
    Rewrite,
    Stage,
    StateDiff,
    Tokens,
    Tool,
    TurnFinished,
)
from chat.contracts.verdicts import Termination
from tests.traces import Trace, refund_with_one_rewrite

NOW = Limits(passes=6, rewrites=2, tokens=60_000, cost=0.25, ms=60_000)


def call(cost: float = 0.001) -> ModelCall:
    used = Tokens(input=90, output=10)
    return ModelCall(role="main", purpose="answer", model="m", tokens=used, cost=cost)


def rewrite(number: int = 1) -> Rewrite:
    return Rewrite.model_validate({"pass": number, "before": "a", "after": "b"})


def enter(node: str) -> Stage:
    return Stage(node=node, phase="enter", label="x")


def results(*costs: float) -> StateDiff:
    return StateDiff(node="tool_execution", changed={"tool_results": [{"cost": c} for c in costs]})


def told(*bodies: Body) -> list[Event]:
    trace = Trace()
    trace.tell(*bodies)
    return trace.events


def after(*bodies: Body) -> Spent:
    return meters.at(told(*bodies), (), 10**6)


def test_the_meters_of_a_turn_say_what_its_last_event_says() -> None:
    events = refund_with_one_rewrite()
    found = meters.at(events, (), events[-1].seq)
    end = events[-1].body
    assert isinstance(end, TurnFinished)
    assert (found.passes, found.calls) == (end.passes, end.model_calls)
    assert found.rewrites == 1
    assert found.tokens == 9 * 192
    assert found.cost == pytest.approx(9 * 0.0003)
    assert found.ms == pytest.approx(end.ms, abs=2)


def test_before_anything_was_spent_there_is_no_row() -> None:
    assert meters.spent(told(enter("screen_input")), ()) == ()
    assert meters.at([], (), 5) == Spent()


def test_a_row_stands_at_the_event_that_spent_something() -> None:
    rows = meters.spent(told(enter("a"), call(), enter("b"), call()), ())
    assert [(row.seq, row.calls, row.tokens) for row in rows] == [(2, 1, 100), (4, 2, 200)]


def test_a_rewrite_of_several_items_is_one() -> None:
    found = after(enter("optimize_query"), rewrite(), rewrite(), enter("retrieve"))
    assert found.rewrites == 1


def test_two_rewrites_after_the_same_pass_are_two() -> None:
    """The first one found no other words, so it led to no search; a failed check asked again."""
    found = after(enter("optimize_query"), rewrite(1), enter("optimize_query"), rewrite(1))
    assert found.rewrites == 2


def test_a_turn_that_begins_again_counts_its_rewrites_anew_and_shows_the_most() -> None:
    once = (enter("screen_input"), enter("optimize_query"), rewrite())
    assert after(*once, *once).rewrites == 1
    assert after(*once, *once, enter("optimize_query"), rewrite(2)).rewrites == 2


def test_what_was_spent_before_a_turn_began_again_was_spent() -> None:
    found = after(enter("screen_input"), call(), enter("screen_input"), call())
    assert (found.calls, found.tokens) == (2, 200)


def test_a_paid_tool_costs_like_a_model() -> None:
    ran = Tool(tool="t", phase="done")
    events = told(call(), results(0.01, 0.02), ran, ran, results(0.01, 0.02, 0.04), ran)
    assert meters.tool_costs(events) == {3: 0.01, 4: 0.02, 6: 0.04}
    found = meters.at(events, (), 10**6)
    assert found.tools == 3
    assert found.cost == pytest.approx(0.071)


def test_calls_that_a_person_declined_are_not_taken_for_the_next_ones() -> None:
    declined = StateDiff(node="confirm_action", changed={"tool_results": [{"cost": 0.5}]})
    events = told(declined, results(0.5, 0.01), Tool(tool="t", phase="done"))
    assert meters.tool_costs(events) == {3: 0.01}


def test_results_that_are_no_list_of_objects_cost_nothing() -> None:
    strange = StateDiff(node="x", changed={"tool_results": "3 results"})
    events = told(strange, Tool(tool="t", phase="done"))
    assert meters.at(events, (), 10**6).cost == 0


def test_the_limits_are_those_that_the_turn_told() -> None:
    told_it = StateDiff(node="screen_input", changed={"budget": {"passes": 4, "new_one": 1}})
    found = meters.limits(told(told_it), NOW)
    assert (found.passes, found.tokens, found.told) == (4, 60_000, True)


def test_a_turn_that_told_none_is_held_against_those_of_now() -> None:
    assert meters.limits(refund_with_one_rewrite(), NOW) == NOW
    assert not NOW.told


@pytest.mark.parametrize(
    ("termination", "meter"),
    [
        (Termination.PASS_CAP, "passes"),
        (Termination.NO_EVIDENCE, "rewrites"),
        (Termination.TOKEN_CAP, "tokens"),
        (Termination.COST_CAP, "cost"),
        (Termination.TIME_CAP, "ms"),
        (Termination.TOOL_CAP, "tools"),
        (Termination.ANSWERED, None),
        (Termination.NO_PROGRESS, None),
    ],
)
def test_the_limit_that_ended_a_turn_is_named(termination: Termination, meter: str | None) -> None:
    end = {"termination": termination, "ms": 1, "passes": 0, "model_calls": 0, "tokens": {}}
    events = told(call(), TurnFinished.model_validate({**end, "cost": 0}))
    assert meters.ended_by(events) == (None if meter is None else (2, meter))
    hit = StateDiff(node="x", changed={"budget_hit": str(termination)})
    early = told(hit, call(), TurnFinished.model_validate({**end, "cost": 0}))
    assert meters.ended_by(early) == (None if meter is None else (1, meter))


def test_a_turn_that_runs_was_ended_by_nothing_yet() -> None:
    hit = StateDiff(node="x", changed={"budget_hit": "cost_cap"})
    assert meters.ended_by(told(call(), hit)) is None
