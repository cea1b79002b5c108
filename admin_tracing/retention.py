"""How long it is kept who read a record. A reading goes with its record at the latest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from django.db import connection, transaction
from django.db.models import Exists, OuterRef, QuerySet

from admin_tracing.models import RecordRead
from chat.models import LegalHold
from chat.retention import BATCH, Batch

READS_AT_ONCE = 10 * BATCH

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


@transaction.atomic
def _delete(rows: QuerySet[RecordRead]) -> int:
    with connection.cursor() as cursor:
        cursor.execute(LET_GO)
    return int(rows._raw_delete(rows.db))  # the model refuses, the rule on the table decides
