"""What is old goes, by class, in small transactions: a run that is killed is finished by the next.

Nothing of a conversation under a legal hold goes. Records go as whole beginnings of chains, and
leave an anchor from which the chain goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Exists, Max, OuterRef, Q, QuerySet

from chat import removal
from chat.models import (
    Attachment,
    Conversation,
    DecisionRecord,
    LegalHold,
    Message,
    Tape,
    Turn,
    TurnEvent,
)
from chat.records.verify import verify

BATCH = 200  # turns, files or chains of one transaction

Also = Callable[[Sequence[int]], int]
"""What others keep of records that are about to go, and take away in the same transaction."""

WithTurns = Callable[[Sequence[UUID]], Mapping[str, int]]
"""The same for turns whose words are about to go; rows by what they are."""


@dataclass(frozen=True, slots=True)
class Batch:
    """What one transaction did, or, of a dry run, would do."""

    of: str
    counts: Mapping[str, int]


def held() -> QuerySet[LegalHold]:
    """The holds in force on a row's conversation; for rows that have one."""
    return LegalHold.objects.filter(conversation=OuterRef("conversation"), lifted_at=None)


def trace(before: datetime, *, dry: bool) -> Iterator[Batch]:
    """Events for staff alone, and tapes, of turns that ended before."""
    kept = TurnEvent.objects.filter(turn=OuterRef("pk"), type__in=removal.STAFF_TYPES)
    turns = _ended(before).filter(Exists(kept))
    if dry:
        events = TurnEvent.objects.filter(turn__in=turns, type__in=removal.STAFF_TYPES)
        tapes = Tape.objects.filter(turn__in=turns)
        yield Batch("trace", {"events": events.count(), "tapes": tapes.count()})
        return
    for found in _batches(turns):
        with transaction.atomic():
            gone = removal.trace_of_turns(_free(_with_origins(found)))
        yield Batch("trace", gone)


def content(
    before: datetime, now: datetime, also: WithTurns, *, dry: bool, sensitive: bool = False
) -> Iterator[Batch]:
    """What was said in turns that ended before; of all, or of those that tell of health.

    What holds the same words goes with them, however young it is; a re-run of a held turn stays.
    `also` is called for each batch.
    """
    name = "sensitive" if sensitive else "content"
    turns = _ended(before).filter(erased_at=None)
    if sensitive:
        turns = turns.filter(is_sensitive=True)
    would: set[UUID] = set()
    for found in _batches(turns):
        with transaction.atomic():
            going = _with_copies(found)
            gone = removal.Counts()
            if not dry:
                gone.add(also(going))
                gone.add(removal.content_of_turns(going, now))
        would.update(going)
        if not dry:
            yield Batch(name, gone.of)
    if dry:
        yield Batch(name, {"turns": len(would)})


def staff_messages(before: datetime, *, dry: bool) -> Iterator[Batch]:
    """What stands in no turn: messages of staff."""
    asked = Turn.objects.filter(question=OuterRef("pk"))
    lone = Message.objects.filter(turn=None, created_at__lt=before).exclude(text="")
    lone = lone.filter(~Exists(asked), ~Exists(held()))
    yield Batch("content", {"messages": lone.count() if dry else lone.update(text="")})


def attachments(before: datetime, *, dry: bool) -> Iterator[Batch]:
    """Files and pastes that came before."""
    in_force = LegalHold.objects.filter(
        conversation=OuterRef("message__conversation"), lifted_at=None
    )
    files = Attachment.objects.filter(~Exists(in_force), created_at__lt=before).exclude(sha256="")
    if dry:
        yield Batch("attachments", {"attachments": files.count()})
        return
    while found := list(files.values_list("pk", "message__conversation")[:BATCH]):
        with transaction.atomic():
            gone = removal.attachments(_free(found))
        yield Batch("attachments", gone)


def records(before: datetime, why: str, also: Also, *, dry: bool) -> Iterator[Batch]:
    """Beginnings of chains whose records were all sealed before. `also` is called for each.

    A chain that does not hold is left as it is: what is wrong with it is evidence.
    """
    old = DecisionRecord.objects.filter(~Exists(held()), sealed_at__lt=before)
    if dry:
        yield Batch("records", {"records": old.count()})
        return
    ends = old.order_by().values("conversation").annotate(upto=Max("number"))
    left: set[UUID] = set()
    while found := list(
        ends.exclude(conversation__in=left).values_list("conversation", "upto")[:BATCH]
    ):
        broken = {conversation for conversation, _ in found if verify(conversation)}
        left |= broken
        with transaction.atomic():
            gone = _purge([end for end in found if end[0] not in broken], why, also)
        yield Batch("records", gone | {"broken chains left": len(broken)})


def _purge(ends: Sequence[tuple[UUID, int]], why: str, also: Also) -> dict[str, int]:
    counts = removal.Counts()
    kept = set(_free([(conversation, conversation) for conversation, _ in ends]))
    for conversation, upto in (end for end in ends if end[0] in kept):
        going = DecisionRecord.objects.filter(conversation=conversation, number__lte=upto)
        if not (rows := list(going.values_list("pk", flat=True))):
            continue  # another run was first
        counts.add({"reads": also(rows)})
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT plumbline_purge_records(%s, %s, %s)", [str(conversation), upto, why]
            )
            counts.add({"records": cursor.fetchone()[0], "chains": 1})
    return counts.of


def _ended(before: datetime) -> QuerySet[Turn]:
    ended = Turn.objects.filter(status=Turn.Status.FINISHED, finished_at__lt=before)
    return ended.filter(~Exists(held())).order_by("started_at", "pk")


def _batches(turns: QuerySet[Turn]) -> Iterator[list[tuple[UUID, UUID]]]:
    """Turns with their conversations, oldest first; each is looked at once in a run."""
    after = Q()
    while found := list(
        turns.filter(after).values_list("pk", "conversation", "started_at")[:BATCH]
    ):
        pk, _, at = found[-1]
        after = Q(started_at__gt=at) | Q(started_at=at, pk__gt=pk)
        yield [(turn, conversation) for turn, conversation, _ in found]


def _with_copies(found: Sequence[tuple[UUID, UUID]]) -> list[UUID]:
    """The turns that go, and with each what holds the same words.

    One that is being run again stays: its re-run would write down anew what has just gone.
    """
    free = _free(_with_origins(found))
    copies = removal.copies_of_turns(free)
    busy = {copy.of for copy in copies if not copy.is_finished}
    going = [turn for turn in free if turn not in busy]
    gone = [(copy.turn, copy.conversation) for copy in copies if copy.of not in busy]
    return list(dict.fromkeys([*going, *_free(gone)]))


def _with_origins(found: Sequence[tuple[UUID, UUID]]) -> list[tuple[UUID, UUID]]:
    """Re-runs stand also with the conversations that they came from, whose holds keep them."""
    return [*found, *removal.origins_of_turns([turn for turn, _ in found])]


def _free(found: Sequence[tuple[UUID, UUID]]) -> list[UUID]:
    """Of rows with their conversations: those that no hold keeps, once the locks are taken.

    A hold that is placed meanwhile waits for the lock, and one that was is seen now.
    """
    conversations = {conversation for _, conversation in found}
    rows = Conversation.objects.select_for_update().filter(pk__in=conversations)
    list(rows.order_by("pk").values_list("pk", flat=True))
    holds = LegalHold.objects.filter(conversation__in=conversations, lifted_at=None)
    kept = set(holds.values_list("conversation", flat=True))
    held_rows = {row for row, conversation in found if conversation in kept}
    return [row for row in dict.fromkeys(row for row, _ in found) if row not in held_rows]


def moment(now: datetime, days: int) -> datetime:
    """What happened before this goes."""
    return now - timedelta(days=days)
