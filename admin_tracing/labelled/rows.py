"""Every read of labels: who said what, of which turns, and how many turns were drawn."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from datetime import UTC
from typing import Any
from uuid import UUID

from django.db.models import Count, F, FloatField, Q, QuerySet, Sum, Value
from django.db.models.functions import TruncDate

from admin_tracing.counted import counted
from admin_tracing.days import Days
from admin_tracing.labelled.standing import Drawn, Facts, Labelled, Seen
from admin_tracing.models import Settlement
from admin_tracing.queueing.agreement import of_field
from admin_tracing.queueing.jobs import HOLDS_ANSWER
from admin_tracing.queueing.standing import not_blind as after_seeing
from chat.contracts.verdicts import Route, Termination
from chat.models import Turn

WAYS = (
    *(Route.DIRECT, Route.SINGLE_SHOT, Route.ITERATIVE),
    *(Route.CLARIFY, Route.OFF_TOPIC),
)
"""The ways that a person can call right; greeting, crisis and basic stand outside."""

ROUTED = Q(route_taken__in=WAYS)
TURNED_AWAY = Q(termination=Termination.OFF_TOPIC)
DOMAINS: Mapping[str, Q] = {
    Settlement.Job.ROUTING: ROUTED,
    Settlement.Job.GROUNDEDNESS: HOLDS_ANSWER,
}
"""The turns that each job's figures are about: those of which people are asked."""

ONE = Value(1.0, output_field=FloatField())

DAY = TruncDate("started_at", tzinfo=UTC)

_OF_TURN = (
    *("pk", "day", "versions_id", "route_taken", "route_decided", "passes", "termination"),
    *("confidence", "unsupported", "asked_back", "sample__stratum", "sample__rate"),
)
"""The values of `Facts`, in their order."""


def went(way: str) -> Q:
    """The turns that `Labelled.went` this way."""
    asked = Q(asked_back__gt=0)
    taken = Q(route_taken=way)
    return asked | taken if way == Route.CLARIFY else taken & ~asked


def turns(days: Days, job: str, versions: int | None = None) -> QuerySet[Turn]:
    """The counted turns of a window that a job's figures are about."""
    rows = counted(days.since, days.until).filter(DOMAINS[job])
    return rows if versions is None else rows.filter(versions_id=versions)


def routing(days: Days, versions: int | None = None) -> list[Labelled]:
    """Turns with a routing label, in the order in which they began. Two queries."""
    job = Settlement.Job.ROUTING
    chosen = turns(days, job, versions)
    rows = chosen.filter(routinglabels__isnull=False).annotate(day=DAY)
    settled = _settled(chosen, job)
    words = ("routinglabels__user", "routinglabels__needed")
    said: dict[UUID, list[tuple[int, str]]] = defaultdict(list)
    facts: dict[UUID, list[Any]] = {}
    in_order = rows.order_by("started_at", "pk")
    for person, needed, *of_turn in in_order.values_list(*words, *_OF_TURN):
        said[of_turn[0]].append((person, needed))
        facts.setdefault(of_turn[0], of_turn)
    found = []
    for turn, told in said.items():
        people, ways = zip(*told, strict=True)
        word = of_field(ways, settled.get(turn, ("", ""))[0])
        found.append(Labelled(Facts(*facts[turn]), ways, word, people=people))
    return found


def groundedness(days: Days, versions: int | None = None) -> list[Labelled]:
    """Turns with a groundedness label, in the order in which they began. Two queries."""
    job = Settlement.Job.GROUNDEDNESS
    chosen = turns(days, job, versions)
    rows = chosen.filter(groundednesslabels__isnull=False).annotate(day=DAY)
    words = tuple(f"groundednesslabels__{name}" for name in ("user", "grounded", "correct"))
    settled = _settled(chosen, job)
    said: dict[UUID, list[tuple[int, str, str]]] = defaultdict(list)
    facts: dict[UUID, list[Any]] = {}
    in_order = rows.order_by("started_at", "pk")
    for person, grounded, correct, *of_turn in in_order.values_list(*words, *_OF_TURN):
        said[of_turn[0]].append((person, grounded, correct))
        facts.setdefault(of_turn[0], of_turn)
    found = []
    for turn, told in said.items():
        people, held, right = zip(*told, strict=True)
        word = settled.get(turn, ("", ""))
        both = of_field(held, word[0]), of_field(right, word[1])
        found.append(Labelled(Facts(*facts[turn]), held, *both, right, people))
    return found


def drawn(
    days: Days, job: str, versions: int | None = None, *, among: Q | None = None
) -> list[Drawn]:
    """How many of a job's turns were drawn, by day, version set and stratum. One query."""
    chosen = turns(days, job, versions).filter(among or Q(), sample__isnull=False)
    rows = (
        chosen.annotate(day=DAY)
        .values("day", "versions_id", "sample__stratum")
        .annotate(n=Count("pk"), weight=Sum(ONE / F("sample__rate"), output_field=FloatField()))
        .order_by("day")
        .values_list("day", "versions_id", "sample__stratum", "n", "weight")
    )
    return [Drawn(*row) for row in rows]


def before_seeing() -> dict[str, Seen]:
    """By job, what those had said who said something else once they saw the check's verdict.

    One query.
    """
    found: dict[str, dict[tuple[UUID, int], Mapping[str, Any]]] = {job: {} for job in DOMAINS}
    for turn, person, kept in after_seeing().values_list("item_id", "user_id", "before"):
        for job in kept["after_seeing"]:
            found[job][turn, person] = kept.get("blind", {}).get(job) or {}
    return dict(found)


def _settled(chosen: QuerySet[Turn], job: str) -> dict[UUID, tuple[str, str]]:
    rows = Settlement.objects.filter(job=job, turn__in=chosen)
    return {
        turn: (needed or grounded, correct)
        for turn, needed, grounded, correct in rows.values_list(
            "turn_id", "needed", "grounded", "correct"
        )
    }
