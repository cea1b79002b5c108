"""The walk over the chains: one statement, one snapshot, and the first broken link of each.

A chain has a broken link where a record was changed, removed or moved, where content was changed,
where its head or what stands for purged records does not fit, or where a finished turn has none.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection, transaction

from chat.records.canonical import (
    canonical,
    content_text,
    first_record_text,
    record_text,
    sha256,
)

BATCH = 500  # rows at a time


@dataclass(frozen=True, slots=True)
class BrokenLink:
    """Where a chain no longer holds. `number` counts from 1 within the conversation."""

    conversation: UUID
    number: int
    why: str


@dataclass(frozen=True, slots=True)
class Chain:
    """One conversation's records. `purged` stood before them and are anchored."""

    conversation: UUID
    records: int
    purged: int
    erased: int
    broken: BrokenLink | None


class Row(NamedTuple):
    """A record with its chain; `number` is None for a chain without a record."""

    conversation: UUID
    finished: int
    head_count: int | None
    head_digest: str | None
    anchors: str | None
    number: int | None
    turn: UUID
    sealed_at: datetime
    facts: str
    content_digest: str
    previous_digest: str
    digest: str
    content_row: int | None
    salt: str
    content: str | None
    erased_at: datetime | None


@dataclass(slots=True)
class _Walk:
    """How far a chain has been followed: the last record's number and digest."""

    conversation: UUID
    number: int = 0
    digest: str = ""
    records: int = 0
    purged: int = 0
    erased: int = 0
    broken: BrokenLink | None = field(default=None)

    def breaks(self, number: int, why: str) -> None:
        """Only the first one counts: what follows a broken link proves nothing."""
        if self.broken is None:
            self.broken = BrokenLink(self.conversation, number, why)


# Each chain once, whatever is left of it: its head, its records, its anchors, its turns.
CHAINS = """
SELECT chain.conversation_id, COALESCE(ended.finished, 0), head.count, head.digest,
    anchors.anchors, r.number, r.turn_id, r.sealed_at, r.facts::text, r.content_digest,
    r.previous_digest, r.digest, c.id, c.salt, c.content::text, c.erased_at
FROM (
    SELECT conversation_id FROM chat_chainhead UNION
    SELECT conversation_id FROM chat_decisionrecord UNION
    SELECT conversation_id FROM chat_purgeanchor UNION
    SELECT conversation_id FROM chat_turn WHERE status = 'finished'
) AS chain
LEFT JOIN chat_chainhead head USING (conversation_id)
LEFT JOIN (
    SELECT conversation_id, jsonb_agg(jsonb_build_array(first, last, digest) ORDER BY first)::text
        AS anchors
    FROM chat_purgeanchor GROUP BY conversation_id
) AS anchors USING (conversation_id)
LEFT JOIN (
    SELECT conversation_id, count(*) AS finished FROM chat_turn WHERE status = 'finished'
    GROUP BY conversation_id
) AS ended USING (conversation_id)
LEFT JOIN chat_decisionrecord r USING (conversation_id)
LEFT JOIN chat_recordcontent c ON c.record_id = r.id
{where}
ORDER BY chain.conversation_id, r.number
"""
OF_ONE = "WHERE chain.conversation_id = %s"


def verify(conversation: UUID) -> BrokenLink | None:
    """Walk one chain; the first link that does not hold, or None."""
    walked = list(chains(conversation))  # to the end, so that its transaction is over
    return walked[0].broken if walked else None


def chains(conversation: UUID | None = None) -> Iterator[Chain]:
    """Walk every chain, or one, in one pass over one snapshot of the database."""
    for of_chain, rows in groupby(_rows(conversation), key=attrgetter("conversation")):
        yield _walked(of_chain, rows)


def _rows(conversation: UUID | None) -> Iterator[Row]:
    where, values = (OF_ONE, [str(conversation)]) if conversation else ("", [])
    with transaction.atomic(), connection.chunked_cursor() as cursor:
        cursor.execute(CHAINS.format(where=where), values)
        while rows := cursor.fetchmany(BATCH):
            yield from (Row(*row) for row in rows)


def _walked(conversation: UUID, rows: Iterator[Row]) -> Chain:
    walk = _Walk(conversation)
    row = next(rows)
    _past_anchors(walk, json.loads(row.anchors) if row.anchors else ())
    head = row
    if row.number is not None:
        _past(walk, row)
        for row in rows:
            _past(walk, row)
    _up_to_head(walk, head)
    return Chain(conversation, walk.records, walk.purged, walk.erased, walk.broken)


def _past_anchors(walk: _Walk, anchors: Sequence[tuple[int, int, str]]) -> None:
    """What was purged; the chain goes on from the last anchor's digest."""
    for first, last, digest in anchors:
        if first != walk.number + 1 or last < first:
            walk.breaks(first, "what stands for purged records does not fit")
        walk.number, walk.digest, walk.purged = last, digest, last


def _past(walk: _Walk, row: Row) -> None:
    """One more record. Of a broken chain, records are only counted."""
    walk.records += 1
    walk.erased += row.erased_at is not None
    if walk.broken is not None:
        return
    if why := _fault(row, walk.number + 1, walk.digest):
        walk.breaks(walk.number + 1, why)
    walk.number, walk.digest = row.number or 0, row.digest


def _fault(row: Row, number: int, previous: str) -> str:
    if row.number != number:
        return f"record {number} is missing"
    if row.previous_digest != previous:
        return "it does not follow the record before it"
    if row.digest != _digest(row) and row.digest != _first_digest(row):
        return "it was changed"
    if row.content_row is None:
        return "its content row is missing"
    if row.content is None:
        return "" if row.erased_at else "its content is gone without an erasure"
    content = content_text(row.salt, json.loads(row.content))
    return "" if sha256(content) == row.content_digest else "its content was changed"


def _digest(row: Row) -> str:
    facts = sha256(canonical(json.loads(row.facts)))
    return sha256(record_text(*_name(row), (facts, row.content_digest, row.previous_digest)))


def _first_digest(row: Row) -> str:
    parts = (json.loads(row.facts), row.content_digest, row.previous_digest)
    return sha256(first_record_text(*_name(row), parts))


def _name(row: Row) -> tuple[Any, Any, Any, datetime]:
    return row.conversation, row.turn, row.number, row.sealed_at


def _up_to_head(walk: _Walk, row: Row) -> None:
    """The head says how many records there were, and the turns say so too."""
    if row.head_count is None:
        if walk.number or row.finished:
            walk.breaks(max(walk.number, 1), _without_head(walk))
    elif row.head_count > walk.number:
        walk.breaks(walk.number + 1, f"record {walk.number + 1} is missing at the end")
    elif (row.head_count, row.head_digest) != (walk.number, walk.digest):
        walk.breaks(walk.number, "its head does not fit the last record")
    if row.finished > walk.number:
        walk.breaks(walk.number + 1, f"{row.finished - walk.number} finished turns have no record")


def _without_head(walk: _Walk) -> str:
    return "its head is missing" if walk.number else "its records and its head are missing"
