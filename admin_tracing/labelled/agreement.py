"""How far people agree with each other, beyond chance, for each of the questions they answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from admin_tracing.days import Days
from admin_tracing.labelled import rows as read
from admin_tracing.labelled.standing import Labelled, Seen, blinded
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
    seen = read.before_seeing()
    return agreement_of(read.routing(days, versions), read.groundedness(days, versions), seen)


def agreement_of(
    ways: Sequence[Labelled], answers: Sequence[Labelled], seen: Mapping[str, Seen]
) -> list[Agreement]:
    """The same of labels that were read already."""
    return [
        _of("routing", "needed", ways, seen),
        _of("groundedness", "grounded", answers, seen),
    ]


def _of(job: str, name: str, rows: Sequence[Labelled], seen: Mapping[str, Seen]) -> Agreement:
    """What somebody said after they saw the check's word is not their own look, and no agreement
    with others who saw it too."""
    alone = (blinded(row, name, seen.get(job, {})).said for row in rows)
    several = ([word for word in said if word and word not in UNDECIDED] for said in alone)
    doubled: list[Counter[Hashable]] = [Counter(words) for words in several if len(words) > 1]
    split = tuple(row.facts.turn for row in rows if row.is_split)
    return Agreement(job, len(rows), len(doubled), fleiss(doubled), split)
