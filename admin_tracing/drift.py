"""How the agent's behaviour moves from day to day, and which version moved it. Few grouped queries.

Nothing fails when a share doubles, so it has to be looked at: each figure by day, held before and
after every change of versions, and watched for a shift without one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cached_property
from typing import Any

from django.db.models import Count, F, Max, Min, Q, QuerySet, Sum
from django.db.models.functions import TruncDate

from admin_tracing.change_points import Change, Sample, Shift, between, shift
from admin_tracing.counted import ANSWERED, GIVEN_UP, SHOWS, counted
from admin_tracing.days import Days
from admin_tracing.measures import BANDS, MEASURES, NOTHING, Counts, Measure
from chat.contracts.events import NOBODYS
from chat.contracts.verdicts import Confidence, Termination
from chat.models import Pause, Turn, VersionSet


@dataclass(frozen=True, slots=True)
class Segment:
    """Turns that ran with the same versions, and when the first of them began."""

    versions: int | None
    start: datetime
    counts: Counts


@dataclass(frozen=True, slots=True)
class VersionChange:
    """A moment at which turns went on with other versions: what changed, from what and to what."""

    at: datetime
    changed: tuple[tuple[str, str, str], ...]
    before: Counts
    after: Counts

    @property
    def day(self) -> date:
        return self.at.date()

    @property
    def names(self) -> str:
        """`prompts and model`, in words."""
        names = [name.replace("_", " ") for name, _, _ in self.changed]
        return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


@dataclass(frozen=True, slots=True)
class Figure:
    """A measure over the window: its whole, its days, and where it changed."""

    measure: Measure
    whole: Sample
    days: tuple[tuple[date, Sample, Counts], ...]
    changes: tuple[tuple[VersionChange, Change], ...]
    shift: Shift | None | str


@dataclass(frozen=True)
class Drift:
    """Everything that the page shows of a window, but for bursts."""

    days: Days
    by_day: Mapping[date, Counts]
    changes: tuple[VersionChange, ...]

    @property
    def turns(self) -> int:
        return int(sum(counts["turns"] for counts in self.by_day.values()))

    def of(self, day: date) -> Counts:
        """A day's counts, none on a day without turns."""
        return self.by_day.get(day, NOTHING)

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        return tuple(self._figure(measure) for measure in MEASURES)

    def _figure(self, measure: Measure) -> Figure:
        days = tuple((day, measure.of(self.of(day)), self.of(day)) for day in self.days)
        tested = tuple(
            (c, between(measure.of(c.before), measure.of(c.after), is_share=measure.is_share))
            for c in self.changes
            if measure.name != "abandoned"  # counted apart, without versions
        )
        return Figure(
            measure,
            sum((sample for _, sample, _ in days), Sample()),
            days,
            tested,
            _unexplained(measure, days, self.changes),
        )


def drift(days: Days) -> Drift:
    """The window's figures: three queries, however many turns."""
    rows = list(_turns(days))
    by_day = _merged((row["day"], row) for row in rows)
    for day, asked in _pauses(days):
        by_day[day] = {**by_day.get(day, NOTHING), **asked}
    return Drift(days, by_day, _changes(segments(rows)))


def segments(rows: Iterable[Mapping[str, Any]]) -> list[Segment]:
    """Rows of a day and a version set, joined by version set, in the order of their first turns.

    A set that was there before in the window is no change: a trial has two of them side by side,
    by turns, and its turns are held against each other whole. Turns without known versions belong
    to none.
    """
    known = sorted(
        (row for row in rows if row["versions_id"] is not None),
        key=lambda row: (row["day"], row["started"]),
    )
    out: dict[int, Segment] = {}
    for row in known:
        counts = {name: float(row.get(name) or 0) for name in NOTHING}
        before = out.get(row["versions_id"])
        start = before.start if before else row["started"]
        whole = _added(before.counts, counts) if before else counts
        out[row["versions_id"]] = Segment(row["versions_id"], start, whole)
    return list(out.values())


def _unexplained(
    measure: Measure,
    days: Sequence[tuple[date, Sample, Counts]],
    changes: Sequence[VersionChange],
) -> Shift | None | str:
    """A shift since the last change of versions, which that change does not explain."""
    since = changes[-1].day if changes else days[0][0]
    return shift([(d, s) for d, s, _ in days if d >= since], is_share=measure.is_share)


def _turns(days: Days) -> QuerySet[Turn, dict[str, Any]]:
    rows = counted(days.since, days.until)
    return (
        rows.annotate(day=TruncDate("started_at", tzinfo=UTC))
        .values("day", "versions_id")
        .annotate(
            started=Min("started_at"),
            ended=Max("started_at"),
            turns=Count("pk"),
            refused=Count("pk", filter=SHOWS["refused"]),
            off_topic=Count("pk", filter=Q(termination=Termination.OFF_TOPIC)),
            restricted=Count("pk", filter=Q(termination=Termination.RESTRICTED)),
            asked_back=Count("pk", filter=SHOWS["asked_back"]),
            answers=Count("pk", filter=ANSWERED),
            gaps=Count("pk", filter=SHOWS["gap"]),
            low=Count("pk", filter=Q(confidence=Confidence.LOW)),
            banded=Count("pk", filter=Q(confidence__in=BANDS)),
            # Squares first: after them the names stand for the sums.
            unsupported_squares=Sum(F("unsupported") * F("unsupported"), filter=ANSWERED),
            citations_squares=Sum(F("citations") * F("citations"), filter=ANSWERED),
            unsupported=Sum("unsupported", filter=ANSWERED),
            citations=Sum("citations", filter=ANSWERED),
        )
        .order_by("day", "started")
    )


def _pauses(days: Days) -> list[tuple[date, dict[str, float]]]:
    """Ended turns that asked back, by the day on which they began, and what became of that.

    A turn may ask twice, be answered once and be given up then: it is in both.
    """
    rows = (
        Pause.objects.filter(kind=Pause.Kind.CLARIFICATION, turn__status=Turn.Status.FINISHED)
        .filter(turn__started_at__gte=days.since, turn__started_at__lt=days.until)
        .exclude(turn__kind__in=NOBODYS)
        .annotate(day=TruncDate("turn__started_at", tzinfo=UTC))
        .values("day")
        .annotate(
            asked=Count("turn", distinct=True),
            replied=Count("turn", filter=Q(status=Pause.Status.ANSWERED), distinct=True),
            abandoned=Count("turn", filter=Q(status__in=GIVEN_UP), distinct=True),
        )
        .order_by("day")
    )
    return [(row.pop("day"), row) for row in rows]


def _merged(rows: Iterable[tuple[date, Mapping[str, Any]]]) -> dict[date, Counts]:
    by_day: dict[date, Counts] = {}
    for day, row in rows:
        counts = {name: float(row.get(name) or 0) for name in NOTHING}
        by_day[day] = _added(by_day.get(day, NOTHING), counts)
    return by_day


def _added(one: Counts, other: Counts) -> dict[str, float]:
    return {name: one[name] + other[name] for name in NOTHING}


def _changes(parts: Sequence[Segment]) -> tuple[VersionChange, ...]:
    pairs = list(zip(parts, parts[1:], strict=False))
    wanted = {part.versions for part in parts}
    values = dict(VersionSet.objects.filter(pk__in=wanted).values_list("pk", "values"))
    return tuple(
        VersionChange(
            after.start,
            _differences(values.get(before.versions, {}), values.get(after.versions, {})),
            before.counts,
            after.counts,
        )
        for before, after in pairs
    )


def _differences(
    before: Mapping[str, Any], after: Mapping[str, Any]
) -> tuple[tuple[str, str, str], ...]:
    """What differs, by name, each with its value before and after."""
    names = sorted(set(before) | set(after))
    return tuple(
        (name, str(before.get(name, "")), str(after.get(name, "")))
        for name in names
        if before.get(name) != after.get(name)
    )
