"""How long something takes: units of time behind a number, and `a day` where it is a duration.

Seconds, minutes, hours, days and weeks meet in seconds; months, quarters and years in months. A
business day is a unit of its own: five of them are not five days.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

SECOND, MONTH, BUSINESS_DAY = "second", "month", "business day"
_HOUR, _DAY = 3_600.0, 86_400.0

UNITS: dict[str, tuple[str, float]] = {
    **dict.fromkeys(("ms", "millisecond", "milliseconds"), (SECOND, 1e-3)),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), (SECOND, 1.0)),
    **dict.fromkeys(("min", "mins", "minute", "minutes"), (SECOND, 60.0)),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), (SECOND, _HOUR)),
    **dict.fromkeys(("d", "day", "days", "night", "nights"), (SECOND, _DAY)),
    **dict.fromkeys(("wk", "wks", "week", "weeks"), (SECOND, 7 * _DAY)),
    **dict.fromkeys(("fortnight", "fortnights"), (SECOND, 14 * _DAY)),
    **dict.fromkeys(("mo", "mos", "month", "months"), (MONTH, 1.0)),
    **dict.fromkeys(("quarter", "quarters"), (MONTH, 3.0)),
    **dict.fromkeys(("y", "yr", "yrs", "year", "years"), (MONTH, 12.0)),
    **dict.fromkeys(("decade", "decades"), (MONTH, 120.0)),
    **dict.fromkeys(("century", "centuries"), (MONTH, 1_200.0)),
}
_BUSINESS = r"(?P<business>business|working|week|bank|trading)"
_NAMES = "|".join(sorted(UNITS, key=len, reverse=True))
AFTER = re.compile(
    rf"\)?[ \u00a0-]?(?:{_BUSINESS}[ -])?(?:calendar |full |whole |consecutive )?(?P<unit>{_NAMES})"
    r"(?![^\W_]|'t)",
    re.IGNORECASE,
)
_ALONE_UNITS = ("minute", "hour", "day", "week", "fortnight", "month", "quarter", "year")
_ALONE = re.compile(
    r"\b(?:(?:within|in|after|for|takes?|last(?:s|ing)?|under|over|up to|at least|at most|than"
    r"|about|until) (?P<a>an?|the next)|(?P<one>one))[ -]"
    rf"(?:{_BUSINESS}[ -])?(?P<unit>{'|'.join(_ALONE_UNITS)})(?![^\W_])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Span:
    """A duration's unit: `base` is second, month or business day, `factor` how many of them."""

    end: int
    base: str
    factor: float


def unit_after(text: str, place: int) -> Span | None:
    """The unit of time that stands behind a number which ends at `place`."""
    found = AFTER.match(text, place)
    if found is None:
        return None
    name = found["unit"]
    if len(name) == 1 and (found.end() - place > 1 or name.isupper()):
        return None  # `5h` is five hours; `5 d`, `2D` and `5S` are names
    return _span(found.end(), name, found["business"])


def alone(text: str) -> Iterator[tuple[int, Span]]:
    """Where `within a day` stands for one day: the start of its `a`, and its unit."""
    if not any(name in text for name in _ALONE_UNITS):
        return
    for found in _ALONE.finditer(text):
        start = found.start("a") if found["a"] else found.start("one")
        yield start, _span(found.end(), found["unit"], found["business"])


def _span(end: int, name: str, business: str | None) -> Span:
    base, factor = UNITS[name.casefold()]
    if business and factor == _DAY:
        return Span(end, BUSINESS_DAY, 1.0)
    return Span(end, base, factor)


_DAYS = {
    (30.0, 1.0),
    (31.0, 1.0),
    (60.0, 2.0),
    (90.0, 3.0),
    (180.0, 6.0),
    (365.0, 12.0),
    (52 * 7.0, 12.0),
}


def nearly_same(one: tuple[str, float], other: tuple[str, float]) -> bool:
    """Is it one duration for a reader: 30 days and a month, 365 days and a year?"""
    by_base = dict((one, other))
    if by_base.keys() == {SECOND, BUSINESS_DAY}:  # two things, but said for each other
        return by_base[SECOND] == by_base[BUSINESS_DAY] * _DAY
    if by_base.keys() != {SECOND, MONTH}:
        return False
    return (by_base[SECOND] / _DAY, by_base[MONTH]) in _DAYS
