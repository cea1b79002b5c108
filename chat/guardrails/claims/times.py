"""Dates, fiscal years and times of day, in the ways they are written.

`30 June 2024`, `June 30th, 2024` and `2024-06-30` are one date; the `year ended 30 June 2024`
is FY2024. A date that can be read in two ways (`03/04/2025`) keeps both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from chat.guardrails.claims.figures import Day, Figure, Kind

_NAMES = (
    "january february march april may june july august september october november december".split()
)
MONTHS: dict[str, int] = {
    **{name: number for number, name in enumerate(_NAMES, start=1)},
    **{name[:3]: number for number, name in enumerate(_NAMES, start=1)},
    "sept": 9,
}
_MONTH = rf"(?:{'|'.join(sorted(MONTHS, key=len, reverse=True))})"
_YEAR = r"(?:1[5-9]|20|21)\d\d"
_DAY = r"(?:3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?"

_QUICK = re.compile(r"\d")
_DATE = re.compile(
    rf"\b(?:(?P<d1>{_DAY})(?: of|-)?[ ]?(?P<m1>{_MONTH})\b\.?(?:,?[ -](?P<y1>{_YEAR})\b)?"
    rf"|(?P<m2>{_MONTH})\b\.? (?P<d2>{_DAY})\b(?!,?\d|[.:]\d)(?:,? (?P<y2>{_YEAR})\b)?"
    rf"|(?P<m3>{_MONTH})\b\.?,? (?P<y3>{_YEAR})\b"
    rf"|(?P<y4>{_YEAR})-(?P<m4>0[1-9]|1[0-2])-(?P<d4>[0-3]\d)\b"
    rf"|(?P<a5>[0-3]?\d)(?P<sep>[/.-])(?P<b5>[0-3]?\d)(?P=sep)(?P<y5>{_YEAR}|\d\d)\b(?![.,/:]\d))",
    re.IGNORECASE,
)
_FISCAL = re.compile(
    rf"\b(?:(?:FY|fiscal(?: years?)?|financial years?)[ '\u2019-]?(?P<year>{_YEAR}|\d\d)"
    rf"(?:[-\u2013/](?P<second>{_YEAR}|\d\d))?\b"
    rf"|(?:years?|(?:twelve|12) months) (?:ended|ending|to)(?: on)? "
    rf"(?:{_DAY} {_MONTH}|{_MONTH} {_DAY}),? (?P<ended>{_YEAR})\b)",
    re.IGNORECASE,
)
_CLOCK = re.compile(
    r"\b(?P<hour>[01]?\d|2[0-4])(?:[:.](?P<minute>[0-5]\d))?[ \u00a0]?(?P<half>a\.?m\b|p\.?m\b)\.?"
    r"|\b(?P<h24>[01]?\d|2[0-4]):(?P<m24>[0-5]\d)\b(?!:\d)",
    re.IGNORECASE,
)


def find(text: str) -> list[Figure]:
    """Dates, fiscal years and times of day, in order and without overlaps.

    `year ended 30 June 2024` counts as a fiscal year alone: its date stays readable in `days`.
    """
    if not _QUICK.search(text):
        return []
    found: list[Figure] = []
    for one in sorted((*_fiscals(text), *_dates(text), *_clocks(text)), key=_place):
        if not found or one.start >= found[-1].end:
            found.append(one)
    return found


def _place(figure: Figure) -> tuple[int, int]:
    return figure.start, -figure.end


def _fiscals(text: str) -> Iterator[Figure]:
    for found in _FISCAL.finditer(text):
        last = found["ended"] or found["second"] or found["year"]
        year = _whole_year(last)
        days = next(_dates(found.group()), None) if found["ended"] else None
        yield Figure(
            *(found.start(), found.end(), found.group(), Kind.FISCAL, (float(year),)),
            days=days.days if days else (),
        )


def _dates(text: str) -> Iterator[Figure]:
    for found in _DATE.finditer(text):
        days = tuple(day for day in _readings(found) if day[1] <= 12)
        if days and not _only_may(found.group()):
            yield Figure(found.start(), found.end(), found.group(), Kind.DATE, days=days)


def _only_may(said: str) -> bool:
    """`you may 2 times` is no date: the verb is in lower case and no year follows."""
    return "may" in said and re.search(rf"{_YEAR}$", said) is None and said[0] == "m"


def _readings(found: re.Match[str]) -> tuple[Day, ...]:
    for number in "123":
        if month := found[f"m{number}"]:
            day = found[f"d{number}"] if number != "3" else None
            year = found[f"y{number}"]
            return ((int(year or 0), MONTHS[month.casefold()], _number(day)),)
    if found["y4"]:
        return ((int(found["y4"]), int(found["m4"]), int(found["d4"])),)
    year, one, other = _whole_year(found["y5"]), int(found["a5"]), int(found["b5"])
    return tuple(dict.fromkeys(((year, other, one), (year, one, other))))


def _number(day: str | None) -> int:
    return int(re.sub(r"\D", "", day)) if day else 0


def _whole_year(written: str) -> int:
    year = int(written)
    if year >= 100:
        return year
    return year + (2000 if year < 70 else 1900)


def _clocks(text: str) -> Iterator[Figure]:
    for found in _CLOCK.finditer(text):
        if found["h24"]:
            minutes = 60 * int(found["h24"]) + int(found["m24"])
        else:
            late = found["half"][0] in "pP"
            minutes = 60 * (int(found["hour"]) % 12 + 12 * late) + int(found["minute"] or 0)
        yield Figure(*(found.start(), found.end(), found.group(), Kind.CLOCK, (float(minutes),)))
