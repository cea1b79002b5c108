"""When each event of a stream is sent: as it comes, or at the speed at which it happened."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable

from chat.contracts.events import Event

LONGEST_WAIT = 10.0  # seconds; a person's pause over a question back is not sat out
FASTEST = 1_000.0

Sleep = Callable[[float], Awaitable[None]]


class BadPace(ValueError):
    """The pace is neither `recorded`, `fast` nor a factor over 0."""


def factor_of(pace: str) -> float | None:
    """How many times faster than it happened; None for no waiting at all.

    Raises `BadPace`.
    """
    if pace in ("", "fast"):
        return None
    if pace == "recorded":
        return 1.0
    try:
        factor = float(pace)
    except ValueError:
        raise BadPace(pace) from None
    if not 0 < factor <= FASTEST:
        raise BadPace(pace)
    return factor


async def paced(
    batches: AsyncIterator[list[Event]],
    factor: float | None,
    sleep: Sleep,
    clock: Callable[[], float] = time.monotonic,
) -> AsyncIterator[Event]:
    """The events one by one. Time that the reader takes is not waited for again.

    Events that are still to happen come no faster than they do, whatever the factor.
    """
    due = clock()
    before: Event | None = None
    async for batch in batches:
        for event in batch:
            if factor is not None:
                gap = (event.at - before.at).total_seconds() / factor if before else 0.0
                due += min(max(gap, 0.0), LONGEST_WAIT)
                if (rest := due - clock()) > 0:
                    await sleep(rest)
            before = event
            yield event
