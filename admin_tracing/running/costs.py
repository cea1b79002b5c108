"""Where the money goes: by purpose, by class of tokens, and to which questions. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from admin_tracing.running.window import Amount, Amounts, Window
from admin_tracing.stats.estimate import FEWEST, too_few

NOTHING = Amount()
MOST = 20  # clusters that are shown

NO_SECTION = "nothing"
"""How the list's filter names turns whose first pass found no section. No key looks like it."""


@dataclass(frozen=True, slots=True)
class Purpose:
    """What the calls for one purpose cost, in US dollars. `unknown` calls have no known price."""

    name: str
    calls: int
    cost: float
    unknown: int
    turns: int
    whole: float

    @property
    def share(self) -> float | None:
        """Of all known cost; None where nothing is known to have cost anything."""
        return self.cost / self.whole if self.whole > 0 else None

    @property
    def a_turn(self) -> float:
        return self.cost / self.turns if self.turns else 0.0

    @property
    def calls_a_turn(self) -> float:
        return self.calls / self.turns if self.turns else 0.0

    @property
    def is_unknown(self) -> bool:
        """No call has a known price: a cost of 0 would be a lie."""
        return self.unknown == self.calls > 0


def purposes(seen: Window) -> list[Purpose]:
    """The dearest first; those without a price by their calls."""
    amounts, turns = seen.of("cost"), seen.turns
    whole = sum(amount.total for amount in amounts.values())
    lines = [
        Purpose(key, amount.n, amount.total, amount.of["unknown"], turns, whole)
        for key, amount in amounts.items()
    ]
    return sorted(lines, key=lambda line: (-line.cost, -line.calls, line.name))


@dataclass(frozen=True, slots=True)
class TokenClass:
    name: str
    tokens: int
    calls: int
    share: float


def tokens(amounts: Amounts) -> list[TokenClass]:
    """The classes add up to what the endpoint counted; the largest first."""
    whole = sum(amount.total for amount in amounts.values()) or 1.0
    lines = [
        TokenClass(key, int(amount.total), amount.n, amount.total / whole)
        for key, amount in amounts.items()
    ]
    return sorted(lines, key=lambda line: (-line.tokens, line.name))


@dataclass(frozen=True, slots=True)
class Loops:
    """Turns with further passes against those with one. Costs are in US dollars.

    `whole` is the cost of all turns, of which `share` is the part of the deep ones.
    """

    deep: Amount
    shallow: Amount
    whole: float

    @property
    def share(self) -> float | None:
        return self.deep.total / self.whole if self.whole > 0 else None

    @property
    def times(self) -> float | None:
        """How many times a shallow turn's cost; None where one of the means is of too few."""
        if min(self.deep.n, self.shallow.n) < FEWEST or self.shallow.mean <= 0:
            return None
        return self.deep.mean / self.shallow.mean

    @property
    def is_unknown(self) -> bool:
        return self.deep.of["unknown"] == self.deep.n and self.deep.total == 0

    @property
    def too_few(self) -> str:
        return too_few(self.deep.n, self.deep.n)

    @property
    def shallow_too_few(self) -> str:
        return too_few(self.shallow.n, self.shallow.n)


@dataclass(frozen=True, slots=True)
class Loop(Loops):
    """Those whose first pass found this section first; empty where it found none."""

    section: str = ""
    title: str = ""

    @property
    def passes(self) -> float:
        return self.deep.of["passes"] / self.deep.n

    @property
    def named(self) -> str:
        """As the list's filter has it."""
        return self.section or NO_SECTION


@dataclass(frozen=True, slots=True)
class Clusters(Loops):
    """All of them together, and the dearest of them."""

    top: tuple[Loop, ...] = ()
    others: int = 0


def loops(seen: Window, titles: Mapping[str, str] | None = None) -> Clusters:
    """Clusters by what their deep turns cost in all, the dearest first."""
    deep, shallow = seen.of("loop"), seen.of("flat")
    whole = sum(amount.total for amount in seen.of("turn").values())
    found = [
        Loop(amount, shallow.get(key, NOTHING), whole, key, (titles or {}).get(key, ""))
        for key, amount in deep.items()
    ]
    found.sort(key=lambda loop: (-loop.deep.total, -loop.deep.of["passes"], loop.section))
    top = tuple(found[:MOST])
    return Clusters(_sum(deep), _sum(shallow), whole, top, len(found) - len(top))


def _sum(amounts: Amounts) -> Amount:
    whole = Amount()
    for amount in amounts.values():
        whole.add(amount.n, amount.total, amount.of)
    return whole
