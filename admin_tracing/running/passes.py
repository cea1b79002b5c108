"""What further passes bring, and what a question costs that one of them rescued. Pure.

A pass rescues its question when nothing had been accepted before it, it lets something in, and
the turn ends in an answer. What it took are the calls between the grading before it and its own.
"""

from __future__ import annotations

from dataclasses import dataclass

from admin_tracing.running.ends import LEAST_A_DAY, Values
from admin_tracing.running.window import Amount, Amounts, Window
from admin_tracing.stats.estimate import Estimate, too_few
from admin_tracing.stats.intervals import share

NOTHING = Amount()
BRINGS = (
    ("evidence", "New evidence accepted"),
    ("coverage", "More of the question covered"),
    ("cited", "Its evidence cited in the answer"),
    ("rescued", "Rescued: nothing before, an answer after"),
)


@dataclass(frozen=True, slots=True)
class Pass:
    """What the passes of one number brought: shares in the order of `BRINGS`, and their price."""

    number: int
    n: int
    brought: tuple[Estimate, ...]
    calls: int
    cost: float
    unknown: int

    @property
    def calls_each(self) -> float:
        return self.calls / self.n if self.n else 0.0

    @property
    def too_few(self) -> str:
        return too_few(self.n, self.n)


@dataclass(frozen=True, slots=True)
class Rescue:
    """Turns with further passes that one of these rescued, and what they all took for each of them.

    `calls` and `cost` (US dollars) are a rescued answer; None without any.
    """

    of: Estimate
    rescued: int
    calls: float | None
    cost: float | None
    is_unknown: bool
    values: Values

    @property
    def too_few(self) -> str:
        """A mean of few rescued answers says as little as a share of few."""
        return too_few(self.rescued, self.rescued)


def passes(amounts: Amounts) -> list[Pass]:
    """A line a number, from the second pass on."""
    numbers = {int(key.partition(" ")[0]) for key in amounts}
    return [_pass(number, amounts) for number in sorted(numbers)]


def rescue(seen: Window) -> Rescue:
    """Of turns: one pass of a turn at most rescues it, so passes are no cases of their own."""
    lines = passes(seen.of("pass"))
    rescued, n = _rescued(seen.of("pass"))
    calls, cost = sum(line.calls for line in lines), sum(line.cost for line in lines)
    unknown = sum(line.unknown for line in lines)
    daily = (_rescued(seen.on(day, "pass")) for day in seen.span)
    return Rescue(
        share(rescued, n),
        rescued,
        calls / rescued if rescued else None,
        cost / rescued if rescued else None,
        unknown == calls > 0 and cost == 0,
        tuple(hits / of if of >= LEAST_A_DAY else None for hits, of in daily),
    )


def _pass(number: int, amounts: Amounts) -> Pass:
    brought = tuple(
        share(round(amount.total), amount.n)
        for amount in (amounts.get(f"{number} {what}", NOTHING) for what, _ in BRINGS)
    )
    took = amounts.get(f"{number} calls", NOTHING)
    n = amounts.get(f"{number} rescued", NOTHING).n
    return Pass(number, n, brought, took.n, took.total, took.of["unknown"])


def _rescued(amounts: Amounts) -> tuple[int, int]:
    """Rescued turns, and all with further passes: each of them has a second one."""
    hits = sum(amount.total for key, amount in amounts.items() if key.endswith(" rescued"))
    return round(hits), amounts.get("2 rescued", NOTHING).n
