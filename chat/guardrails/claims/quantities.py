"""The figures of a text, with their units, bounds and ranges. Total: any text has some or none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from chat.guardrails.claims import durations, times, units
from chat.guardrails.claims.figures import Bound, Figure, Kind
from chat.guardrails.claims.numbers import Number, has_words, in_digits, in_words

_DIGIT = re.compile(r"\d")
_ORDINAL = re.compile(r"(?:st|nd|rd|th)\b", re.IGNORECASE)
_DECADE = re.compile(r"'?s\b")
_BETWEEN = re.compile(r" ?(?:-|\u2010|\u2011|\u2013|\u2014|~|to|up to|through) ?|( and )")
_LOOK_BACK = 24  # characters in which a bound or a currency can stand

_BOUNDS: tuple[tuple[Bound, str], ...] = (
    (
        Bound.MOST,
        r"up to|at (?:the )?most|(?:no|not) (?:more|longer|later|greater) than|within(?: the)?"
        r"(?: (?:next|first))?|maximum(?: of)?|max\.?|\u2264|<=",
    ),
    (
        Bound.LEAST,
        r"at (?:the )?least|(?:no|not) (?:less|fewer|earlier|shorter) than|minimum(?: of)?"
        r"|min\.|\u2265|>=",
    ),
    (Bound.NEARLY, r"nearly|almost|just under|close to|not quite"),
    (
        Bound.OVER,
        r"(?:more|greater|longer|higher|larger) than|over|above|exceed(?:s|ed|ing)?"
        r"|in excess of|upwards of|beyond|>",
    ),
    (Bound.UNDER, r"(?:less|fewer|lower|shorter|smaller) than|under|below|<"),
    (
        Bound.ABOUT,
        r"about|around|approximately|approx\.?|roughly|some|circa|c\.|ca\.|an estimated"
        r"|estimated|~|\u2248|\u2245|or so",
    ),
)
_BOUND = re.compile(
    "(?:"
    + "|".join(f"(?P<b{place}>(?<![^\\W_])(?:{words}))" for place, (_, words) in enumerate(_BOUNDS))
    + r")(?: a total of| the)?[ \u00a0]?\(?\Z",
    re.IGNORECASE,
)
_AFTERWARDS = re.compile(
    r" (?:(?P<least>or (?:more|longer|over|above|later)|at least)"
    r"|(?P<most>or (?:less|fewer|under|below|earlier|sooner)|at (?:the )?most)"
    r"|(?P<about>or so))\b|(?P<plus>\+)",
    re.IGNORECASE,
)
_FIRST_YEAR, _LAST_YEAR = 1500.0, 2100.0


def find(text: str, *, worded: bool = True) -> tuple[Figure, ...]:
    """The figures of a text in order, without overlaps.

    `worded` also reads numbers in words, and `within a day`; it costs more.
    """
    with_words = worded and has_words(text)
    with_digits = _DIGIT.search(text) is not None
    moments = times.find(text) if with_digits else []
    numbers = list(in_digits(text)) if with_digits else []
    if with_words:
        numbers += in_words(text)
    times_said = sorted((*moments, *(_alone(text) if worded else ())), key=_start)
    found = sorted((*times_said, *_amounts(text, numbers, times_said)), key=_start)
    return tuple(_bounded(text, figure) for figure in _ranged(text, found))


def _start(one: Figure | Number) -> int:
    return one.start


def _amounts(text: str, numbers: list[Number], times_said: list[Figure]) -> Iterator[Figure]:
    """The numbers that are part of no time, each as a figure."""
    done, ahead = 0, 0
    for number in sorted(numbers, key=_start):
        while ahead < len(times_said) and times_said[ahead].end <= number.start:
            ahead += 1
        in_time = ahead < len(times_said) and times_said[ahead].start < number.end
        if not in_time and number.start >= done:
            figure = _figure(text, number)
            done = figure.end
            yield figure


def has_worded(text: str) -> bool:
    """Might any figure of a text stand in words? Asked once for many sentences."""
    return has_words(text) or next(durations.alone(text), None) is not None


def _alone(text: str) -> Iterator[Figure]:
    for start, span in durations.alone(text):
        yield Figure(
            *(start, span.end, text[start : span.end], Kind.DURATION, (span.factor,), span.base),
            step=span.factor,
            worded=True,
        )


def _figure(text: str, number: Number) -> Figure:
    """A number with the currency, scale and unit around it."""
    start, end = number.start, number.end
    if not number.values or _is_part_of_a_name(text, start):
        return Figure(start, end, text[start:end], Kind.CODE, number.values)
    if ordinal := _ORDINAL.match(text, end):
        return _plain(text, number, ordinal.end(), "th")
    if text[end - 1] == "0" and end - start >= 3 and (decade := _DECADE.match(text, end)):
        return Figure(start, decade.end(), text[start : decade.end()], Kind.CODE, number.values)
    span = durations.unit_after(text, end)
    if span is not None:
        values = tuple(value * span.factor for value in number.values)
        said = text[start : span.end]
        return Figure(
            *(start, span.end, said, Kind.DURATION, values, span.base),
            step=number.step * span.factor,
            worded=number.worded,
        )
    return _amount(text, number)


def _is_part_of_a_name(text: str, start: int) -> bool:
    """`MR200` and `COVID-19` are names; `USD200` is not, and `-5` is a number."""
    before = text[max(0, start - 2) : start]
    if not before or not (before[-1].isalpha() or before[-1] == "_" or before[-1] == "-"):
        return False
    if before[-1] == "-":
        return len(before) == 2 and before[0].isalnum() and not before[0].isdigit()
    return units.BEFORE.search(text[max(0, start - _LOOK_BACK) : start]) is None


def _plain(text: str, number: Number, end: int, unit: str) -> Figure:
    return Figure(
        *(number.start, end, text[number.start : end], Kind.NUMBER, number.values, unit),
        step=number.step,
        worded=number.worded,
    )


def _amount(text: str, number: Number) -> Figure:
    """A sum of money, a percentage, a year or a bare number, scaled by the word behind it."""
    start, end = number.start, number.end
    before = units.BEFORE.search(text[max(0, start - _LOOK_BACK) : start])
    scale, end, is_letter = _scale_after(text, end)
    after = units.UNIT_AFTER.match(text, end)
    unit = after["unit"].casefold() if after else ""
    currency = (before["sign"] or before["code"]).casefold() if before else ""
    money = units.CURRENCIES.get(currency or unit, "")
    other = scale if is_letter and not money else 1.0  # 5m: five metres, or five million
    if other != 1.0:
        scale, end, after, unit = 1.0, number.end, None, ""
    factor, kind = _worth(unit, money)
    start -= len(before.group()) if before else 0
    minus = _is_negative(text, start, bool(before and before["minus"]))
    sign_and_scale = scale * factor * (-1 if minus else 1)
    values = tuple(value * sign_and_scale for value in number.values)
    values += tuple(value * other for value in number.values if other != 1.0)
    end = after.end() if after and factor else end
    if kind is Kind.NUMBER and scale == 1.0 and _is_year(text, number):
        kind = Kind.YEAR
    return Figure(
        *(start, end, text[start:end], kind, values, money if kind is Kind.MONEY else ""),
        step=number.step * scale * factor,
        worded=number.worded,
        scaled=scale != 1.0 or kind is Kind.PERCENT or number.step < 1.0,
    )


def _worth(unit: str, money: str) -> tuple[float, Kind]:
    """By how much a unit counts, and the kind that it makes."""
    if unit in units.BASIS_POINTS:
        return 0.01, Kind.PERCENT
    if unit in units.PERCENTS:
        return 1.0, Kind.PERCENT
    if unit in units.HUNDREDTHS and not money:
        return 0.01, Kind.MONEY
    return 1.0, Kind.MONEY if money else Kind.NUMBER


def _scale_after(text: str, end: int) -> tuple[float, int, bool]:
    """The scale word behind a number, where it ends, and whether it is a letter that may lie."""
    found = units.SCALE_AFTER.match(text, end)
    if found is None:
        return 1.0, end, False
    said = found["scale"]
    if said.isdigit() or (said == "K" and found.end() - end > 1):
        return 1.0, end, False
    is_letter = said.casefold() in units.LETTERS and not (said == "M" and found.end() - end == 1)
    return units.SCALES[said.casefold()], found.end(), is_letter


def _is_year(text: str, number: Number) -> bool:
    is_plain = number.end - number.start == 4 and number.step == 1.0 and not number.worded
    return is_plain and _FIRST_YEAR <= number.values[0] <= _LAST_YEAR


def _is_negative(text: str, start: int, minus: bool) -> bool:
    """A minus before the figure that no word touches, so that `5-10` and `top-10` have none."""
    if minus or start == 0 or text[start - 1] not in "-\u2212":
        return minus
    return start == 1 or not (text[start - 2].isalnum() or text[start - 2] in ")%")


def _ranged(text: str, figures: list[Figure]) -> Iterator[Figure]:
    """Two figures with `to` or a dash between them are one range."""
    place = 0
    while place < len(figures):
        figure = figures[place]
        following = figures[place + 1] if place + 1 < len(figures) else None
        joined = _range(text, figure, following) if following else None
        yield joined or figure
        place += 2 if joined else 1


def _range(text: str, one: Figure, other: Figure) -> Figure | None:
    between = _BETWEEN.fullmatch(text, one.end, other.start)
    before = text[max(0, one.start - 9) : one.start].casefold()
    if between is None or before.endswith("from ") or not (one.values and other.values):
        return None
    if between[1] and not before.endswith("between "):
        return None
    named = one if (one.kind, other.kind) == (Kind.MONEY, Kind.NUMBER) else other
    if one.kind not in (named.kind, Kind.NUMBER, Kind.YEAR) or other.kind is Kind.FISCAL:
        return None
    low, high = one.value * _shared_scale(one, other), other.value
    if (other.kind is Kind.YEAR and one.kind is Kind.NUMBER) or high <= low:
        return None
    return replace(
        other,
        start=one.start,
        text=text[one.start : other.end],
        kind=named.kind,
        unit=named.unit,
        values=(low,),
        upto=high,
    )


def _shared_scale(one: Figure, other: Figure) -> float:
    """`$5 to 10 million` and `5 to 10 weeks`: the scale and unit stand once, behind the second."""
    if one.kind is Kind.DURATION or (one.kind is not Kind.NUMBER and one.step >= other.step):
        return 1.0
    written = next(in_digits(other.text), None) or next(in_words(other.text), None)
    if written is None or not written.values or not written.values[0]:
        return 1.0
    return abs(other.value / written.values[0])


def _bounded(text: str, figure: Figure) -> Figure:
    """The figure with the word before or behind it that says how far it reaches."""
    after = _AFTERWARDS.match(text, figure.end)
    if after:
        bound = Bound.LEAST if after["least"] or after["plus"] else Bound.MOST
        return replace(figure, bound=Bound.ABOUT if after["about"] else bound, end=after.end())
    from_here = max(0, figure.start - _LOOK_BACK)
    found = _BOUND.search(text[from_here : figure.start])
    if found is None or found.lastgroup is None:
        return figure
    return replace(
        figure, start=from_here + found.start(), bound=_BOUNDS[int(found.lastgroup[1:])][0]
    )
