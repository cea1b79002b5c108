"""How much one socket may send: a bucket that refills with time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from chat.contracts.errors import TooFast


@dataclass(slots=True)
class Bucket:
    """Holds `size` frames and gains `refill` a second. `clock` gives monotonic seconds."""

    clock: Callable[[], float]
    size: float = 20
    refill: float = 4
    _level: float = field(init=False)
    _seen: float = field(init=False)

    def __post_init__(self) -> None:
        self._level, self._seen = self.size, self.clock()

    def take(self) -> None:
        """Use one frame. Raises `TooFast`, which says when to come back, if none is left."""
        now = self.clock()
        self._level = min(self.size, self._level + (now - self._seen) * self.refill)
        self._seen = now
        if self._level < 1:
            raise TooFast(retry_after=round((1 - self._level) / self.refill, 2))
        self._level -= 1
