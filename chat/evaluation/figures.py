"""Figures with the interval in which the true value lies, 95 times of 100. Pure.

A share has a Wilson interval; any other figure one from resampled rows, with a fixed seed, so that
the same rows always give the same interval.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Z = 1.959964  # of a normal distribution, both tails of 2.5 %
ROUNDS = 400
SEED = 20261129

Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Figure:
    """A value over `n` rows, and the ends of its interval."""

    value: float
    low: float
    high: float
    n: int

    @property
    def interval(self) -> str:
        return "" if self.low == self.high == self.value else f"{self.low:.3f}-{self.high:.3f}"


def share(hits: Sequence[Any] | NDArray[Any]) -> Figure:
    """The share that is true, with its Wilson interval; 0 of nothing, which can be anything."""
    n, right = len(hits), sum(map(bool, hits))
    if not n:
        return Figure(0.0, 0.0, 1.0, 0)
    part, spread = right / n, Z * Z / n
    middle = (part + spread / 2) / (1 + spread)
    half = Z * float(np.sqrt(part * (1 - part) / n + spread / (4 * n))) / (1 + spread)
    return Figure(part, max(0.0, middle - half), min(1.0, middle + half), n)


def resampled(figure: Callable[[Places], float], n: int) -> Figure:
    """`figure` of all rows, and its spread over rows drawn with replacement.

    `figure` takes the places of the rows. A draw for which it raises ValueError is left out.
    """
    chance = np.random.default_rng(SEED)
    drawn = []
    for _ in range(ROUNDS):
        try:
            drawn.append(figure(chance.integers(0, n, n)))
        except ValueError:
            continue
    value = figure(np.arange(n))
    low, high = np.quantile(drawn, (0.025, 0.975)) if drawn else (value, value)
    return Figure(value, float(low), float(high), n)


def macro_f1(said: Sequence[str], true: Sequence[str]) -> float:
    """The mean of F1 over the labels that are true of any row. Raises ValueError without rows."""
    return float(np.mean([_f1(label, said, true) for label in sorted(set(true))]))


def mcc(said: Sequence[str], true: Sequence[str]) -> float:
    """Matthews' correlation over any number of labels, -1 to 1; 0 where it is not defined.

    Unlike a share of right answers it cannot be had by saying the largest class alone.
    """
    labels = sorted({*said, *true})
    counts = [(said.count(label), true.count(label)) for label in labels]
    n, right = len(true), sum(a == b for a, b in zip(said, true, strict=True))
    covered = right * n - sum(p * t for p, t in counts)
    spread = (n * n - sum(p * p for p, _ in counts)) * (n * n - sum(t * t for _, t in counts))
    return float(covered / np.sqrt(spread)) if spread else 0.0


def _f1(label: str, said: Sequence[str], true: Sequence[str]) -> float:
    both = sum(a == b == label for a, b in zip(said, true, strict=True))
    return 2 * both / (said.count(label) + true.count(label))
