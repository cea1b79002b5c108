"""Time in which a turn stood still is no time of work, and is never stretched on the page."""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from admin_tracing.waits import QUIET, For, Wait, waits, worked
from chat.contracts.events import Action, Body, Clarification, Stage, TurnFinished
from chat.contracts.verdicts import Termination
from tests.traces import START, Trace

HOURS = 3 * 3_600_000.0
ASKS = Clarification(question="About what?", expires_at=START)
ASKS_YES = Action(action="1", tool="t", summary="x", irreversible=True, expires_at=START)


def paused(node: str = "generate_clarification") -> Stage:
    return Stage(node=node, phase="paused", label="Waiting for your reply")


def entered(node: str = "generate_clarification") -> Stage:
    return Stage(node=node, phase="enter", label="Asking back")


def waiting(question: Body, node: str) -> Trace:
    trace = Trace()
    trace.tell(entered(node), paused(node), question, ms=10)
    return trace


@pytest.mark.parametrize(
    ("question", "node", "kind"),
    [(ASKS, "generate_clarification", "reply"), (ASKS_YES, "confirm_action", "yes")],
)
def test_a_turn_waits_from_its_question_to_what_comes_next(
    question: Body, node: str, kind: For
) -> None:
    trace = waiting(question, node)
    trace.tell(entered(node), ms=HOURS)
    (found,) = waits(trace.events)
    assert found == Wait(after=3, for_=kind, ms=20.0, until_ms=20.0 + HOURS)


def test_a_wait_that_lasts_has_no_end() -> None:
    (found,) = waits(waiting(ASKS, "generate_clarification").events)
    assert (found.after, found.until_ms) == (3, None)


def test_a_turn_that_was_given_up_waited_until_then() -> None:
    trace = waiting(ASKS, "generate_clarification")
    end = {"termination": Termination.SUPERSEDED, "ms": 1, "passes": 0, "model_calls": 0}
    trace.tell(TurnFinished.model_validate({**end, "tokens": {}, "cost": 0}), ms=HOURS)
    (found,) = waits(trace.events)
    assert found.until_ms == 20.0 + HOURS


def test_a_turn_that_nobody_ran_for_a_while_stood_still_too() -> None:
    trace = Trace()
    trace.tell(entered("retrieve"))
    trace.tell(entered("screen_input"), ms=QUIET + 1)
    (found,) = waits(trace.events)
    assert (found.for_, found.after) == ("nothing", 1)


def test_a_slow_call_is_no_wait() -> None:
    trace = Trace()
    trace.tell(entered("generate_response"))
    trace.tell(paused("x"), ms=QUIET - 1)
    assert [wait.for_ for wait in waits(trace.events)] == ["reply"]  # the open one at the end


def test_nothing_never_waits() -> None:
    assert waits([]) == ()
    assert worked(0, ()) == 0


def test_work_is_what_is_left_of_the_time() -> None:
    found = (Wait(1, "reply", 100, 1_100), Wait(2, "yes", 2_000, None))
    at = {0: 0, 100: 100, 600: 100, 1_100: 100, 1_500: 500, 2_000: 1_000, 9_000: 1_000}
    assert {ms: worked(ms, found) for ms in at} == at


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 1e7)), max_size=12))
def test_work_never_goes_back_and_is_never_more_than_the_time(
    told: list[tuple[bool, float]],
) -> None:
    trace = Trace()
    for asks, gap in told:
        trace.tell(entered(), ms=1)
        trace.tell(*([paused(), ASKS] if asks else [entered("retrieve")]), ms=1)
        trace.now += timedelta(milliseconds=gap)
    found = waits(trace.events)
    times = [(event.at - trace.events[0].at) / timedelta(milliseconds=1) for event in trace.events]
    work = [worked(ms, found) for ms in times]
    assert work == sorted(work)
    assert all(0 <= done <= ms + 0.01 for done, ms in zip(work, times, strict=True))
    assert all(wait.until_ms is None or wait.until_ms >= wait.ms for wait in found)
    assert all(a.until_ms is not None and a.until_ms <= b.ms for a, b in pairwise(found))
