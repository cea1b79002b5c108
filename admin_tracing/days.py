"""A window of whole days, in UTC. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

WINDOWS = (7, 30, 90)
"""The windows that pages offer, in days."""


@dataclass(frozen=True, slots=True)
class Days:
    """The window: whole days, the last one mostly today."""

    first: date
    count: int

    def __iter__(self) -> Iterator[date]:
        return (self.first + timedelta(days=n) for n in range(self.count))

    @property
    def last(self) -> date:
        return self.first + timedelta(days=self.count - 1)

    @property
    def since(self) -> datetime:
        """The moment at which it begins."""
        return datetime.combine(self.first, time(), UTC)

    @property
    def until(self) -> datetime:
        """The moment before which it is over."""
        return self.since + timedelta(days=self.count)
