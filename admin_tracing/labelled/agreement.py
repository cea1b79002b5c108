"""How far people agree with each other, beyond chance, for each of the questions they answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from admin_tracing.days import Days
from admin_tracing.labelled import rows as read
from admin_tracing.labelled.grounded import GRADES, of_right
from admin_tracing.labelled.standing import Labelled, Seen, blinded
from admin_tracing.queueing.agreement import UNDECIDED
from admin_tracing.stats import Kappa, fleiss

CORRECT = "correct"
"""The second question on an answer, whose agreement is told by itself."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """`kappa` is over the `doubled` turns on which at least two people decided.

    Of ordered answers, `graded` counts neighbours as half a disagreement. `split` are those on
    which they part and nobody settled it.
    """

    job: str
    labelled: int
    doubled: int
    kappa: Kappa
    split: tuple[UUID, ...]
    graded: Kappa | None = None


def agreement(days: Days, versions: int | None = None) -> list[Agreement]:
    """Of the three questions, in their order. Who labels changes, so it is Fleiss' kappa."""
    seen = read.before_seeing()
    return agreement_of(read.routing(days, versions), read.groundedness(days, versions), seen)


def agreement_of(
    ways: Sequence[Labelled], answers: Sequence[Labelled], seen: Mapping[str, Seen]
) -> list[Agreement]:
    """The same of labels that were read already."""
    routes = [blinded(row, "needed", seen.get("routing", {})) for row in ways]
    held = [blinded(row, "grounded", seen.get("groundedness", {})) for row in answers]
    return [
        _of("routing", ways, routes),
        _of("groundedness", answers, held, GRADES),
        _of(CORRECT, of_right(answers), of_right(held), GRADES),
    ]


def definite(said: Sequence[str]) -> list[str]:
    """The answers of those who could tell."""
    return [word for word in said if word and word not in UNDECIDED]


def _of(
    job: str, rows: Sequence[Labelled], alone: Sequence[Labelled], order: Sequence[str] = ()
) -> Agreement:
    """What somebody said after they saw the check's word is not their own look, and no agreement
    with others who saw it too."""
    several = (definite(row.said) for row in alone)
    doubled: list[Counter[Hashable]] = [Counter(words) for words in several if len(words) > 1]
    return Agreement(
        job,
        sum(row.is_said for row in rows),
        len(doubled),
        fleiss(doubled),
        tuple(row.facts.turn for row in rows if row.is_split),
        fleiss(doubled, order) if order else None,
    )
