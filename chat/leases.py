"""Who runs a turn: a lease in the database that its process renews.

A turn whose lease ran out belongs to nobody, and the next process that looks takes it. All
functions are database work and run off the loop.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from chat.models import Turn

LEASE = timedelta(seconds=15)
RENEW_EVERY = 4.0  # seconds; three renewals may fail before the lease runs out
MAX_ATTEMPTS = 3  # runs of one turn, before it ends as interrupted

PROCESS: UUID = uuid4()
"""This process, as the owner of turns."""


def renew(turns: Collection[UUID]) -> set[UUID]:
    """Renew this process's leases; the turns that are still its own."""
    mine = Turn.objects.filter(pk__in=turns, owner=PROCESS, status=Turn.Status.RUNNING)
    mine.update(lease_until=timezone.now() + LEASE)
    return set(mine.values_list("pk", flat=True))


def stops(turns: Collection[UUID]) -> set[UUID]:
    """Those of this process's turns that somebody wants stopped."""
    wanted = Turn.objects.filter(pk__in=turns, owner=PROCESS, stop_requested=True)
    return set(wanted.values_list("pk", flat=True))


def hand_on(turns: Collection[UUID]) -> None:
    """Let another process take these at once."""
    Turn.objects.filter(pk__in=turns, owner=PROCESS, status=Turn.Status.RUNNING).update(
        lease_until=timezone.now(), owner=None
    )


@transaction.atomic
def take_abandoned(limit: int = 10) -> list[Turn]:
    """Take turns whose process is gone. Each counts as a new attempt."""
    gone = Turn.objects.select_for_update(skip_locked=True).filter(
        status=Turn.Status.RUNNING, lease_until__lt=timezone.now()
    )
    ids = list(gone.order_by("lease_until").values_list("pk", flat=True)[:limit])
    Turn.objects.filter(pk__in=ids).update(
        owner=PROCESS, lease_until=timezone.now() + LEASE, attempt=F("attempt") + 1
    )
    return list(Turn.objects.filter(pk__in=ids).select_related("question"))
