"""The direction table, and the one place that reads it and catches what fails."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any

import pytest

from chat.contracts.events import ModelCall
from chat.contracts.ports import ModelFault, Reply
from chat.contracts.verdicts import Control, Outcome
from chat.guardrails.policy import (
    NONSENSE,
    POLICIES,
    Direction,
    failed,
    guard,
    guard_now,
    skipped,
)

SHORT = 10  # milliseconds

FAILED_CALL = ModelCall(role="router", purpose="classify_topic", model="m", outcome="failed")

# The promise to operators: which way each control goes when it cannot run.
DIRECTIONS = {
    Control.SCOPE: Direction.OPEN,
    Control.REDACTION: Direction.CLOSED,
    Control.RELEVANCE: Direction.OPEN,
    Control.AMBIGUITY: Direction.OPEN,
    Control.COVERAGE: Direction.OPEN,
    Control.GROUNDEDNESS: Direction.CLOSED,
    Control.CITATION_BINDING: Direction.CLOSED,
    Control.BOUNDED_RETRY: Direction.PURE,
    Control.FINAL_GATE: Direction.PURE,
    Control.RECORD: Direction.CLOSED,
    Control.UNTRUSTED_INPUT: Direction.CLOSED,
    Control.CONFIDENCE: Direction.CLOSED,
    Control.POLICY: Direction.PURE,
    Control.RERANKER: Direction.OPEN,
    Control.TOXICITY: Direction.OPEN,
}


async def say(value: Any) -> Any:
    return value


async def hang() -> None:
    await asyncio.Event().wait()


async def fail(error: BaseException) -> None:
    raise error


async def test_what_is_no_verdict_is_a_failure_and_its_call_is_counted() -> None:
    reply = Reply(42, FAILED_CALL)
    guarded = await guard(
        say(reply), fallback=None, timeout_ms=SHORT, sane=lambda said: isinstance(said.value, str)
    )
    assert (guarded.value, guarded.ran, guarded.reason) == (None, False, NONSENSE)
    assert guarded.failed_call is FAILED_CALL


async def test_a_verdict_that_cannot_even_be_looked_at_is_a_failure_too() -> None:
    guarded = await guard(
        say(object()), fallback=0, timeout_ms=SHORT, sane=lambda said: said.value is not None
    )
    assert (guarded.value, guarded.ran) == (0, False)
    assert guarded.reason.startswith("raised")


def test_every_control_has_a_direction_and_a_reason() -> None:
    assert {control: row.direction for control, row in POLICIES.items()} == DIRECTIONS
    assert set(POLICIES) == set(Control)
    assert all(row.why.endswith(".") for row in POLICIES.values())


@pytest.mark.parametrize("control", Control)
def test_a_failure_counts_as_open_only_where_the_table_says_so(control: Control) -> None:
    is_open = DIRECTIONS[control] is Direction.OPEN
    assert failed(control) is (Outcome.FAILED_OPEN if is_open else Outcome.FAILED_CLOSED)


@pytest.mark.parametrize(
    ("work", "reason"),
    [
        (lambda: hang(), "timeout"),
        (lambda: fail(TimeoutError()), "timeout"),
        (lambda: fail(ValueError("words of a person")), "raised ValueError"),
        (lambda: fail(ModelFault("rate_limited", FAILED_CALL)), "rate_limited"),
    ],
    ids=["hangs", "times out itself", "raises", "the model fails"],
)
async def test_guard_gives_the_fallback_and_the_reason(work: Any, reason: str) -> None:
    made: Awaitable[Any] = work()
    guarded = await guard(made, fallback="as if nothing", timeout_ms=SHORT)
    assert (guarded.value, guarded.ran, guarded.reason) == ("as if nothing", False, reason)


async def test_guard_hands_on_what_a_control_says() -> None:
    guarded = await guard(say(7), fallback=None, timeout_ms=SHORT)
    assert (guarded.value, guarded.ran, guarded.reason) == (7, True, "")


async def test_a_failed_model_call_is_kept_to_be_counted() -> None:
    fault = ModelFault("server_error", FAILED_CALL)
    guarded = await guard(fail(fault), fallback=None, timeout_ms=SHORT)
    assert guarded.failed_call is FAILED_CALL


async def test_a_stop_of_the_turn_is_no_failure_of_a_control() -> None:
    task = asyncio.create_task(guard(hang(), fallback=None, timeout_ms=60_000))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


def test_plain_code_is_guarded_in_the_same_way() -> None:
    broken = guard_now(lambda: 1 // 0, fallback=None)
    assert (broken.value, broken.ran, broken.reason) == (None, False, "raised ZeroDivisionError")
    assert guard_now(lambda: 1, fallback=None).ran


@pytest.mark.parametrize(("acted", "outcome"), [(True, Outcome.ACTED), (False, Outcome.PASSED)])
async def test_a_control_that_ran_passed_or_acted(acted: bool, outcome: Outcome) -> None:
    guarded = await guard(say(1), fallback=None, timeout_ms=SHORT)
    decision = guarded.decision(Control.SCOPE, acted=acted, reason="why")
    assert (decision.outcome, decision.reason) == (outcome, "why")


@pytest.mark.parametrize("control", Control)
async def test_a_control_that_could_not_run_never_counts_as_passed(control: Control) -> None:
    guarded = await guard(hang(), fallback=None, timeout_ms=SHORT)
    decision = guarded.decision(control, acted=False, reason="what it would have said")
    assert decision.outcome is failed(control)
    assert decision.reason == "timeout"


def test_a_control_that_is_off_says_so() -> None:
    assert skipped(Control.SCOPE, "switched off").outcome is Outcome.SKIPPED
