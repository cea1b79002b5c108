"""Who has which item before them. One item a person; a lock ends by the database's clock.

Locks of five minutes that activity renews: who goes for lunch gives the item back by themselves.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from django.db.models import QuerySet
from django.db.models.functions import Now

from admin_tracing.models import QueueLock

HOLD: Final = timedelta(minutes=5)
TAKEN: Final = "Others label this turn, or have done so. Go on with the next."


def live() -> QuerySet[QueueLock]:
    """Locks that have not run out."""
    return QueueLock.objects.filter(until__gt=Now())


def lock(user: Any, turn: UUID) -> None:
    """Put an item before somebody; the one that they had before goes back."""
    QueueLock.objects.bulk_create(
        [QueueLock(item_id=turn, user=user, until=Now() + HOLD)],
        update_conflicts=True,
        unique_fields=["user"],
        update_fields=["item", "until"],
    )


def renew(user: Any, turn: UUID) -> bool:
    """Somebody is at work on an item: five minutes more. False if it is not before them any more.

    A lock that ran out is not renewed: somebody else may have the item by now.
    """
    return bool(live().filter(user=user, item=turn).update(until=Now() + HOLD))


def release(user: Any, turn: UUID | None = None) -> bool:
    """Give the item back at once; False if there was none."""
    mine = QueueLock.objects.filter(user=user)
    rows = mine if turn is None else mine.filter(item=turn)
    return bool(rows.delete()[0])


def holders(turn: UUID) -> set[int]:
    """The keys of the people who have an item before them."""
    return set(live().filter(item=turn).values_list("user", flat=True))


def others(user: Any, turn: UUID, done: Collection[int]) -> int:
    """How many other people have an item or are done with it; somebody who is both counts once."""
    return len((holders(turn) | set(done)) - {user.pk})
