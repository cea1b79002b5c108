"""The topic check's break-even, in calls and in money. Pure.

In calls by what such a loop takes here; in money by what the check's own calls cost.
"""

from __future__ import annotations

from dataclasses import dataclass

from admin_tracing.break_even import FEWEST, TopicFigures
from admin_tracing.running.window import Amount, Amounts
from admin_tracing.stats.estimate import Estimate
from admin_tracing.stats.intervals import share

PURPOSES = ("topic", "classify_topic")
"""What the check's calls are named, by the adapter that makes them."""


@dataclass(frozen=True, slots=True)
class BreakEven:
    """`figures` count turns and calls. `check` is what a check costs, `loop` what a loop does that
    finds nothing without its check: US dollars, None where no price is known.
    """

    figures: TopicFigures
    check: float | None
    loop: float | None

    @property
    def share(self) -> Estimate:
        return share(self.figures.off_topic, self.figures.asked)

    @property
    def in_money(self) -> float | None:
        """The share of off-topic questions above which it pays in money; 1: it never does."""
        if self.figures.asked < FEWEST or not self.check or self.loop is None:
            return None
        return min(1.0, self.check / self.loop) if self.loop > 0 else 1.0

    @property
    def pays_in_money(self) -> bool:
        return self.in_money is not None and self.figures.share > self.in_money

    @property
    def saved(self) -> float | None:
        """US dollars that it saved in these days, less what it cost."""
        if self.check is None or self.loop is None:
            return None
        return self.figures.off_topic * self.loop - self.figures.asked * self.check

    @property
    def lost(self) -> float | None:
        """The same where it cost more than it saved."""
        return None if self.saved is None else -self.saved


def break_even(figures: TopicFigures, costs: Amounts) -> BreakEven:
    """From turns, and from the cost by purpose of the same days."""
    calls = Amount()
    for purpose in PURPOSES:
        if purpose in costs:
            calls.add(costs[purpose].n, costs[purpose].total, costs[purpose].of)
    priced = calls.n - calls.of["unknown"]
    if not priced or not calls.total or figures.cost is None:
        return BreakEven(figures, None, None)
    check = round(calls.total / priced, 9)  # so that a tenth of a cent is not a hair less
    return BreakEven(figures, check, max(0.0, float(figures.cost) - check))
