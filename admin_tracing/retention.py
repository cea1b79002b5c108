"""How long the staff's own rows are kept: who read a record, and notes that may quote a person.

A reading goes with its record at the latest, a note with the words that it is about.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Exists, OuterRef, QuerySet

from admin_tracing.erasure import erase_notes_of_turns, noted_after_erasure
from admin_tracing.models import RecordRead
from chat.models import LegalHold, Turn
from chat.retention import BATCH, Batch, held

READS_AT_ONCE = 10 * BATCH
NOTES = "notes of staff"

# The rule on the table lets rows go for its owner alone, and only where this was said.
LET_GO = "SET LOCAL plumbline.purge = 'on'"


def reads(before: datetime, *, dry: bool) -> Iterator[Batch]:
    """Readings of before, but of records under a hold."""
    in_force = LegalHold.objects.filter(
        conversation=OuterRef("record__conversation"), lifted_at=None
    )
    old = RecordRead.objects.filter(~Exists(in_force), at__lt=before).order_by("at")
    if dry:
        yield Batch("reads", {"reads": old.count()})
        return
    while found := list(old.values_list("pk", flat=True)[:READS_AT_ONCE]):
        yield Batch("reads", {"reads": _delete(RecordRead.objects.filter(pk__in=found))})


def reads_of(records: Sequence[int]) -> int:
    """The readings of records that are about to go. Call it in the transaction that takes them."""
    return _delete(RecordRead.objects.filter(record__in=records))


def notes_of(turns: Sequence[UUID]) -> Mapping[str, int]:
    """The notes of turns whose words are about to go. Call it in the transaction that takes them.

    Words under a hold are not about to go, so neither are the notes about them.
    """
    return {NOTES: erase_notes_of_turns(turns)}


def late_notes(*, dry: bool) -> Iterator[Batch]:
    """Notes that stand on turns whose words have gone already, but of those under a hold."""
    late = Turn.objects.filter(~Exists(held()), pk__in=noted_after_erasure())
    turns = list(late.values_list("pk", flat=True))
    if dry:
        yield Batch("content", {f"turns with {NOTES}": len(turns)})
        return
    for at in range(0, len(turns), BATCH):
        yield Batch("content", notes_of(turns[at : at + BATCH]))


@transaction.atomic
def _delete(rows: QuerySet[RecordRead]) -> int:
    with connection.cursor() as cursor:
        cursor.execute(LET_GO)
    return int(rows._raw_delete(rows.db))  # the model refuses, the rule on the table decides
