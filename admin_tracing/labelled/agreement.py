"""How far people agree with each other, beyond chance, for each of the questions they answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from uuid import UUID

from admin_tracing.days import Days
from admin_tracing.labelled import rows as read
from admin_tracing.labelled.standing import Labelled
from admin_tracing.queueing.agreement import UNDECIDED
from admin_tracing.stats import Kappa, fleiss


@dataclass(frozen=True, slots=True)
class Agreement:
    """`kappa` is over the `doubled` turns on which at least two people decided.

    `split` are those on which they part and nobody settled it.
    """

    job: str
    labelled: int
    doubled: int
    kappa: Kappa
    split: tuple[UUID, ...]


def agreement(days: Days, versions: int | None = None) -> list[Agreement]:
    """For routing and for groundedness. Who labels changes, so it is Fleiss' kappa."""
    return agreement_of(read.routing(days, versions), read.groundedness(days, versions))


def agreement_of(ways: Sequence[Labelled], answers: Sequence[Labelled]) -> list[Agreement]:
    """The same of labels that were read already."""
    return [_of("routing", ways), _of("groundedness", answers)]


def _of(job: str, rows: Sequence[Labelled]) -> Agreement:
    several = ([word for word in row.said if word not in UNDECIDED] for row in rows)
    doubled: list[Counter[Hashable]] = [Counter(words) for words in several if len(words) > 1]
    split = tuple(row.facts.turn for row in rows if row.is_split)
    return Agreement(job, len(rows), len(doubled), fleiss(doubled), split)
