"""Turns into the queue: each once, with the number of people who are to label it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction

from admin_tracing.models import QueueItem
from admin_tracing.queueing.jobs import MAY_BE_LABELLED
from admin_tracing.queueing.states import recount
from chat.models import Turn

BATCH = 1000
MOST_PEOPLE = 9  # as the setting allows
ORIGIN_LENGTH = 24

INSERT = """
INSERT INTO admin_tracing_queueitem
    (turn_id, origin, wanted, priority, status, added_at, added_by_id)
SELECT turn, %s, wanted, %s, 'open', clock_timestamp(), %s
FROM unnest(%s::uuid[], %s::smallint[]) AS given (turn, wanted)
ON CONFLICT (turn_id) DO NOTHING
RETURNING turn_id
"""


def add(
    turn_ids: Iterable[UUID],
    origin: str,
    *,
    wanted: int | None = None,
    priority: int = 0,
    user: Any = None,
) -> int:
    """Put turns into the queue; gives how many were not there before.

    What cannot be labelled is left out: a turn that runs, one of the lab, one that was erased. A
    turn that is there stays as it is, so that adding again is harmless. Without `wanted` the
    settings say how many people label a turn. Higher `priority` comes first, and
    among equals the one that was given first.
    """
    if wanted is not None and not 1 <= wanted <= MOST_PEOPLE:
        raise ValueError(f"A turn is labelled by 1 to {MOST_PEOPLE} people, not by {wanted}.")
    if not origin or len(origin) > ORIGIN_LENGTH:
        raise ValueError(f"An origin has 1 to {ORIGIN_LENGTH} characters.")
    ids = list(dict.fromkeys(turn_ids))
    batches = (ids[at : at + BATCH] for at in range(0, len(ids), BATCH))
    return sum(_add(batch, origin, wanted, priority, user) for batch in batches)


def wanted_of(turn: UUID) -> int:
    """How many people label a turn, by the settings. Always the same for the same turn."""
    site = settings.PLUMBLINE
    doubled = _place(turn) < site.label_double_share
    return max(site.label_reviews, 2 if doubled else 1)


def _place(turn: UUID) -> float:
    """A turn's place between 0 and 1, the same on every machine and unlike its neighbours'."""
    digest = hashlib.sha256(b"labelled twice " + turn.bytes).digest()
    return int.from_bytes(digest[:8], "big") / 2**64


@transaction.atomic
def _add(ids: list[UUID], origin: str, wanted: int | None, priority: int, user: Any) -> int:
    known = set(Turn.objects.filter(MAY_BE_LABELLED, pk__in=ids).values_list("pk", flat=True))
    fit = [turn for turn in ids if turn in known]
    counts = [wanted or wanted_of(turn) for turn in fit]
    by = user.pk if user is not None else None
    with connection.cursor() as cursor:
        cursor.execute(INSERT, [origin, priority, by, fit, counts])
        made = [row[0] for row in cursor.fetchall()]
    _count_what_stands(made)
    return len(made)


def _count_what_stands(made: list[UUID]) -> None:
    """Labels that were given before their turn came into the queue count."""
    rows = QueueItem.objects.filter(turn__in=made)
    labelled = rows.filter(turn__routinglabels__isnull=False).distinct()
    for turn in labelled.values_list("turn_id", flat=True):
        recount(turn)
