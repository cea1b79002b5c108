"""How many questions are turned away as off topic, and how many of those wrongly.

Nothing else would tell: a person who is turned away leaves, and no control fails. People say so of
the ones that were drawn; searches that are made afterwards say whether there was something to find.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date

from django.db.models import Count, Q
from django.db.models.functions import TruncDate

from admin_tracing.counted import counted
from admin_tracing.days import Days
from admin_tracing.labelled import rows as read
from admin_tracing.labelled.figures import Figure, figure
from admin_tracing.labelled.rows import TURNED_AWAY
from admin_tracing.labelled.standing import Labelled
from admin_tracing.models import Settlement
from admin_tracing.sampling.shadow import shadow_rows
from admin_tracing.stats import Estimate, hajek, share
from chat.contracts.verdicts import Route, Termination

JOB = Settlement.Job.ROUTING


@dataclass(frozen=True, slots=True)
class Rejections:
    """`rate` is of all turns; `wrong` is what people say of those turned away, `found` what a
    search that was made afterwards says: there was evidence."""

    rate: Estimate
    by_day: tuple[tuple[date, Estimate], ...]
    wrong: Figure
    found: Estimate


def is_wrong(row: Labelled) -> bool | None:
    """None where nobody decided."""
    return row.stands != Route.OFF_TOPIC if row.is_decided else None


def rejections(days: Days, versions: int | None = None) -> Rejections:
    """Five queries."""
    by_day = _by_day(days, versions)
    return Rejections(
        share(sum(hits for _, hits, _ in by_day), sum(n for _, _, n in by_day)),
        tuple((day, share(hits, n)) for day, hits, n in by_day),
        wrong(days, read.routing(days, versions), versions),
        searched(days, versions),
    )


def wrong(days: Days, labelled: Sequence[Labelled], versions: int | None = None) -> Figure:
    """Of the questions turned away, the share of which people say that they were ours."""
    rows = [row for row in labelled if row.facts.termination == Termination.OFF_TOPIC]
    return figure(days, rows, read.drawn(days, JOB, versions, among=TURNED_AWAY), is_wrong)


def searched(days: Days, versions: int | None = None) -> Estimate:
    """The share of questions turned away for which a search afterwards found evidence."""
    rows = shadow_rows(days.since, days.until, versions)
    return hajek((row.has_evidence, row.weight) for row in rows)


def _by_day(days: Days, versions: int | None) -> list[tuple[date, int, int]]:
    """Turned away, and all, of each day."""
    rows = counted(days.since, days.until)
    if versions is not None:
        rows = rows.filter(versions_id=versions)
    found = {
        row["day"]: (row["hits"], row["n"])
        for row in rows.annotate(day=TruncDate("started_at", tzinfo=UTC))
        .values("day")
        .annotate(hits=Count("pk", filter=Q(TURNED_AWAY)), n=Count("pk"))
        .order_by("day")
    }
    return [(day, *found.get(day, (0, 0))) for day in days]
