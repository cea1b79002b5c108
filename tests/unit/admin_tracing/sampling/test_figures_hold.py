"""A made-up site whose truth is known: the figures of what is drawn and labelled hold it.

Turns of several strata, each with what a person would say of it, are drawn over and over by the
site's own chances (that `is_drawn` keeps to them stands in `test_unbiased`). People label a part of
what is drawn, more of some strata than of others, cannot tell of some and part on some. The truth
has to lie in the intervals at least 95 times of 100, and the mean of the estimates on the truth.
It does so somewhat more often: the intervals are those of the questions that people may ask, of
which the turns of these days are a sample already.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from statistics import fmean, stdev
from uuid import UUID

import pytest

from admin_tracing.labelled.figures import Is, estimate
from admin_tracing.labelled.grounded import is_held
from admin_tracing.labelled.rejections import is_wrong
from admin_tracing.labelled.routing import is_right
from admin_tracing.labelled.standing import Drawn, Facts, Labelled
from admin_tracing.queueing.agreement import of_field
from admin_tracing.sampling.chances import Rates
from admin_tracing.sampling.strata import Stratum
from admin_tracing.stats import Estimate
from config.variables import SAMPLE_RATES

DAY = date(2026, 11, 29)
TURNS, DRAWS = 1_500, 120
CHANCES = {stratum: Rates(0.05, SAMPLE_RATES).of(stratum) for stratum in Stratum}

# How often a stratum occurs, how often its way and its answer are right, how much of it is labelled
SITE: dict[Stratum, tuple[float, float, float, float]] = {
    Stratum.JUDGED_BAD: (0.04, 0.70, 0.25, 0.5),
    Stratum.LOW_CONFIDENCE: (0.05, 0.60, 0.50, 0.6),
    Stratum.OFF_TOPIC: (0.20, 0.85, 0.0, 0.8),
    Stratum.DIRECT: (0.10, 0.80, 0.0, 0.7),
    Stratum.NO_RESULTS: (0.11, 0.65, 0.0, 0.9),
    Stratum.REST: (0.50, 0.92, 0.93, 1.0),
}
TAKEN = {Stratum.OFF_TOPIC: "off_topic", Stratum.DIRECT: "direct"}
ANSWERED = (Stratum.JUDGED_BAD, Stratum.LOW_CONFIDENCE, Stratum.REST)
CANNOT_TELL, PARTED, CHECKED_TWICE = 0.05, 0.04, 0.15


@dataclass(frozen=True, slots=True)
class Asked:
    """A turn with what people would say of it, if they can tell."""

    stratum: Stratum
    way: str
    held: str
    can_tell: bool


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure: the strata that it is about, what is said of a turn, and what counts as a hit."""

    about: tuple[Stratum, ...]
    said: Callable[[Asked], str]
    other: str
    hits: Is


FIGURES = {
    "routing": Figure(tuple(SITE), lambda turn: turn.way, "clarify", is_right),
    "groundedness": Figure(ANSWERED, lambda turn: turn.held, "partly", is_held),
    "false rejections": Figure((Stratum.OFF_TOPIC,), lambda turn: turn.way, "clarify", is_wrong),
}


@cache
def site() -> tuple[Asked, ...]:
    dice = random.Random(11)
    strata = dice.choices(list(SITE), [each[0] for each in SITE.values()], k=TURNS)
    return tuple(_asked(stratum, dice) for stratum in strata)


def _asked(stratum: Stratum, dice: random.Random) -> Asked:
    _, right, held, _ = SITE[stratum]
    way = taken(stratum) if dice.random() < right else "iterative"
    return Asked(
        stratum, way, "yes" if dice.random() < held else "no", dice.random() >= CANNOT_TELL
    )


def taken(stratum: Stratum) -> str:
    return TAKEN.get(stratum, "single_shot")


def labelled(turn: Asked, key: UUID, said: Sequence[str]) -> Labelled:
    facts = Facts(
        *(key, DAY, 1, taken(turn.stratum), "", 1, "", "high", 0, 0),
        *(str(turn.stratum), CHANCES[turn.stratum]),
    )
    return Labelled(facts, tuple(said), of_field(said))


def one_draw(figure: Figure, dice: random.Random) -> Estimate:
    """Draw, label a part of it, and estimate."""
    rows: list[Labelled] = []
    drawn = dict.fromkeys(figure.about, 0)
    for place, turn in enumerate(site()):
        if turn.stratum not in drawn or dice.random() >= CHANCES[turn.stratum]:
            continue
        drawn[turn.stratum] += 1
        if dice.random() < SITE[turn.stratum][3]:
            rows.append(labelled(turn, UUID(int=place), words(figure, turn, dice)))
    cells = [
        Drawn(DAY, 1, str(stratum), n, n / CHANCES[stratum]) for stratum, n in drawn.items() if n
    ]
    return estimate(rows, cells, figure.hits)


def words(figure: Figure, turn: Asked, dice: random.Random) -> tuple[str, ...]:
    """What one or two people say: who cannot tell says so, and some part by chance."""
    said = figure.said(turn) if turn.can_tell else "cannot_tell"
    if dice.random() < PARTED and turn.can_tell:
        return said, figure.other
    return (said, said) if dice.random() < CHECKED_TWICE else (said,)


def truth(figure: Figure) -> float:
    """Of the turns of which people can tell."""
    about = [turn for turn in site() if turn.stratum in figure.about and turn.can_tell]
    rows = (labelled(turn, UUID(int=0), (figure.said(turn),)) for turn in about)
    return fmean(bool(figure.hits(row)) for row in rows)


@pytest.mark.parametrize("name", FIGURES)
def test_the_truth_lies_in_the_interval_as_often_as_it_says(name: str) -> None:
    figure, dice = FIGURES[name], random.Random(29)
    so = truth(figure)
    found = [one_draw(figure, dice) for _ in range(DRAWS)]
    values = [one.value for one in found]
    error = stdev(values) / DRAWS**0.5
    assert abs(fmean(values) - so) < 4 * error
    held = sum(one.low <= so <= one.high for one in found)
    assert 0.92 * DRAWS <= held, held / DRAWS
    # And it is not so wide that it says nothing.
    assert fmean(one.high - one.low for one in found) < 6 * stdev(values)
