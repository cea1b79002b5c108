"""Is what was answered held by its sources, is it right, and does the judge say the same?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from admin_tracing.days import Days
from admin_tracing.labelled import rows as read
from admin_tracing.labelled.figures import Figure, figure
from admin_tracing.labelled.standing import Labelled, blinded
from admin_tracing.labelled.weights import weights
from admin_tracing.models import Settlement
from admin_tracing.stats import Confusion, Pair, confusion

GRADES = ("yes", "partly", "no")
JUDGED = ("supported", "unsupported")


@dataclass(frozen=True, slots=True)
class Grounded:
    """Shares of answers that people call held, held at least in part, and right.

    `judge` is the share where the judge says what people said before they saw its word; `table` is
    people by judge, as labels stand.
    """

    held: Figure
    partly: Figure
    correct: Figure
    judge: Figure
    table: Confusion


def is_held(row: Labelled) -> bool | None:
    return row.stands == "yes" if row.is_decided else None


def is_held_in_part(row: Labelled) -> bool | None:
    return row.stands in ("yes", "partly") if row.is_decided else None


def of_right(rows: Sequence[Labelled]) -> list[Labelled]:
    """The labels of whether an answer is right, as rows of their own: what people said of that, and
    what stands of it."""
    return [
        replace(row, said=row.right, word=row.correct) for row in rows if row.correct is not None
    ]


def judge_agrees(row: Labelled) -> bool | None:
    """The judge's word is whether it found a claim that no source holds."""
    held = is_held(row)
    return None if held is None else held == (row.facts.unsupported == 0)


def grounded(days: Days, versions: int | None = None) -> Grounded:
    """Four queries."""
    rows = read.groundedness(days, versions)
    drawn = read.drawn(days, Settlement.Job.GROUNDEDNESS, versions)
    seen = read.before_seeing()[Settlement.Job.GROUNDEDNESS]
    blind = [blinded(row, "grounded", seen) for row in rows]
    by_turn = weights(rows, drawn)
    pairs = [
        Pair(row.stands, JUDGED[row.facts.unsupported > 0], by_turn.get(row.facts.turn))
        for row in rows
        if row.is_decided
    ]
    return Grounded(
        figure(days, rows, drawn, is_held),
        figure(days, rows, drawn, is_held_in_part),
        figure(days, of_right(rows), drawn, is_held),
        figure(days, blind, drawn, judge_agrees),
        confusion((*GRADES, *JUDGED), pairs),
    )
