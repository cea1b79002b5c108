"""What the pages of two turns read from the database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

from django.db.models import Q

from chat.contracts.events import Event, event_from
from chat.models import Rerun, Turn, TurnEvent

LIKELY = 30  # turns that are offered for comparison


def turn(pk: UUID) -> Turn | None:
    """The turn with its question and its versions."""
    return Turn.objects.select_related("question", "versions").filter(pk=pk).first()


def exists(pk: UUID) -> bool:
    return Turn.objects.filter(pk=pk).exists()


def events_of(pk: UUID, types: Sequence[str] = ()) -> list[Event]:
    """The turn's stored events in order, of these types or of all."""
    rows = TurnEvent.objects.filter(turn_id=pk)
    rows = rows.filter(type__in=types) if types else rows
    fields = rows.order_by("seq").values_list("seq", "at", "type", "data")
    return [event_from(pk, *row) for row in fields]


def versions_of(found: Turn) -> Mapping[str, str]:
    return found.versions.values if found.versions else {}


def rerun_between(one: UUID, other: UUID) -> Rerun | None:
    """The re-run that made one of the two turns from the other, if any did."""
    pairs = Q(source=one, turn=other) | Q(source=other, turn=one)
    return Rerun.objects.select_related("batch").filter(pairs).first()


def likely(found: Turn, *, sensitive: bool = False) -> list[Turn]:
    """Answers to the same message, re-runs, and other turns that asked the same, newest first.

    Each is a look-up of its own: joined by "or" they would walk all turns.
    """
    ways = [Q(question=found.question_id), Q(rerun_of__source=found), Q(reruns__turn=found)]
    if found.question.text:
        ways.append(Q(question__text=found.question.text))
    keys: set[UUID] = set()
    for way in ways:
        rows = Turn.objects.filter(way).order_by("-started_at")
        keys.update(rows.values_list("pk", flat=True)[:LIKELY])
    rows = Turn.objects.select_related("question").filter(pk__in=keys - {found.pk})
    if not sensitive:
        rows = rows.filter(is_sensitive=False)
    return list(rows.order_by("-started_at")[:LIKELY])
