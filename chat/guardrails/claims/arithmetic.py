"""Does a figure that no source holds follow from two that do? Sums, shares, changes, months a year.

Chance agrees easily where there are many figures, so the claim has to say what it does: a cue
("in total", "rose by"), a percentage, or a count of its own. Both figures stand near its matter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, permutations

from chat.guardrails.claims.directions import agrees
from chat.guardrails.claims.figures import Bound, Figure, Kind
from chat.guardrails.claims.sources import Sources, Statement, starts_of
from chat.guardrails.claims.support import Claim
from chat.guardrails.claims.tolerance import ABOUT_REACH, same
from chat.guardrails.claims.words import plain, read, stems

MOST_FIGURES = 24  # that are combined with each other, those nearest to the claim's matter
_USABLE = (Kind.NUMBER, Kind.MONEY, Kind.PERCENT, Kind.DURATION)

_TOTAL = r"total|altogether|together|sum|combined|overall|in all|adds? up|plus|both|\bfor\b"
_DIFFERENCE = (
    r"difference|more|less|fewer|higher|lower|longer|shorter|cheaper|dearer|sav(?:e|es|ing)|remain"
    r"|left|increas|decreas|rose|fell|grew|drop|declin|up by|down by|gap|extra|gain|reduc|chang"
    r"|improv|widen|net of|minus"
)
_CHANGE = (
    r"grew|grow|rose|ris(?:e|ing)|increas|decreas|declin|fell|fall|drop|up\b|down\b|chang|higher"
    r"|lower|more|less|cheaper|sav(?:e|es|ing)|discount|gain|reduc|jump|improv"
)
_SHARE = (
    r"share|proportion|portion|part|percent(?:age)? of|per cent of|% of|account|made up|margin"
    r"|of the total"
)
_YEARLY = re.compile(r"\b(?:years?|yearly|annual(?:ly)?|twelve months|12 months|p\.a\.)")
_MONTHLY = re.compile(r"\b(?:months?|monthly)\b")
_CUES = {
    name: re.compile(rf"\b(?:{words})" if name != "share" else words)
    for name, words in (
        ("total", _TOTAL),
        ("difference", _DIFFERENCE),
        ("change", _CHANGE),
        ("share", _SHARE),
    )
}
# Words that say what was reckoned, and need no source.
_RECKONING = frozenset(
    stem
    for word in "total altogether together sum combined overall add difference more less fewer "
    "higher lower longer shorter cheaper save saving remain left increase decrease rise fall grow "
    "growth drop decline gap extra gain reduce change improve net share proportion percentage "
    "portion account margin compare make come amount cost pay work mean result equal year month "
    "annual yearly monthly average jump discount over from than about up down all every each "
    "between by between before after would".split()
    for stem in (*stems(word), word)
)


@dataclass(frozen=True, slots=True)
class Derived:
    """How a figure follows: the operation's name, the passages, and whether the words hold too."""

    operation: str
    passages: tuple[int, ...]
    carried: bool


@dataclass(frozen=True, slots=True)
class _Held:
    figure: Figure
    statement: Statement


def derived(claim: Claim, figure: Figure, sources: Sources) -> Derived | None:
    """How the figure of a claim follows from two held ones; None where it does not."""
    if figure.kind not in _USABLE or not figure.values or figure.upto is not None:
        return None
    said = plain(claim.text)
    held = list(_nearest(claim, figure, sources))
    pairs = (_of_two(figure, one, other, said) for one, other in permutations(held, 2))
    found = _of_one(claim, figure, held, said) or next(filter(None, pairs), None)
    if found is None:
        return None
    operation, used = found
    numbers = tuple(dict.fromkeys(one.statement.source for one in used if one.statement.source))
    if not numbers:
        return None
    carried = _words_held(claim, used, sources) and _goes_that_way(claim, said, operation, used)
    return Derived(operation, numbers, carried)


_Found = tuple[str, tuple[_Held, ...]]


def _nearest(claim: Claim, figure: Figure, sources: Sources) -> Iterator[_Held]:
    """Held figures of statements that share a word with the claim, the nearest first."""
    words = frozenset(claim.said.content) - _RECKONING
    ranked: list[tuple[int, Statement]] = []
    starts = starts_of(words)
    for statement in (*sources.statements, sources.question):
        if not statement.counts:
            continue
        near = words & _around(statement, sources)
        if statement.may_share(starts):
            near |= words & statement.stems
        if near:
            ranked.append((-len(near), statement))
    ranked.sort(key=lambda pair: pair[0])
    every = (_Held(one, statement) for _, statement in ranked for one in statement.figures)
    usable = (held for held in every if _is_usable(held.figure))
    return islice(usable, MOST_FIGURES)


def _around(statement: Statement, sources: Sources) -> frozenset[str]:
    return sources.each[statement.source - 1].around if statement.source else frozenset()


def _is_usable(figure: Figure) -> bool:
    return figure.kind in _USABLE and bool(figure.values) and figure.upto is None


def _agrees(figure: Figure, value: float) -> bool:
    """Is a reckoned value the claim's, at the precision in which the claim gives it?"""
    reach = figure.step / 2 * 1.000001 if figure.step < 1 or figure.scaled else 1e-6
    if figure.bound is not Bound.EXACT:
        reach = max(reach, ABOUT_REACH * abs(figure.value))
    return any(abs(value - one) <= reach or same(value, one) for one in figure.values)


def _of_one(claim: Claim, figure: Figure, held: Sequence[_Held], said: str) -> _Found | None:
    """A price a month as one a year, and a price times a count that the claim itself names."""
    for one in held:
        if not _like(one.figure, figure):
            continue
        there = _with_header(one)
        if (
            _YEARLY.search(said)
            and _MONTHLY.search(there)
            and _agrees(figure, one.figure.value * 12)
        ):
            return "twelve months of it", (one,)
        if (
            _MONTHLY.search(said)
            and _YEARLY.search(there)
            and _agrees(figure, one.figure.value / 12)
        ):
            return "a twelfth of it", (one,)
        for count in claim.figures:
            if _is_count(count, figure) and _agrees(
                figure, one.figure.value * _times(count, there)
            ):
                return "it times a count", (one,)
    return None


def _with_header(held: _Held) -> str:
    """A figure's sentence, or its row with the header over its cell: `price a month`."""
    row = held.statement.row
    if row is None:
        return held.statement.lower
    headers = [cell.header for cell in row.cells if held.figure in cell.figures]
    return plain(" ".join((row.label, row.caption, *headers)))


def _is_count(count: Figure, figure: Figure) -> bool:
    is_whole = count.value == int(count.value) if count.values else False
    kinds = (Kind.NUMBER, Kind.DURATION)
    return count is not figure and count.kind in kinds and is_whole and count.value > 1


def _times(count: Figure, statement: str) -> float:
    """How often: `3 months` of a price a month is three times, `2 years` of it 24 times."""
    if count.kind is Kind.NUMBER:
        return count.value
    if count.unit == "month":
        return count.value if _MONTHLY.search(statement) else count.value / 12
    return 0.0


def _of_two(figure: Figure, one: _Held, other: _Held, said: str) -> _Found | None:
    """The first operation that the claim names and that gives its figure."""
    for operation, cue, reckon in _OPERATIONS:
        if not _CUES[cue].search(said):
            continue
        value = reckon(figure, one.figure, other.figure)
        if value is not None and _agrees(figure, value):
            return operation, (one, other)
    return None


def _like(one: Figure, other: Figure) -> bool:
    return one.kind is other.kind and one.unit == other.unit


def _sum(figure: Figure, one: Figure, other: Figure) -> float | None:
    return one.value + other.value if _like(one, figure) and _like(other, figure) else None


def _difference(figure: Figure, one: Figure, other: Figure) -> float | None:
    if not (_like(one, figure) and _like(other, figure)) or same(one.value, other.value):
        return None
    return abs(one.value - other.value)


def _change(figure: Figure, one: Figure, other: Figure) -> float | None:
    if figure.kind is not Kind.PERCENT or not _like(one, other) or not one.value:
        return None
    if one.kind is Kind.PERCENT or same(one.value, other.value):
        return None
    return abs(other.value - one.value) / abs(one.value) * 100


def _share(figure: Figure, one: Figure, other: Figure) -> float | None:
    if figure.kind is not Kind.PERCENT or not _like(one, other) or not other.value:
        return None
    return one.value / other.value * 100 if 0 < one.value < other.value else None


def _product(figure: Figure, one: Figure, other: Figure) -> float | None:
    if not _like(one, figure) or other.kind is not Kind.NUMBER or other.value <= 1:
        return None
    return one.value * other.value if other.value == int(other.value) else None


def _goes_that_way(claim: Claim, said: str, operation: str, used: Sequence[_Held]) -> bool:
    if operation not in _DIRECTED:
        return True
    (one, other) = ((held.figure, held.statement) for held in used)
    return agrees(claim, said, one, other)


_DIRECTED = ("a percentage change", "a difference")
_Reckon = Callable[[Figure, Figure, Figure], float | None]
_OPERATIONS: tuple[tuple[str, str, _Reckon], ...] = (
    ("a percentage change", "change", _change),
    ("a share", "share", _share),
    ("a sum", "total", _sum),
    ("a difference", "difference", _difference),
    ("a product with a count", "total", _product),
)


def _words_held(claim: Claim, used: Sequence[_Held], sources: Sources) -> bool:
    """Do the statements of both figures, with what stands over them, hold the claim's words?"""
    there: set[str] = set()
    for one in used:
        there |= one.statement.stems | _around(one.statement, sources)
        if row := one.statement.row:
            headers = " ".join((row.caption, row.corner, *(cell.header for cell in row.cells)))
            there |= set(read(headers, sources.groups).content)
    return there.issuperset(frozenset(claim.said.content) - _RECKONING)
