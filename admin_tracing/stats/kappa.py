"""Agreement beyond chance: Cohen's kappa of two, Fleiss' of any number of people. Pure.

Where everybody says the same of everything, chance explains all of it, and kappa says nothing;
that is told instead of a number.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, sqrt

from admin_tracing.stats.estimate import too_few
from admin_tracing.stats.intervals import Z, wilson
from admin_tracing.stats.weighted import kish

ONE_CLASS = "all say the same, so chance explains it"

Table = Mapping[tuple[Hashable, Hashable], float]
"""How often one said the first while the other said the second."""

Said = tuple[Hashable, Hashable, float, Hashable]
"""One case: what either said, its weight, above 0, and the group that it belongs to."""


@dataclass(frozen=True, slots=True)
class Kappa:
    """1 is full agreement, 0 what chance alone gives. None where it is not defined, and `why`."""

    value: float | None
    low: float
    high: float
    error: float
    n: int
    n_effective: float
    why: str = ""

    def said(self) -> str:
        """`0.62`, or why there is no number."""
        if few := too_few(self.n, self.n_effective):
            return few
        return self.why if self.value is None else f"{self.value:.2f}"

    @property
    def has_number(self) -> bool:
        return self.value is not None and not too_few(self.n, self.n_effective)


def cohen(table: Table, *, n: int | None = None, n_effective: float | None = None) -> Kappa:
    """Of two that said something of the same cases, with the error of Fleiss, Cohen and Everitt.

    Cells may be weights; then `n` says how many cases there were and `n_effective` what they are
    worth. Raises `ValueError` for a cell below 0.
    """
    if any(cell < 0 for cell in table.values()):
        raise ValueError("A cell counts cases, so it is not below 0.")
    whole = fsum(table.values())
    cases = round(whole) if n is None else n
    worth = whole if n_effective is None else n_effective
    if whole == 0:
        return _undefined(cases, worth, "")
    parts = {cell: count / whole for cell, count in table.items() if count}
    rows, columns = _sums(parts, 0), _sums(parts, 1)
    seen = fsum(part for (a, b), part in parts.items() if a == b)
    chance = fsum(rows[name] * columns.get(name, 0.0) for name in rows)
    if 1 - chance < 1e-12:
        return _undefined(cases, worth, ONE_CLASS)
    value = (seen - chance) / (1 - chance)
    error = _error(parts, rows, columns, seen, chance, worth)
    return Kappa(value, *_interval(value, error, (seen, chance), worth), error, cases, worth)


def cohen_grouped(cases: Iterable[Said]) -> Kappa:
    """The same of weighted cases that come in groups, such as the claims of one turn.

    Cases of a group are alike, so the interval is as wide as the groups make it, not the cases.
    """
    given = list(cases)
    table: defaultdict[tuple[Hashable, Hashable], float] = defaultdict(float)
    for one, other, weight, _ in given:
        table[one, other] += weight
    return cohen(table, n=len(given), n_effective=_worth(given, table))


def fleiss(cases: Sequence[Mapping[Hashable, int]], order: Sequence[Hashable] = ()) -> Kappa:
    """Of people who need not be the same ones each time; a case is how many said what.

    With an `order` of the answers, those that are near count in part as agreement: of three, two
    neighbours half (linear weights; Gwet, Handbook of Inter-Rater Reliability, on Fleiss' kappa).
    Cases with fewer than two people are left out. The error is how far the value moves as each
    case is left out in turn (jackknife), so that it holds away from chance as well.
    """
    like = _by_distance(order) if order else _same
    told = [case for case in cases if sum(case.values()) > 1]
    n = len(told)
    if n == 0:
        return _undefined(0, 0.0, "")
    agreed = [_agreed(case, like) for case in told]
    classes = sum((Counter(case) for case in told), Counter[Hashable]())
    value = _fleiss(fsum(agreed), n, classes, like)
    if value is None:
        return _undefined(n, float(n), ONE_CLASS)
    error = _jackknife(told, agreed, classes, value, like)
    seen = fsum(agreed) / n
    ends = _interval(value, error, (seen, _chance(classes, like)), float(n))
    return Kappa(value, *ends, error, n, float(n))


Like = Callable[[Hashable, Hashable], float]
"""How far two answers agree: 1 for the same, 0 for those that are furthest apart."""


def _same(one: Hashable, other: Hashable) -> float:
    return float(one == other)


def _by_distance(order: Sequence[Hashable]) -> Like:
    places = {name: place for place, name in enumerate(order)}
    steps = max(1, len(order) - 1)
    return lambda one, other: 1.0 - abs(places[one] - places[other]) / steps


def _error(
    parts: Table,
    rows: Mapping[Hashable, float],
    columns: Mapping[Hashable, float],
    seen: float,
    chance: float,
    n: float,
) -> float:
    """Large-sample standard error: Fleiss, Cohen and Everitt, Psychological Bulletin 72 (1969)."""
    kappa = (seen - chance) / (1 - chance)
    same = fsum(
        part * (1 - (rows[a] + columns[a]) * (1 - kappa)) ** 2
        for (a, b), part in parts.items()
        if a == b
    )
    other = (1 - kappa) ** 2 * fsum(
        part * (columns.get(a, 0.0) + rows.get(b, 0.0)) ** 2
        for (a, b), part in parts.items()
        if a != b
    )
    left = (kappa - chance * (1 - kappa)) ** 2
    return sqrt(max(0.0, same + other - left) / n) / (1 - chance)


def _worth(given: Sequence[Said], table: Table) -> float:
    """The cases of like weight that would be as sure, as `weighted.effective_n` has it: the least
    by weights and by how far kappa moves with each case, and with the cases of each group."""
    if not given:
        return 0.0
    n, plain = kish([weight for *_, weight, _ in given]), cohen(table, n_effective=1.0)
    groups: defaultdict[Hashable, float] = defaultdict(float)
    for *_, weight, group in given:
        groups[group] += weight
    if plain.value is None or plain.error < 1e-9:
        return min(n, kish(list(groups.values())))
    moves = _moves(table, plain.value)
    moved: defaultdict[Hashable, float] = defaultdict(float)
    alone = 0.0
    for one, other, weight, group in given:
        alone += (weight * moves[one, other]) ** 2
        moved[group] += weight * moves[one, other]
    spread = max(alone, fsum(part * part for part in moved.values()))
    return min(n, plain.error**2 / spread) if spread > 0 else n


def _moves(table: Table, kappa: float) -> dict[tuple[Hashable, Hashable], float]:
    """How far a case of each cell moves kappa, for its part of all weights (linearised)."""
    whole = fsum(table.values())
    parts = {cell: count / whole for cell, count in table.items()}
    rows, columns = _sums(parts, 0), _sums(parts, 1)
    chance = fsum(rows[name] * columns.get(name, 0.0) for name in rows)
    seen = kappa * (1 - chance) + chance
    found = {}
    for a, b in parts:
        by_chance = columns.get(a, 0.0) + rows.get(b, 0.0) - 2 * chance
        step = ((a == b) - seen) - (1 - kappa) * by_chance
        found[a, b] = step / (1 - chance) / whole
    return found


def _jackknife(
    told: Sequence[Mapping[Hashable, int]],
    agreed: Sequence[float],
    classes: Counter[Hashable],
    value: float,
    like: Like,
) -> float:
    n, whole = len(told), fsum(agreed)
    if n < 2:
        return 0.0
    without = []
    for case, part in zip(told, agreed, strict=True):
        rest = {name: count - case.get(name, 0) for name, count in classes.items()}
        left = _fleiss(whole - part, n - 1, rest, like)
        without.append(value if left is None else left)
    mean = fsum(without) / n
    return sqrt((n - 1) / n * fsum((one - mean) ** 2 for one in without))


def _fleiss(agreed: float, n: int, classes: Mapping[Hashable, int], like: Like) -> float | None:
    chance = _chance(classes, like)
    if 1 - chance < 1e-12:
        return None
    return (agreed / n - chance) / (1 - chance)


def _chance(classes: Mapping[Hashable, int], like: Like) -> float:
    """How far two people would agree if they said it blindly, as often as was said."""
    said = sum(classes.values())
    return fsum(
        like(one, other) * (n / said) * (m / said)
        for one, n in classes.items()
        for other, m in classes.items()
    )


def _agreed(case: Mapping[Hashable, int], like: Like) -> float:
    """How far its pairs of people agree, in the mean."""
    people = sum(case.values())
    pairs = fsum(
        like(one, other) * n * (m - (one == other))
        for one, n in case.items()
        for other, m in case.items()
    )
    return pairs / (people * (people - 1))


def _sums(parts: Table, place: int) -> dict[Hashable, float]:
    found: dict[Hashable, float] = {}
    for cell, part in parts.items():
        found[cell[place]] = found.get(cell[place], 0.0) + part
    return found


def _interval(
    value: float, error: float, agreement: tuple[float, float], n: float
) -> tuple[float, float]:
    """Where kappa lies. Without any error (all agree) as far as what was seen may be by Wilson."""
    seen, chance = agreement
    if error < 1e-9:
        ends = wilson(min(1.0, max(0.0, seen)), n)
        low, high = ((end - chance) / (1 - chance) for end in ends)
        return max(-1.0, min(low, value)), min(1.0, max(high, value))
    return max(-1.0, value - Z * error), min(1.0, value + Z * error)


def _undefined(n: int, worth: float, why: str) -> Kappa:
    return Kappa(None, -1.0, 1.0, 0.0, n, worth, why or "nobody said anything")
