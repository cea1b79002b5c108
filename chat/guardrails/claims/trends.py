"""Is an unheld figure a guess along a series, or is its matter in no source at all?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chat.contracts.verdicts import Basis
from chat.guardrails.claims.figures import Figure, Kind
from chat.guardrails.claims.sources import Sources, Statement, starts_of
from chat.guardrails.claims.support import Claim
from chat.guardrails.claims.words import read

FEWEST = 2  # figures that make a series
_SERIES = (Kind.NUMBER, Kind.MONEY, Kind.PERCENT)
_WHEN = (Kind.YEAR, Kind.FISCAL, Kind.DATE)
_STEPS = 2  # steps beyond its end to which a trend is followed
_OFF = 0.5  # of a step, by which a guess may miss the trend
_NEAR = 1 / 3  # of a claim's words that the sources must hold for it to be their matter


def basis_of(claim: Claim, figure: Figure, sources: Sources) -> Basis:
    """What a figure that no source holds, and that follows from none, seems to rest on."""
    if figure.kind in _SERIES and figure.values and _on_a_series(claim, figure, sources):
        return Basis.INTERPOLATION
    return Basis.NONE if is_near(claim, sources) else Basis.GENERAL_KNOWLEDGE


def is_near(claim: Claim, sources: Sources) -> bool:
    """Do the sources speak of what the claim speaks of?"""
    words = frozenset(claim.said.content)
    held = sum(
        sources.holds_word(word[: max(3, len(word) - 1)]) for word in words if word[0] != "="
    )
    held += sum(word[0] == "=" for word in words)
    return bool(sources.each) and held >= _NEAR * len(words)


def _on_a_series(claim: Claim, figure: Figure, sources: Sources) -> bool:
    return any(_between_or_next(figure, values) for values in _series(claim, figure, sources))


def _series(claim: Claim, figure: Figure, sources: Sources) -> Iterator[list[float]]:
    """Values of one measure at several times: a row under years, or sentences that name years."""
    words = frozenset(claim.said.content)
    dated: list[tuple[float, float]] = []
    starts = starts_of(words)
    for statement in sources.statements:
        if not statement.counts:
            continue
        if statement.row is not None:
            label = frozenset(read(statement.row.label, sources.groups).content)
            if label and label <= words and _has_years(statement):
                yield [one.value for one in statement.row.figures if _like(one, figure)]
        elif statement.may_share(starts) and len(words & statement.stems) >= len(words) / 2:
            dated += _dated(statement, figure)
    yield [value for _, value in sorted(dated)]


def _has_years(statement: Statement) -> bool:
    row = statement.row
    if row is None:
        return False
    from_headers = [
        cell.header for cell in row.cells if any(sign.isdigit() for sign in cell.header)
    ]
    return len(from_headers) >= FEWEST


def _dated(statement: Statement, figure: Figure) -> Iterator[tuple[float, float]]:
    """The figure of a sentence with its year, where each has one."""
    values = [one for one in statement.figures if _like(one, figure)]
    when = [one for one in statement.figures if one.kind in _WHEN]
    if len(values) == len(when):
        for value, date in zip(values, when, strict=True):
            yield (date.value or float(date.days[0][0] if date.days else 0)), value.value


def _like(one: Figure, other: Figure) -> bool:
    return one.kind is other.kind and one.unit == other.unit and bool(one.values)


def _between_or_next(figure: Figure, values: Sequence[float]) -> bool:
    """Between the least and the greatest value, or a step or two further on."""
    if len(values) < FEWEST:
        return False
    if min(values) < figure.value < max(values):
        return True
    step = (values[-1] - values[0]) / (len(values) - 1)
    ends = [values[-1] + step * ahead for ahead in range(1, _STEPS + 1)]
    ends += [values[0] - step * ahead for ahead in range(1, _STEPS + 1)]
    return any(abs(figure.value - end) <= _OFF * abs(step) for end in ends)
