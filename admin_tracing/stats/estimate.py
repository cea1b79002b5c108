"""An estimate with what it is worth, and the rule by which too few say nothing. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import floor

FEWEST = 10
"""Cases below which no figure is said. An interval of ten already spans half of everything."""

_TINY = 1e-9


def percent(share: float) -> str:
    """A share as `87.5 %`."""
    return f"{share * 100:.1f} %"


def too_few(n: int, n_effective: float) -> str:
    """What is said instead of a figure; empty where there are enough.

    Cases that were drawn with unlike chances say as little as `n_effective` of like ones.
    """
    if n < FEWEST:
        return f"n = {n:,}, too few to say"
    if n_effective < FEWEST - _TINY:
        # Cut, not rounded: 9.96 is below ten, and is not to be read as ten.
        return f"n = {n:,} with the weight of {floor(n_effective * 10) / 10:.1f}, too few to say"
    return ""


@dataclass(frozen=True, slots=True)
class Estimate:
    """`value` lies between `low` and `high` in 95 of 100 cases like this.

    `n` cases say so, with the weight of `n_effective`, which is at most `n`. Of no case at all
    the value is 0 and the interval everything.
    """

    value: float
    low: float
    high: float
    n: int
    n_effective: float

    @property
    def too_few(self) -> str:
        return too_few(self.n, self.n_effective)

    def said(self, form: Callable[[float], str] = percent) -> str:
        """The value in words, or that there are too few."""
        return self.too_few or form(self.value)

    def interval(self, form: Callable[[float], str] = percent) -> str:
        """`71.2 % to 93.0 %`; empty where there are too few."""
        return "" if self.too_few else f"{form(self.low)} to {form(self.high)}"


NOTHING = Estimate(0.0, 0.0, 1.0, 0, 0.0)
