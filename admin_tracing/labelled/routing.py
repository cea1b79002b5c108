"""Was the way that was taken the way that the question needed? And the confusion table of both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from admin_tracing.days import Days
from admin_tracing.labelled import rows as read
from admin_tracing.labelled.figures import Figure, figure
from admin_tracing.labelled.rows import WAYS
from admin_tracing.labelled.standing import Drawn, Labelled
from admin_tracing.labelled.weights import weights
from admin_tracing.models import Settlement
from admin_tracing.stats import Confusion, Pair, confusion


@dataclass(frozen=True, slots=True)
class Routing:
    accuracy: Figure
    table: Confusion


def is_right(row: Labelled) -> bool | None:
    """None where nothing is decided."""
    return row.went == row.stands if row.is_decided else None


def routing(days: Days, versions: int | None = None) -> Routing:
    """Three queries."""
    rows = read.routing(days, versions)
    drawn = read.drawn(days, Settlement.Job.ROUTING, versions)
    return Routing(figure(days, rows, drawn, is_right), table(rows, drawn))


def table(rows: Sequence[Labelled], drawn: Sequence[Drawn]) -> Confusion:
    """Needed by taken, of all labelled turns; those that were picked have no weight in it."""
    by_turn = weights(rows, drawn)
    return confusion(
        WAYS,
        (Pair(row.stands, row.went, by_turn.get(row.facts.turn)) for row in rows if row.is_decided),
    )
