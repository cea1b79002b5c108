"""The weight of each labelled turn: for how many turns it stands. Pure.

A turn that was drawn with the chance r stands for 1 / r turns. Those that were drawn and not
labelled yet are stood for by the labelled ones of their stratum, so that a stratum that is worked
on first does not count for more than it is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from uuid import UUID

from admin_tracing.labelled.standing import Drawn, Labelled


def weights(rows: Sequence[Labelled], drawn: Iterable[Drawn]) -> dict[UUID, float]:
    """By turn, for the turns that were drawn and of which people agree; others have none."""
    return {row.facts.turn: weight for row, weight in weighed(rows, drawn)}


def weighed(rows: Sequence[Labelled], drawn: Iterable[Drawn]) -> list[tuple[Labelled, float]]:
    """The same, each with its row, in their order."""
    told = [
        (row, 1.0 / (row.facts.rate or 1.0), row.facts.stratum or "")
        for row in rows
        if row.is_drawn and row.agrees
    ]
    whole: dict[str, float] = defaultdict(float)
    for cell in drawn:
        whole[cell.stratum] += cell.weight
    labelled: dict[str, float] = defaultdict(float)
    for _, plain, stratum in told:
        labelled[stratum] += plain
    more = {stratum: _factor(whole.get(stratum, 0.0), n) for stratum, n in labelled.items()}
    return [(row, plain * more[stratum]) for row, plain, stratum in told]


def _factor(drawn: float, labelled: float) -> float:
    """How much more was drawn than labelled. Never below 1: a row may come between two reads."""
    return max(1.0, drawn / labelled)
