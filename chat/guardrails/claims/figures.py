"""A figure as it is compared: its kind, its values, its unit, and how exactly it was said.

A figure may be read in more than one way (`1.234`), so it has one or more values. Text that is
too long to be a number keeps its digits as a code.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What a figure counts. Only figures of kinds that meet are compared."""

    NUMBER = "number"
    PERCENT = "percent"
    MONEY = "money"  # unit: a currency code, or `$` for any dollar
    DURATION = "duration"  # unit: second, day, month or business day
    YEAR = "year"
    FISCAL = "fiscal year"
    DATE = "date"
    CLOCK = "clock"  # minutes after midnight
    CODE = "code"  # versions, numbers of articles: the same text or another one


class Bound(StrEnum):
    """How far a figure reaches: `about 5`, `up to 5`. EXACT is said without a word."""

    EXACT = ""
    ABOUT = "about"
    NEARLY = "nearly"
    OVER = "over"
    UNDER = "under"
    LEAST = "at least"
    MOST = "at most"


Day = tuple[int, int, int]  # year, month, day; 0 where it was not said

TIMES = frozenset((Kind.DURATION, Kind.DATE, Kind.CLOCK))


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of a text, from `start` to `end`, with what belongs to it.

    `values` are in the unit's base (percent as points, `3 million` as 3000000.0), the likeliest
    first. `step` is the worth of the last digit that was written. A range has its other end in
    `upto`. `worded` says that no digit was used; `scaled` that a scale word or a percentage
    makes it visibly rounded. `days` are the readings of a date.
    """

    start: int
    end: int
    text: str
    kind: Kind
    values: tuple[float, ...] = ()
    unit: str = ""
    bound: Bound = Bound.EXACT
    step: float = 1.0
    upto: float | None = None
    worded: bool = False
    scaled: bool = False
    days: tuple[Day, ...] = ()

    @property
    def value(self) -> float:
        """The likeliest value; 0 for a date or a code."""
        return self.values[0] if self.values else 0.0

    @property
    def is_time(self) -> bool:
        """Is it a date, a duration or a time of day? A year is not."""
        return self.kind in TIMES
