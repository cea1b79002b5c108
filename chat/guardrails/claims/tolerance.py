"""Do two figures say the same? `fits` is strict and may carry a claim; `near` only clears it.

What fits is the same figure in another writing, or a rounding that says that it is one. What is
near may be the same figure: it is a reason to ask a judge, and none to call the claim wrong.
"""

from __future__ import annotations

from math import isclose

from chat.guardrails.claims.durations import nearly_same
from chat.guardrails.claims.figures import Bound, Day, Figure, Kind
from chat.guardrails.claims.units import same_currency

# How far these words reach, as a share of the figure that stands behind them.
ABOUT_REACH = 0.05
NEARLY_REACH = 0.07
OVER_REACH = 0.10
_LIMITS = (Bound.OVER, Bound.UNDER, Bound.LEAST, Bound.MOST)
_BARE = (Kind.NUMBER, Kind.CODE)
_TINY = 1e-9


def same(one: float, other: float) -> bool:
    """Are two values equal, but for how a computer holds them?"""
    return isclose(one, other, rel_tol=_TINY, abs_tol=_TINY)


def fits(claim: Figure, held: Figure) -> bool:
    """Does a held figure say what the claim's says: value, unit, bound and both ends?"""
    if claim.kind is Kind.YEAR and held.kind is Kind.DATE:
        return all(claim.value == day[0] for day in held.days)
    if claim.kind is Kind.DATE or held.kind is Kind.DATE:
        return claim.kind is held.kind and _date_fits(claim.days, held.days)
    if not _kinds_fit(claim, held):
        return False
    if claim.kind is Kind.CODE and not (claim.values and held.values):
        return claim.text.casefold() == held.text.casefold()
    if (claim.upto is None) != (held.upto is None):
        return False
    if claim.upto is not None and held.upto is not None:
        both = same(claim.value, held.value) and same(claim.upto, held.upto)
        return both and claim.bound in (Bound.EXACT, Bound.ABOUT, held.bound)
    return any(_value_fits(claim, held, one, other) for one, other in _pairs(claim, held))


def near(claim: Figure, held: Figure) -> bool:
    """May a held figure be what the claim's means? Units that are not said may be any."""
    if claim.kind is Kind.DATE or held.kind is Kind.DATE:
        return _date_near(claim, held)
    if Kind.CODE in (claim.kind, held.kind) and _code_near(claim, held):
        return True
    if not _kinds_near(claim, held):
        return _same_time(claim, held)
    if claim.upto is not None:  # both ends of a range, each to its own
        low = _value_near(claim, claim.value, held.value, held)
        return held.upto is not None and low and _value_near(claim, claim.upto, held.upto, held)
    return any(
        _value_near(claim, abs(one), abs(other), held)
        for one in claim.values
        for other in _ends(held)
    )


def _pairs(claim: Figure, held: Figure) -> list[tuple[float, float]]:
    """The readings to compare; a ratio meets a percentage as one."""
    claimed, there = claim.values, held.values
    if claim.kind is Kind.PERCENT and held.kind is Kind.NUMBER:
        there = tuple(value * 100 for value in there)
    elif claim.kind is Kind.NUMBER and held.kind is Kind.PERCENT:
        there = tuple(value / 100 for value in there)
    return [(one, other) for one in claimed for other in there]


def _value_fits(claim: Figure, held: Figure, value: float, there: float) -> bool:
    if claim.bound in _LIMITS and claim.bound is held.bound:
        return same(value, there)
    if held.bound in _LIMITS:
        return False
    if claim.bound is Bound.EXACT and held.bound is not Bound.EXACT:
        return False
    if same(value, there):
        return claim.bound in (Bound.EXACT, Bound.ABOUT, held.bound)
    if claim.kind is Kind.YEAR or held.bound is not Bound.EXACT:
        return False
    return _reaches(claim, value, there)


def _reaches(claim: Figure, value: float, there: float) -> bool:
    """Is the exact figure within what a rounded one may stand for?"""
    off, size = there - value, abs(value)
    match claim.bound:
        case Bound.ABOUT:
            return abs(off) <= max(claim.step / 2 + _TINY * size, ABOUT_REACH * size)
        case Bound.NEARLY:
            return -NEARLY_REACH * size <= off < 0
        case Bound.OVER:
            return 0 < off <= OVER_REACH * size
        case Bound.UNDER:
            return -OVER_REACH * size <= off < 0
        case Bound.EXACT:
            return claim.scaled and size >= 10 * claim.step and _rounds_to(claim, off, size)
        case _:
            return False


def _rounds_to(claim: Figure, off: float, size: float) -> bool:
    return abs(off) <= claim.step / 2 + _TINY * max(size, 1.0)


def _value_near(claim: Figure, value: float, there: float, held: Figure) -> bool:
    if same(value, there) or _ratio(claim, held, value, there):
        return True
    if claim.kind is Kind.YEAR and held.kind in (Kind.YEAR, Kind.FISCAL):
        return False
    off, size = abs(there - value), max(value, there)
    if off < max(claim.step if claim.scaled else 0.0, held.step if held.scaled else 0.0):
        return off < 0.1 * size or size <= 10 * claim.step  # rounded or cut off
    loose = {claim.bound, held.bound} & {Bound.ABOUT, Bound.NEARLY, Bound.OVER, Bound.UNDER}
    return bool(loose) and off <= OVER_REACH * size


def _ratio(claim: Figure, held: Figure, value: float, there: float) -> bool:
    """4.2 % and 0.042, and a bare cell of which a header far away says how many it counts."""
    kinds = {claim.kind, held.kind}
    if kinds == {Kind.PERCENT, Kind.NUMBER}:
        one, other = (value, there) if claim.kind is Kind.PERCENT else (there, value)
        return 0 < other <= 1 and abs(one - other * 100) <= claim.step / 2 + _TINY
    if Kind.NUMBER in kinds and kinds <= {Kind.NUMBER, Kind.MONEY}:
        large, small = (value, there) if value > there else (there, value)
        return large >= 1_000 and any(same(large, small * scale) for scale in (1e3, 1e6, 1e9))
    return False


def _kinds_fit(claim: Figure, held: Figure) -> bool:
    kinds = (claim.kind, held.kind)
    if kinds == (Kind.MONEY, Kind.MONEY):
        return same_currency(claim.unit, held.unit)
    if claim.kind is held.kind:
        return claim.unit == held.unit
    if set(kinds) == {Kind.YEAR, Kind.NUMBER}:
        return claim.unit == held.unit
    if kinds == (Kind.PERCENT, Kind.NUMBER):
        return not held.unit and 0 < abs(held.value) < 1 and held.step < 0.1
    return kinds == (Kind.NUMBER, Kind.PERCENT) and 0 < abs(claim.value) < 1 and claim.step < 0.1


def _kinds_near(claim: Figure, held: Figure) -> bool:
    if claim.kind is Kind.MONEY and held.kind is Kind.MONEY:
        return same_currency(claim.unit, held.unit)
    if claim.kind is Kind.DURATION and held.kind is Kind.DURATION:
        return claim.unit == held.unit
    kinds = {claim.kind, held.kind}
    if len(kinds) == 1 or kinds & set(_BARE):
        return True
    return kinds <= {Kind.YEAR, Kind.FISCAL} or Kind.YEAR in kinds and Kind.MONEY in kinds


def _same_time(claim: Figure, held: Figure) -> bool:
    if claim.kind is not Kind.DURATION or held.kind is not Kind.DURATION:
        return False
    return any(nearly_same((claim.unit, claim.value), (held.unit, one)) for one in _ends(held))


def _ends(figure: Figure) -> tuple[float, ...]:
    return figure.values if figure.upto is None else (*figure.values, figure.upto)


def _code_near(claim: Figure, held: Figure) -> bool:
    if claim.values and held.values:
        if any(same(one, other) for one in claim.values for other in held.values):
            return True
        if claim.text.endswith("s") and held.kind is Kind.YEAR:  # the 1960s hold 1964
            return claim.value <= held.value < claim.value + 10
    return claim.text.casefold() == held.text.casefold()


def _date_fits(claim: tuple[Day, ...], held: tuple[Day, ...]) -> bool:
    """Everything that the claim says of a date is held; the source may say more."""
    return any(_within(one, other) for one in claim for other in held)


def _within(one: Day, other: Day) -> bool:
    return all(part in (0, there) for part, there in zip(one, other, strict=True))


def _date_near(claim: Figure, held: Figure) -> bool:
    """Dates that do not gainsay each other; a year alone is near each of its days."""
    if claim.days and held.days:
        return any(_agree(one, other) for one in claim.days for other in held.days)
    if held.kind is Kind.DATE and claim.kind in (Kind.YEAR, Kind.FISCAL):
        return any(claim.value == day[0] for day in held.days)
    return False


def _agree(one: Day, other: Day) -> bool:
    parts = list(zip(one, other, strict=True))
    return all(0 in pair or pair[0] == pair[1] for pair in parts) and any(all(p) for p in parts)
