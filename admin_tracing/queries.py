"""What the list and the replay read: turns by their filters, one turn, ranges of its events.

Lists are paged by key, so that the last page costs what the first one does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from admin_tracing.blast import touched_by
from admin_tracing.counted import SHOWS, in_record, record_shows
from admin_tracing.labelled import choosing
from admin_tracing.models import GroundednessLabel, RoutingLabel
from admin_tracing.running.costs import NO_SECTION
from admin_tracing.running.window import DUE, MISSED
from admin_tracing.slower import slower
from admin_tracing.suspects import MISSING, Suspect, SuspectKind
from chat.contracts.events import NOBODYS, DraftWithdrawn, Event, StateDiff, Token, event_from
from chat.contracts.verdicts import Outcome
from chat.models import Chunk, Turn, TurnEvent

PAGE = 50
RANGE = 400  # events of one answer
LATEST = 100  # events of one type in one answer
HOUR = timedelta(hours=1)
UGLY = 50  # turns of the filter for the ugliest
UGLIEST = ("-look__ugliness", "-started_at", "-id")

FAILED = (Outcome.FAILED_OPEN, Outcome.FAILED_CLOSED)
SEVERAL = {
    "": FAILED,
    MISSED: (*FAILED, MISSING),
    DUE: (*FAILED, MISSING, Outcome.PASSED, Outcome.ACTED),
}
"""Outcomes of a control that the list's filter names together, as the figures count them."""

Cursor = tuple[datetime, UUID]


@dataclass(frozen=True, slots=True)
class TurnList:
    """One page of turns, newest first, and the key of the next page if there is one."""

    turns: list[Turn]
    next: Cursor | None


@dataclass(frozen=True, slots=True)
class EventRange:
    """Events in order with the diffs before them; `next` is where a cut answer goes on."""

    events: list[Event]
    before: list[Mapping[str, Any]]
    next: int | None


def turns(
    filters: Mapping[str, Any], cursor: Cursor | None, *, sensitive: bool = False
) -> TurnList:
    """A page of the list. `filters` are the cleaned values of the filter form.

    Words find what tells of somebody's health only where that is said.
    """
    rows = chosen(filters, sensitive=sensitive).select_related("question")
    if filters.get("ugly"):
        return TurnList(list(rows.select_related("question", "look").order_by(*UGLIEST)), None)
    if cursor is not None:
        at, turn = cursor
        rows = rows.filter(Q(started_at__lt=at) | Q(started_at=at, id__lt=turn))
    found = list(rows.order_by("-started_at", "-id")[: PAGE + 1])
    page = found[:PAGE]
    more = len(found) > PAGE
    return TurnList(page, (page[-1].started_at, page[-1].pk) if more else None)


def chosen(filters: Mapping[str, Any], *, sensitive: bool = False) -> QuerySet[Turn]:
    """The turns that the filters of the list choose, in no order.

    Words find what tells of somebody's health only where that is said, and so do the ugliest.
    """
    rows = _filtered(Turn.objects.all(), filters)
    if (filters.get("q") or filters.get("ugly")) and not sensitive:
        rows = rows.filter(is_sensitive=False)
    return _ugliest(rows) if filters.get("ugly") else rows


def _ugliest(rows: QuerySet[Turn]) -> QuerySet[Turn]:
    """At most `UGLY` of them, with the ugliest questions. What was said in them is still there."""
    found = rows.filter(look__ugliness__gt=0, erased_at=None).order_by(*UGLIEST)
    return Turn.objects.filter(pk__in=found.values("pk")[:UGLY])


def turn_with_question(turn: UUID) -> Turn | None:
    """The turn, its question and its conversation."""
    return Turn.objects.select_related("question", "conversation").filter(pk=turn).first()


def is_over(turn: UUID) -> bool:
    """True for a turn that ended, or that does not exist."""
    return not Turn.objects.filter(pk=turn).exclude(status=Turn.Status.FINISHED).exists()


def exists(turn: UUID) -> bool:
    return Turn.objects.filter(pk=turn).exists()


def is_sensitive(turn: UUID) -> bool:
    """Does it tell of somebody's health by now? A reply may, when its first words did not."""
    return Turn.objects.filter(pk=turn, is_sensitive=True).exists()


def is_labelled(turn: UUID) -> bool:
    """Has anybody said anything of it yet?"""
    kinds = (RoutingLabel, GroundednessLabel)
    return any(kind.objects.filter(turn_id=turn).exists() for kind in kinds)


def last_seq(turn: UUID) -> int:
    """The number of the turn's last stored event, 0 without one."""
    seqs = TurnEvent.objects.filter(turn_id=turn).order_by("-seq").values_list("seq", flat=True)
    return seqs.first() or 0


def events_between(turn: UUID, first: int, last: int) -> EventRange:
    """Stored events from `first` to `last`, at most `RANGE` besides tokens.

    Tokens are not counted, so that a run of them is never cut in two.
    """
    rows = TurnEvent.objects.filter(turn_id=turn, seq__gte=first, seq__lte=last).order_by("seq")
    others = rows.exclude(type=Token.TYPE).values_list("seq", flat=True)
    beyond = others[RANGE : RANGE + 1].first()
    rows = rows if beyond is None else rows.filter(seq__lt=beyond)
    return EventRange([_event(row) for row in rows], changes_before(turn, first), beyond)


def latest_of(turn: UUID, type_: str, until: int) -> list[Event]:
    """The last `LATEST` events of a type up to a number, in order."""
    rows = TurnEvent.objects.filter(turn_id=turn, type=type_, seq__lte=until)
    return [_event(row) for row in rows.order_by("-seq")[:LATEST]][::-1]


def changes_before(turn: UUID, seq: int) -> list[Mapping[str, Any]]:
    """What nodes changed before event `seq`, in order."""
    rows = TurnEvent.objects.filter(turn_id=turn, seq__lt=seq, type=StateDiff.TYPE)
    return [row["changed"] for row in rows.order_by("seq").values_list("data", flat=True)]


def draft_events(turn: UUID, after: int) -> list[Event]:
    """Tokens and withdrawals of the draft after a number."""
    rows = TurnEvent.objects.filter(
        turn_id=turn, seq__gt=after, type__in=(Token.TYPE, DraftWithdrawn.TYPE)
    )
    return [_event(row) for row in rows.order_by("seq")]


def first_event_at(turn: UUID) -> datetime | None:
    times = TurnEvent.objects.filter(turn_id=turn).order_by("seq").values_list("at", flat=True)
    return times.first()


def passage(chunk: str, at: datetime) -> Chunk | None:
    """The chunk as it stood at a time: from the newest version ingested by then."""
    rows = Chunk.objects.select_related("version__document").filter(key=chunk)
    by_age = rows.order_by("-version__ingested_at")
    return by_age.filter(version__ingested_at__lte=at).first() or by_age.last()


def _event(row: TurnEvent) -> Event:
    return event_from(row.turn_id, row.seq, row.at, row.type, row.data)


def _filtered(rows: QuerySet[Turn], filters: Mapping[str, Any]) -> QuerySet[Turn]:
    if not filters.get("lab") and filters.get("kind") not in NOBODYS:
        rows = rows.exclude(kind__in=NOBODYS)
    if filters.get("kind"):
        rows = rows.filter(kind=filters["kind"])
    if filters.get("route"):
        rows = rows.filter(route_taken=filters["route"])
    if filters.get("termination"):
        rows = _ended(rows, filters["termination"])
    if filters.get("q"):
        rows = rows.filter(question__text__icontains=filters["q"])
    if filters.get("since"):
        rows = rows.filter(started_at__date__gte=filters["since"])
    if filters.get("until"):
        rows = rows.filter(started_at__date__lte=filters["until"])
    return _narrowed(rows, filters)


def _narrowed(rows: QuerySet[Turn], filters: Mapping[str, Any]) -> QuerySet[Turn]:
    """By what is asked for more rarely: a band, what a turn shows, a control, an hour, a person."""
    if filters.get("confidence"):
        rows = rows.filter(confidence=filters["confidence"])
    if filters.get("shows"):
        rows = rows.filter(SHOWS[filters["shows"]])
    if filters.get("control"):
        rows = rows.filter(_control(filters["control"], filters.get("outcome", "")))
    if filters.get("hour"):
        since = filters["hour"]
        rows = rows.filter(started_at__gte=since, started_at__lt=since + HOUR)
    if filters.get("person"):
        rows = rows.filter(_person(filters["person"]))
    return _pointed_at(rows, filters)


def _pointed_at(rows: QuerySet[Turn], filters: Mapping[str, Any]) -> QuerySet[Turn]:
    """By what figures of running lead to: slow ones, a section found first, turns by their keys."""
    if filters.get("slower"):
        rows = rows.filter(slower(filters.get("since"), filters.get("until")))
    if filters.get("longer") is not None:
        rows = rows.filter(ms__gt=filters["longer"])
    if filters.get("section"):
        rows = rows.filter(_section(filters["section"]))
    if filters.get("passes"):
        rows = rows.filter(passes__gte=filters["passes"])
    if filters.get("turns"):
        rows = rows.filter(pk__in=filters["turns"])
    if filters.get("versions") is not None:
        rows = rows.filter(versions=filters["versions"])
    if any(filters.get(name) for name in choosing.FIELDS):
        rows = rows.filter(choosing.condition(filters))
    return rows


def _control(name: str, outcome: str) -> Q:
    """Without an outcome: the control failed, in either direction."""
    wanted = SEVERAL.get(outcome, (outcome,))
    found = Q(pk__in=())
    for one in wanted:
        found |= touched_by(Suspect(SuspectKind.CONTROL, name, one))
    return found


def _section(key: str) -> Q:
    """What the first pass found first, or that it found nothing."""
    if key == NO_SECTION:
        return Q(passes__gt=0) & in_record("$.passes[0] ? (!exists(@.chunks[0]))")
    return record_shows(f"first {key}")


def _person(who: str) -> Q:
    kind, _, key = who.partition(" ")
    if kind == "user":
        return Q(conversation__user_id=int(key))
    return Q(conversation__user__isnull=True, conversation__visitor=UUID(key))


def _ended(rows: QuerySet[Turn], termination: str) -> QuerySet[Turn]:
    if termination == "open":
        return rows.exclude(status=Turn.Status.FINISHED)
    return rows.filter(termination=termination)
