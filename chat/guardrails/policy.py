"""What happens when a control cannot run: the direction table, and `guard`, its only reader.

`guard` is the one place that catches a control's failure. It applies the direction, and
gives back a decision that says so; nothing else swallows an exception.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, TypeVar

from chat.contracts.events import Decision, ModelCall
from chat.contracts.ports import ModelFault
from chat.contracts.verdicts import Control, Outcome

T = TypeVar("T")

NONSENSE = "nonsense"  # the reason of a control that gave something that is no verdict


class Direction(StrEnum):
    """OPEN lets the turn go on as if the control had passed; CLOSED withholds; PURE cannot fail."""

    OPEN = "open"
    CLOSED = "closed"
    PURE = "pure"


class Boundary(StrEnum):
    """What a request has crossed when the control looks."""

    INPUT = "input"
    EVIDENCE = "evidence"
    GENERATION = "generation"
    OUTPUT = "output"


class Limit(StrEnum):
    """How long a control may take. `CODE` is bounded by the length of its text, not by a clock."""

    CODE = "code"
    CONTROL = "control"  # `AgentSettings.control_timeout_ms`
    SEALING = "sealing"  # tries of the writer of records


@dataclass(frozen=True, slots=True)
class Policy:
    """One row: the control's number of the twelve, where it looks, which way it fails, and why.

    A control beside the twelve has no number.
    """

    number: int | None
    boundary: Boundary
    direction: Direction
    why: str
    limit: Limit = Limit.CODE


POLICIES: dict[Control, Policy] = {
    Control.SCOPE: Policy(
        1,
        Boundary.INPUT,
        Direction.OPEN,
        "A false stop costs a question, and the search and the grading still follow; closed for "
        "a question with a cue of a restricted category, where a false pass costs more.",
        Limit.CONTROL,
    ),
    Control.AMBIGUITY: Policy(
        2,
        Boundary.INPUT,
        Direction.OPEN,
        "An outage must not trap anybody in questions, so nothing is asked.",
        Limit.CONTROL,
    ),
    Control.REDACTION: Policy(
        3,
        Boundary.INPUT,
        Direction.CLOSED,
        "What leaked cannot be called back, so nothing is stored or sent.",
    ),
    Control.UNTRUSTED_INPUT: Policy(
        3,
        Boundary.EVIDENCE,
        Direction.CLOSED,
        "A text that could not be screened may carry orders, so it is not read.",
    ),
    Control.RELEVANCE: Policy(
        4,
        Boundary.EVIDENCE,
        Direction.OPEN,
        "Noisy evidence beats none; what was kept is marked as ungraded.",
        Limit.CONTROL,
    ),
    Control.COVERAGE: Policy(
        5,
        Boundary.EVIDENCE,
        Direction.OPEN,
        "A question that cannot be taken apart is treated as one item.",
        Limit.CONTROL,
    ),
    Control.CITATION_BINDING: Policy(
        6, Boundary.EVIDENCE, Direction.CLOSED, "A marker that resolves to nothing is removed."
    ),
    Control.GROUNDEDNESS: Policy(
        7,
        Boundary.GENERATION,
        Direction.CLOSED,
        "What nobody verified must not look verified: a caveat says so.",
        Limit.CONTROL,
    ),
    Control.CONFIDENCE: Policy(
        8,
        Boundary.GENERATION,
        Direction.CLOSED,
        "A band that nothing was counted for measures nothing, so there is none.",
    ),
    Control.BOUNDED_RETRY: Policy(
        9, Boundary.GENERATION, Direction.PURE, "A counter in code cannot fail."
    ),
    Control.FINAL_GATE: Policy(
        10, Boundary.OUTPUT, Direction.PURE, "A pure function of the text cannot fail."
    ),
    Control.POLICY: Policy(
        11,
        Boundary.OUTPUT,
        Direction.PURE,
        "It reads the turn's own events: a control that ought to have run and left no decision is "
        "counted, and so is each that failed.",
    ),
    Control.RECORD: Policy(
        12,
        Boundary.OUTPUT,
        Direction.CLOSED,
        "A turn without its record is not finished; sealing is tried again.",
        Limit.SEALING,
    ),
    Control.RERANKER: Policy(
        None,
        Boundary.EVIDENCE,
        Direction.OPEN,
        "The fused order is a good one already.",
        Limit.CONTROL,
    ),
    Control.TOXICITY: Policy(
        None,
        Boundary.OUTPUT,
        Direction.OPEN,
        "An answer from the site's own documents is seldom rude; closed for a question with a cue "
        "of a restricted category.",
    ),
}


@dataclass(frozen=True, slots=True)
class Guarded(Generic[T]):
    """What a guarded control gave: its value or the fallback, and whether it ran."""

    value: T
    ran: bool
    reason: str = ""
    failed_call: ModelCall | None = None

    def decision(self, control: Control, *, acted: bool, reason: str = "") -> Decision:
        """The decision to emit: passed or acted if it ran, else failed in its direction."""
        if self.ran:
            outcome = Outcome.ACTED if acted else Outcome.PASSED
            return Decision(control=control, outcome=outcome, reason=reason)
        return Decision(control=control, outcome=failed(control), reason=self.reason)


def failed(control: Control) -> Outcome:
    """The outcome that a failure of this control counts as."""
    is_open = POLICIES[control].direction is Direction.OPEN
    return Outcome.FAILED_OPEN if is_open else Outcome.FAILED_CLOSED


async def guard(
    work: Awaitable[T],
    *,
    fallback: T,
    timeout_ms: int,
    sane: Callable[[Any], bool] = lambda _value: True,
) -> Guarded[T]:
    """Run a control with a time limit. Never raises, except for cancellation.

    What `sane` refuses is no verdict: the control failed by nonsense.
    """
    try:
        async with asyncio.timeout(timeout_ms / 1000):
            value = await work
        return Guarded(value, ran=True) if sane(value) else _nonsense(fallback, value)
    except ModelFault as fault:
        return Guarded(fallback, ran=False, reason=fault.reason, failed_call=fault.call)
    except TimeoutError:
        return Guarded(fallback, ran=False, reason="timeout")
    except Exception as error:  # noqa: BLE001 - the one place, see the module's first lines
        return Guarded(fallback, ran=False, reason=f"raised {type(error).__name__}")


def guard_now(
    work: Callable[[], T], *, fallback: T, sane: Callable[[Any], bool] = lambda _value: True
) -> Guarded[T]:
    """The same for a control that is plain code and takes no time worth a limit."""
    try:
        value = work()
        return Guarded(value, ran=True) if sane(value) else _nonsense(fallback, value)
    except Exception as error:  # noqa: BLE001 - as above
        return Guarded(fallback, ran=False, reason=f"raised {type(error).__name__}")


def says(kind: type) -> Callable[[Any], bool]:
    """For `sane`: is it a reply, and its value of this kind?"""
    return lambda reply: isinstance(getattr(reply, "value", None), kind)


def _nonsense(fallback: T, value: object) -> Guarded[T]:
    """A call that was made is counted all the same."""
    call = getattr(value, "call", None)
    paid = call if isinstance(call, ModelCall) else None
    return Guarded(fallback, ran=False, reason=NONSENSE, failed_call=paid)


def skipped(control: Control, reason: str) -> Decision:
    """The decision of a control that a setting turned off."""
    return Decision(control=control, outcome=Outcome.SKIPPED, reason=reason)
