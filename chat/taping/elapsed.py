"""The clock of a run whose reused calls take no time: it goes on by what they took when recorded.

So a limit on time ends a re-run where it would have ended the turn. Calls that begin together pass
together, as they did; what is called anew takes the time that it takes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(slots=True, eq=False)
class _Passing:
    """A reused call that is passing; `first` is set once it may be the next one to end."""

    end: float
    first: asyncio.Event = field(default_factory=asyncio.Event)


class Elapsed:
    """Monotonic seconds of `real`, and what reused calls have passed of it."""

    def __init__(self, real: Callable[[], float]) -> None:
        self._real = real
        self._ahead = 0.0
        self._passing: list[_Passing] = []
        self._reached = 0.0
        self._made = 0

    def __call__(self) -> float:
        return self._real() + self._ahead

    async def passes(self, seconds: float) -> None:
        """Let a reused call end, after those that end before it."""
        mine = _Passing(self() + seconds)
        self._passing.append(mine)
        try:
            await asyncio.sleep(0)  # calls that begin together all begin before one of them ends
            while self._next() is not mine:
                mine.first.clear()
                await mine.first.wait()
        finally:
            self._passing.remove(mine)
            if self._passing:
                self._next().first.set()
        self._reached = max(self._reached, mine.end)
        self._catch_up()

    @contextmanager
    def making(self) -> Iterator[None]:
        """Around a call that is made: beside it, time is not passed twice."""
        self._made += 1
        try:
            yield
        finally:
            self._made -= 1
            self._catch_up()

    def _next(self) -> _Passing:
        return min(self._passing, key=lambda each: each.end)

    def _catch_up(self) -> None:
        if not self._made:
            self._ahead = max(self._ahead, self._reached - self._real())
