"""Weighted by 1 / chance, what is drawn says of all turns what is so, whatever the strata are.

Populations are made by a fixed seed. Each is drawn many times over, with new ids each time, as if
the same turns had come with other ids; the mean of the estimates is held against the truth.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from uuid import UUID

import pytest

from admin_tracing.sampling.chances import SHADOW, Rates, is_drawn
from admin_tracing.sampling.strata import Stratum
from admin_tracing.stats.weighted import hajek
from config.variables import SAMPLE_RATES

RATES = Rates(0.05, SAMPLE_RATES)
DRAWS = 40
OFTEN = {Stratum.REST: 30, Stratum.OFF_TOPIC: 6, Stratum.JUDGED_BAD: 2}


@dataclass(frozen=True, slots=True)
class Asked:
    """A turn: its stratum, and whether a person would say yes of it."""

    stratum: Stratum
    is_so: bool


def population(seed: int, size: int = 800) -> list[Asked]:
    """Strata of unlike size, in each of which another share is so."""
    dice = random.Random(seed)
    shares = {stratum: dice.random() for stratum in Stratum}
    strata = dice.choices(list(Stratum), [OFTEN.get(each, 1) for each in Stratum], k=size)
    return [Asked(each, dice.random() < shares[each]) for each in strata]


def draws(turns: Sequence[Asked], seed: int) -> list[list[Asked]]:
    dice = random.Random(seed)
    return [
        [
            turn
            for turn in turns
            if is_drawn(UUID(int=dice.getrandbits(128), version=4), RATES.of(turn.stratum))
        ]
        for _ in range(DRAWS)
    ]


def weight(turn: Asked) -> float:
    return 1.0 / RATES.of(turn.stratum)


def is_near(estimates: Sequence[float], truth: float, *, slack: float = 0.0) -> bool:
    """The mean lies within four of its own standard errors."""
    error = stdev(estimates) / len(estimates) ** 0.5
    return abs(fmean(estimates) - truth) < 4 * error + slack


@pytest.mark.parametrize("seed", range(3))
def test_the_weights_of_what_is_drawn_add_up_to_all_turns(seed: int) -> None:
    turns = population(seed)
    totals = [sum(map(weight, drawn)) for drawn in draws(turns, seed + 100)]
    assert is_near(totals, len(turns))


@pytest.mark.parametrize("seed", range(3))
def test_the_weighted_count_is_the_true_count(seed: int) -> None:
    turns = population(seed)
    found = [sum(weight(t) for t in drawn if t.is_so) for drawn in draws(turns, seed + 200)]
    assert is_near(found, sum(turn.is_so for turn in turns))


@pytest.mark.parametrize("seed", range(3))
def test_the_weighted_share_is_the_true_share(seed: int) -> None:
    turns = population(seed)
    truth = fmean(turn.is_so for turn in turns)
    shares = [
        hajek([(turn.is_so, weight(turn)) for turn in drawn]).value
        for drawn in draws(turns, seed + 300)
    ]
    assert is_near(shares, truth, slack=0.003)  # a ratio is right for many, and nearly for few


def test_without_weights_the_share_would_be_another() -> None:
    turns = [Asked(Stratum.JUDGED_BAD, is_so=False)] * 100 + [Asked(Stratum.REST, is_so=True)] * 900
    drawn = draws(turns, 1)
    plain = [fmean(turn.is_so for turn in each) for each in drawn]
    assert fmean(plain) < 0.5
    assert is_near([hajek([(t.is_so, weight(t)) for t in each]).value for each in drawn], 0.9)


def test_a_second_draw_among_the_drawn_is_right_with_the_product_of_the_chances() -> None:
    dice, share, rate = random.Random(3), 0.5, RATES.of(Stratum.OFF_TOPIC)
    totals = []
    for _ in range(DRAWS):
        turns = [UUID(int=dice.getrandbits(128), version=4) for _ in range(800)]
        both = [t for t in turns if is_drawn(t, rate) and is_drawn(t, share, SHADOW)]
        totals.append(len(both) / (rate * share))
    assert is_near(totals, 800)
