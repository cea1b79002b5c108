"""Did a figure change, and where: two tests that say when they cannot tell. Pure.

At a known moment (a version changed) the turns before it are held against those after it. Without
one, a CUSUM looks for the day from which the figure stays on one side of where it began.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from math import sqrt

FEWEST = 30  # turns on each side below which nothing is said
FEWEST_HITS = 5  # of the rarer kind over both sides, below which a share says nothing
SURE = 3.0  # standard errors; chance alone gets there once in 370 times

FEWEST_DAYS = 10  # days with turns that a CUSUM needs
BASE_DAYS = 7  # of which the first are the beginning that others are held against
SLACK = 0.5  # standard errors a day that are let be
ALARM = 6.0  # standard errors that add up to an alarm


@dataclass(frozen=True, slots=True)
class Sample:
    """Values of `n` turns by their sum and the sum of their squares.

    Of a share each value is 0 or 1, so both sums are the number of ones.
    """

    n: int = 0
    total: float = 0.0
    squares: float = 0.0

    @classmethod
    def share(cls, hits: int, n: int) -> Sample:
        return cls(n, hits, hits)

    def __add__(self, other: Sample) -> Sample:
        return Sample(self.n + other.n, self.total + other.total, self.squares + other.squares)

    @property
    def mean(self) -> float | None:
        """None of nothing."""
        return self.total / self.n if self.n else None

    @property
    def variance(self) -> float:
        """Of single values; 0 below two of them."""
        if self.n < 2:
            return 0.0
        spread = self.squares - self.total**2 / self.n
        return max(spread, 0.0) / (self.n - 1)


@dataclass(frozen=True, slots=True)
class Change:
    """What a test says. `z` is the difference in standard errors, None where it cannot tell."""

    before: Sample
    after: Sample
    z: float | None
    too_few: str = ""

    @property
    def is_sure(self) -> bool:
        return self.z is not None and abs(self.z) >= SURE


@dataclass(frozen=True, slots=True)
class Shift:
    """The day from which a figure stayed higher, or lower, than it began; when it was noticed."""

    since: date
    noticed: date
    is_up: bool


def between(before: Sample, after: Sample, *, is_share: bool) -> Change:
    """The change at a known moment: two proportions, pooled; two means, each with its variance."""
    if why := _too_few(before, after, is_share):
        return Change(before, after, None, why)
    error = _pooled(before + after, before.n, after.n) if is_share else _welch(before, after)
    difference = _mean(after) - _mean(before)
    if error == 0.0:
        return Change(before, after, SURE * ((difference > 0) - (difference < 0)))
    return Change(before, after, difference / error)


def shift(days: Sequence[tuple[date, Sample]], *, is_share: bool) -> Shift | None | str:
    """The first lasting shift without a known moment; None without one; why if it cannot tell.

    Page's two-sided CUSUM over the days with turns, each in standard errors from those before it.
    """
    told = [(day, sample) for day, sample in days if sample.n]
    if len(told) < FEWEST_DAYS:
        unit = "day" if len(told) == 1 else "days"
        return f"{len(told)} {unit} with turns, too few to say"
    base = _sum([sample for _, sample in told[:BASE_DAYS]])
    if base.n < FEWEST:
        return f"n = {base.n} on the first {BASE_DAYS} days, too few to say"
    return _cusum(_scores(told[BASE_DAYS:], base, is_share))


def _scores(
    days: Sequence[tuple[date, Sample]], base: Sample, is_share: bool
) -> list[tuple[date, float]]:
    """Each day against all before it: a base that grows has no error of its own to add up."""
    scores: list[tuple[date, float]] = []
    for day, sample in days:
        error = _spread(base, is_share) * sqrt(1 / sample.n + 1 / base.n)
        scores.append((day, (_mean(sample) - _mean(base)) / error if error else 0.0))
        base += sample
    return scores


def _cusum(scores: Sequence[tuple[date, float]]) -> Shift | None:
    up = down = 0.0
    up_since = down_since = scores[0][0]
    for day, score in scores:
        if up == 0.0:
            up_since = day
        if down == 0.0:
            down_since = day
        up = max(0.0, up + score - SLACK)
        down = max(0.0, down - score - SLACK)
        if up > ALARM:
            return Shift(up_since, day, is_up=True)
        if down > ALARM:
            return Shift(down_since, day, is_up=False)
    return None


def _too_few(before: Sample, after: Sample, is_share: bool) -> str:
    least = min(before.n, after.n)
    if least < FEWEST:
        return f"n = {before.n:,} and {after.n:,}, too few to say"
    both = before + after
    rarer = min(both.total, both.n - both.total)
    if is_share and 0 < rarer < FEWEST_HITS:
        return f"{rarer:.0f} in n = {both.n:,}, too few to say"
    return ""


def _spread(sample: Sample, is_share: bool) -> float:
    """The standard deviation of single values. A share of none is taken for half a turn."""
    if not is_share:
        return sqrt(sample.variance)
    share = min(max(_mean(sample), 0.5 / sample.n), 1 - 0.5 / sample.n)
    return sqrt(share * (1 - share))


def _pooled(both: Sample, before: int, after: int) -> float:
    share = _mean(both)
    return sqrt(share * (1 - share) * (1 / before + 1 / after))


def _welch(before: Sample, after: Sample) -> float:
    return sqrt(before.variance / before.n + after.variance / after.n)


def _mean(sample: Sample) -> float:
    return sample.total / sample.n


def _sum(samples: Sequence[Sample]) -> Sample:
    return sum(samples, Sample())
