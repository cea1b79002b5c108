"""A share of all turns from those that were drawn, each with the weight 1 / its chance. Pure.

The estimate is Hájek's: weighted hits over weights. It is unbiased for large samples whatever the
chances were, as long as none was 0.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from math import fsum, isfinite

from admin_tracing.stats.estimate import NOTHING, Estimate
from admin_tracing.stats.intervals import wilson

Case = tuple[bool, float]
"""Did it hit, and its weight, above 0."""

Grouped = tuple[bool, float, Hashable]
"""The same, and the group that it belongs to."""


def hajek(cases: Iterable[Case]) -> Estimate:
    """The weighted share with its interval. Raises `ValueError` for a weight that is none.

    All weights alike give the plain share with the plain interval, exactly.
    """
    return hajek_grouped((hit, weight, place) for place, (hit, weight) in enumerate(cases))


def hajek_grouped(cases: Iterable[Grouped]) -> Estimate:
    """The same where cases come in groups, such as the claims of one turn: `n` counts cases.

    Cases of a group are alike, so they say less than as many of their own.
    """
    given = list(cases)
    if any(not isfinite(weight) or weight <= 0 for _, weight, _ in given):
        raise ValueError("A weight is a finite number above 0.")
    if not given:
        return NOTHING
    first = given[0][1]
    if all(weight == first for _, weight, _ in given):
        given = [(hit, 1.0, group) for hit, _, group in given]
    # Rounding must not carry a share of all beyond 1.
    value = min(1.0, fsum(w for hit, w, _ in given if hit) / fsum(w for _, w, _ in given))
    n = effective_n(given, value)
    return Estimate(value, *wilson(value, n), len(given), n)


def kish(weights: Sequence[float]) -> float:
    """How many cases of like weight say as much: the square of the sum over the sum of squares.

    Never more than there are; 0 of nothing.
    """
    if not weights:
        return 0.0
    largest = max(weights)
    parts = [weight / largest for weight in weights]
    return min(float(len(parts)), fsum(parts) ** 2 / fsum(part * part for part in parts))


def variance(cases: Iterable[Case], value: float) -> float:
    """Of the estimate, linearised: what each case's distance from it adds by its weight."""
    given = list(cases)
    whole = fsum(weight for _, weight in given)
    return fsum(((weight / whole) * (hit - value)) ** 2 for hit, weight in given)


def effective_n(cases: Sequence[Grouped], value: float) -> float:
    """The cases of like weight that would be as sure: by Kish, by the variance, by the groups.

    The smallest of them: where few light cases alone differ, the variance sees nothing of what the
    heavy ones may still hide, and where none differs, only the groups are known to be apart.
    """
    n = kish([weight for _, weight, _ in cases])
    alone = variance(((hit, weight) for hit, weight, _ in cases), value)
    if len({group for _, _, group in cases}) == len(cases):
        return min(n, value * (1 - value) / alone) if alone > 0 else n
    spread = max(alone, _of_groups(cases, value))
    if spread > 0:
        return min(n, value * (1 - value) / spread)
    return min(n, kish(list(_sums((group, weight) for _, weight, group in cases).values())))


def _of_groups(cases: Sequence[Grouped], value: float) -> float:
    """The variance where the cases of a group move together."""
    whole = fsum(weight for _, weight, _ in cases)
    parts = _sums((group, (weight / whole) * (hit - value)) for hit, weight, group in cases)
    return fsum(part * part for part in parts.values())


def _sums(parts: Iterable[tuple[Hashable, float]]) -> dict[Hashable, float]:
    found: dict[Hashable, list[float]] = defaultdict(list)
    for group, part in parts:
        found[group].append(part)
    return {group: fsum(several) for group, several in found.items()}
