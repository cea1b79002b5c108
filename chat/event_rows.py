"""The rows of the log: events become rows and rows become events, and nothing else writes them.

Neighbouring tokens are stored as one. What no database takes is replaced by a fault that says so.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Sequence
from dataclasses import replace
from uuid import UUID

from django.db import DataError, connection, transaction

from chat.contracts.events import Event, Failure, Token, event_from
from chat.db import in_db
from chat.models import TurnEvent

log = logging.getLogger(__name__)

UNSTORABLE = Failure(
    code="internal", message="A part of this could not be kept, so it is not shown.", retryable=True
)
"""Stands in the place of an event that no database takes."""

# One statement and one parameter, however many rows: a quarter of what `bulk_create` costs.
INSERT = f"""
INSERT INTO {TurnEvent._meta.db_table} (turn_id, seq, at, type, data)
SELECT turn, seq, at, type, data
FROM json_to_recordset(%s) AS e (turn uuid, seq int, at timestamptz, type text, data jsonb)
"""


def insert(events: Sequence[Event]) -> None:
    """Store events as rows, all or none. Raises `IntegrityError` if a number is taken."""
    rows = [
        {"turn": str(e.turn), "seq": e.seq, "at": e.at.isoformat(), "type": e.body.TYPE}
        | {"data": e.data()}
        for e in events
    ]
    with connection.cursor() as cursor:
        cursor.execute(INSERT, [json.dumps(rows)])


@transaction.atomic
def insert_what_fits(events: Sequence[Event]) -> list[Event]:
    """Store events as rows, all or none; a fault takes the place of what can never be stored.

    Gives the faults. A row that does not fit today does not fit tomorrow, and to try it for ever
    would hold up its turn and all others.
    """
    faults: list[Event] = []
    for event in events:
        try:
            with transaction.atomic():
                insert([event])
        except DataError:
            log.error("turn %s has a %s that cannot be stored", event.turn, event.body.TYPE)
            faults.append(replace(event, body=UNSTORABLE))
            insert(faults[-1:])
    return faults


def merged(events: Iterable[Event]) -> list[Event]:
    """Neighbouring tokens as one, which carries the last one's number and time."""
    out: list[Event] = []
    run: list[Token] = []
    for event in events:
        if not isinstance(event.body, Token):
            run = []
            out.append(event)
        elif run and _follows(run[-1], event.body):
            run.append(event.body)
            out[-1] = replace(event, body=_joined(run))
        else:
            run = [event.body]
            out.append(event)
    return out


def _follows(before: Token, token: Token) -> bool:
    return before.offset + len(before.text) == token.offset


def _joined(run: Sequence[Token]) -> Token:
    return Token.model_construct(offset=run[0].offset, text="".join(t.text for t in run))


async def stored(turn: UUID, after: int = 0) -> list[Event]:
    """The turn's rows after a number, as events."""
    return await in_db(stored_now, turn, after)


def stored_now(turn: UUID, after: int = 0) -> list[Event]:
    """The same, for code that is off the loop already."""
    rows = TurnEvent.objects.filter(turn_id=turn, seq__gt=after).order_by("seq")
    return [event_from(row.turn_id, row.seq, row.at, row.type, row.data) for row in rows]
