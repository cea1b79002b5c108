"""What happens when a control cannot run: the direction table, and `guard`, its only reader.

`guard` is the one place that catches a control's failure. It applies the direction, and
gives back a decision that says so; nothing else swallows an exception.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from chat.contracts.events import Decision, ModelCall
from chat.contracts.ports import ModelFault
from chat.contracts.verdicts import Control, Outcome

T = TypeVar("T")


class Direction(StrEnum):
    """OPEN lets the turn go on as if the control had passed; CLOSED withholds; PURE cannot fail."""

    OPEN = "open"
    CLOSED = "closed"
    PURE = "pure"


@dataclass(frozen=True, slots=True)
class Policy:
    """One row: which way a control fails, and why that way."""

    direction: Direction
    why: str


POLICIES: dict[Control, Policy] = {
    Control.SCOPE: Policy(
        Direction.OPEN, "A false stop costs a question; the search and the grading still follow."
    ),
    Control.AMBIGUITY: Policy(
        Direction.OPEN, "An outage must not trap anybody in questions, so nothing is asked."
    ),
    Control.REDACTION: Policy(
        Direction.CLOSED, "What leaked cannot be called back, so nothing is stored or sent."
    ),
    Control.RELEVANCE: Policy(
        Direction.OPEN, "Noisy evidence beats none; what was kept is marked as ungraded."
    ),
    Control.COVERAGE: Policy(
        Direction.OPEN, "A question that cannot be taken apart is treated as one item."
    ),
    Control.CITATION_BINDING: Policy(
        Direction.CLOSED, "A marker that resolves to nothing is removed."
    ),
    Control.GROUNDEDNESS: Policy(
        Direction.CLOSED, "What nobody verified must not look verified: a caveat says so."
    ),
    Control.BOUNDED_RETRY: Policy(Direction.PURE, "A counter in code cannot fail."),
    Control.FINAL_GATE: Policy(Direction.PURE, "A pure function of the text cannot fail."),
    Control.RECORD: Policy(
        Direction.CLOSED, "A turn without its record is not finished; sealing is tried again."
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


async def guard(work: Awaitable[T], *, fallback: T, timeout_ms: int) -> Guarded[T]:
    """Run a control with a time limit. Never raises, except for cancellation."""
    try:
        async with asyncio.timeout(timeout_ms / 1000):
            return Guarded(await work, ran=True)
    except ModelFault as fault:
        return Guarded(fallback, ran=False, reason=fault.reason, failed_call=fault.call)
    except TimeoutError:
        return Guarded(fallback, ran=False, reason="timeout")
    except Exception as error:  # noqa: BLE001 - the one place, see the module's first lines
        return Guarded(fallback, ran=False, reason=f"raised {type(error).__name__}")


def guard_now(work: Callable[[], T], *, fallback: T) -> Guarded[T]:
    """The same for a control that is plain code and takes no time worth a limit."""
    try:
        return Guarded(work(), ran=True)
    except Exception as error:  # noqa: BLE001 - as above
        return Guarded(fallback, ran=False, reason=f"raised {type(error).__name__}")


def skipped(control: Control, reason: str) -> Decision:
    """The decision of a control that a setting turned off."""
    return Decision(control=control, outcome=Outcome.SKIPPED, reason=reason)
