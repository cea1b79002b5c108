"""The turns that a figure of labels is made of, for the list: by the very code that counts them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any
from uuid import UUID

from django.db.models import Q

from admin_tracing.days import Days
from admin_tracing.labelled import controls as against
from admin_tracing.labelled import rows as read
from admin_tracing.labelled.agreement import CORRECT, definite
from admin_tracing.labelled.controls import ALARM, ANY, FALSE_ALARM, FAULT, LABELLED_ANY, MISS
from admin_tracing.labelled.grounded import GRADES, of_right
from admin_tracing.labelled.measured import BY_NAME
from admin_tracing.labelled.rows import WAYS
from admin_tracing.labelled.standing import Labelled, blinded
from admin_tracing.models import GroundednessLabel, RoutingLabel, Settlement

EVER = (date(2000, 1, 1), date(2200, 1, 1))
FIELDS = ("labelled", "needed", "went", "grounded", "correct", "disagrees", "measured")
"""The filters of the list that are answered here."""

ROUTING, GROUNDEDNESS = str(Settlement.Job.ROUTING), str(Settlement.Job.GROUNDEDNESS)
COUNTED, WAITING, DECIDED, BLIND, DOUBLED = "counted", "waiting", "decided", "blind", "doubled"

LABELLED = {
    ROUTING: "Its way",
    GROUNDEDNESS: "Its answer",
    f"{ROUTING}:{COUNTED}": "Its way, in the figures",
    f"{GROUNDEDNESS}:{COUNTED}": "Its answer, in the figures",
    f"{CORRECT}:{COUNTED}": "Whether it is right, in the figures",
    f"{GROUNDEDNESS}:{BLIND}": "Its answer by themselves, in the figures",
    f"{ROUTING}:{DECIDED}": "Its way, and something stands",
    f"{GROUNDEDNESS}:{DECIDED}": "Its answer, and something stands",
    f"{ROUTING}:{DOUBLED}": "Its way, by two or more",
    f"{GROUNDEDNESS}:{DOUBLED}": "Its answer, by two or more",
    f"{CORRECT}:{DOUBLED}": "Whether it is right, by two or more",
    f"{ROUTING}:{WAITING}": "Drawn, its way by nobody yet",
    f"{GROUNDEDNESS}:{WAITING}": "Drawn, its answer by nobody yet",
}
PEOPLE = {
    f"people:{ROUTING}": "People, on the way",
    f"people:{GROUNDEDNESS}": "People, on the answer",
    f"people:{CORRECT}": "People, on whether it is right",
}
MEASURED = {
    ALARM: "drawn, it found something",
    FAULT: "drawn, people see something",
    ANY: "drawn, both said something",
    LABELLED_ANY: "both said something",
}
KINDS = {FALSE_ALARM: "false alarm", MISS: "miss"}


def disagreements() -> dict[str, str]:
    """The values of the filter `disagrees`, each with its words."""
    parted = {
        f"{control.name}:{kind}": f"{control.title}, {words}"
        for control in BY_NAME.values()
        for kind, words in KINDS.items()
    }
    return PEOPLE | parted


def measured() -> dict[str, str]:
    """The values of the filter `measured`, each with its words."""
    return {
        f"{control.name}:{kind}": f"{control.title}, {words}"
        for control in BY_NAME.values()
        for kind, words in MEASURED.items()
    }


def condition(filters: Mapping[str, Any]) -> Q:
    """The turns that all of these filters choose. `since` and `until` spare what lies outside."""
    days = _days(filters.get("since"), filters.get("until"))
    found = Q()
    for name in FIELDS:
        if filters.get(name):
            found &= _CONDITIONS[name](days, filters[name])
    return found


def _days(since: date | None, until: date | None) -> Days:
    first, last = since or EVER[0], until or EVER[1]
    return Days(first, max(1, (last - first).days + 1))


def _labelled(days: Days, what: str) -> Q:
    job, _, which = what.partition(":")
    labels: Any = RoutingLabel.objects
    if job != ROUTING:
        labels = GroundednessLabel.objects.exclude(grounded="")
    has_label = Q(pk__in=labels.values("turn"))
    if which == WAITING:
        # What was erased keeps its place in the figures, and nobody can label it any more.
        drawn = read.turns(days, job).filter(sample__isnull=False, erased_at=None)
        return Q(pk__in=drawn.values("pk")) & ~has_label
    if not which:
        return has_label
    return _in(_rows(days, job, which), _WANTED[which])


def _rows(days: Days, job: str, which: str) -> list[Labelled]:
    """The rows of a figure of labels, of some figures as they were before anybody saw the check."""
    rows = read.routing(days) if job == ROUTING else read.groundedness(days)
    if which in (BLIND, DOUBLED):
        seen = read.before_seeing()[ROUTING if job == ROUTING else GROUNDEDNESS]
        rows = [blinded(row, "needed" if job == ROUTING else "grounded", seen) for row in rows]
    return of_right(rows) if job == CORRECT else rows


_WANTED: Mapping[str, Callable[[Labelled], bool]] = {
    COUNTED: lambda row: row.is_drawn and row.is_decided,
    BLIND: lambda row: row.is_drawn and row.is_decided,
    DECIDED: lambda row: row.is_decided,
    DOUBLED: lambda row: len(definite(row.said)) > 1,
}


def _needed(days: Days, way: str) -> Q:
    return _in(read.routing(days), lambda row: row.stands == way)


def _went(_days: Days, way: str) -> Q:
    return read.went(way)


def _grounded(days: Days, grade: str) -> Q:
    return _in(read.groundedness(days), lambda row: row.stands == grade)


def _correct(days: Days, grade: str) -> Q:
    rows = read.groundedness(days)
    return _in(rows, lambda row: row.correct is not None and row.correct.value == grade)


def _disagrees(days: Days, what: str) -> Q:
    who, _, kind = what.partition(":")
    if who == "people":
        return _in(_rows(days, kind, ""), lambda row: row.is_split)
    return Q(pk__in=against.parted(against.told_of(BY_NAME[who], days), kind))


def _measured(days: Days, what: str) -> Q:
    name, _, kind = what.partition(":")
    return Q(pk__in=against.turns_of(against.told_of(BY_NAME[name], days), kind))


def _in(rows: list[Labelled], wanted: Callable[[Labelled], bool]) -> Q:
    found: list[UUID] = [row.facts.turn for row in rows if wanted(row)]
    return Q(pk__in=found)


_CONDITIONS: Mapping[str, Callable[[Days, str], Q]] = {
    "labelled": _labelled,
    "needed": _needed,
    "went": _went,
    "grounded": _grounded,
    "correct": _correct,
    "disagrees": _disagrees,
    "measured": _measured,
}


__all__ = [
    "COUNTED",
    "FIELDS",
    "GRADES",
    "LABELLED",
    "WAITING",
    "WAYS",
    "condition",
    "disagreements",
    "measured",
]
