"""When a turn stood still: while a person thought, or while nobody ran it.

Pure. A wait is no work: the timeline folds it, and the wall clock of the budget leaves it out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from chat.contracts.events import Action, Clarification, Event, Stage

QUIET = 60_000.0  # ms without an event that no work explains: every call ends sooner

For = Literal["reply", "yes", "nothing"]


@dataclass(frozen=True, slots=True)
class Wait:
    """A stretch after the event `after`, in ms from the turn's first event.

    `until_ms` is None while it lasts. It is for a person's `reply` or `yes`, or for `nothing`:
    a process was gone and another had not taken over yet.
    """

    after: int
    for_: For
    ms: float
    until_ms: float | None = None


def waits(events: Sequence[Event]) -> tuple[Wait, ...]:
    """The waits of a turn in order; the last one may be open."""
    found = [wait for a, b in pairwise(events) if (wait := _between(events[0], a, b))]
    if events and (kind := _asks(events[-1])):
        found.append(Wait(events[-1].seq, kind, since(events[0], events[-1])))
    return tuple(found)


def worked(ms: float, found: Sequence[Wait]) -> float:
    """How much of the first `ms` milliseconds was no waiting."""
    stood = (
        max(min(ms, ms if wait.until_ms is None else wait.until_ms) - wait.ms, 0) for wait in found
    )
    return round(ms - sum(stood), 2)


def since(start: Event, event: Event) -> float:
    """Milliseconds from one event to another."""
    return round((event.at - start.at).total_seconds() * 1000, 2)


def _between(start: Event, before: Event, after: Event) -> Wait | None:
    kind = _asks(before)
    if kind is not None and isinstance(after.body, Clarification | Action):
        return None  # the wait begins once the question is asked
    ms, until = since(start, before), since(start, after)
    if kind is None and until - ms < QUIET:
        return None
    return Wait(before.seq, kind or "nothing", ms, max(ms, until))


def _asks(event: Event) -> For | None:
    body = event.body
    if isinstance(body, Action):
        return "yes"
    if isinstance(body, Clarification):
        return "reply"
    if isinstance(body, Stage) and body.phase == "paused":
        return "yes" if body.node == "confirm_action" else "reply"
    return None
