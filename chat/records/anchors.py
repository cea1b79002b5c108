"""What is kept elsewhere so that even who owns the database cannot write its past anew.

An anchor is one line of JSON over the heads of all chains as they stand. Later the same heads are
found again among the records, or among what stands for purged ones, and must give the same digest.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from chat.records.canonical import sha256

VERSION = 1
LOCK_WAIT = "5s"  # that a turn which is just ending may take


class BadAnchor(Exception):
    """A line that is no anchor; the message says so."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """`upto` is the id of the newest record, and the line between before and after."""

    v: int
    time: str
    chains: int
    records: int
    upto: int
    digest: str

    def line(self) -> str:
        return json.dumps(asdict(self))


# A head as it stood: the highest number of each chain among what was there by then.
HEADS = """
WITH known AS (
    SELECT id, conversation_id, number, digest FROM chat_decisionrecord WHERE id <= %(upto)s
    UNION ALL
    SELECT (each ->> 0)::bigint, conversation_id, (first + place - 1)::int, each ->> 1
    FROM chat_purgeanchor, jsonb_array_elements(removed) WITH ORDINALITY AS gone(each, place)
    WHERE (each ->> 0)::bigint <= %(upto)s
), heads AS (
    SELECT DISTINCT ON (conversation_id) conversation_id, number, digest
    FROM known ORDER BY conversation_id, number DESC
)
SELECT (SELECT count(*) FROM heads), (SELECT count(*) FROM known), (
    SELECT string_agg(conversation_id || ' ' || number || ' ' || digest, E'\\n'
        ORDER BY conversation_id) FROM heads
)
"""


def take() -> Anchor:
    """The heads as they stand now. Turns that are just ending are waited for, for an instant."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL lock_timeout = '{LOCK_WAIT}'")
        # Whoever seals holds its head until its record is there; so no lower id comes later.
        cursor.execute("LOCK TABLE chat_chainhead IN EXCLUSIVE MODE")
        cursor.execute("SELECT COALESCE(max(id), 0) FROM chat_decisionrecord")
        upto = max(cursor.fetchone()[0], _newest_removed(cursor))
    return _at(upto, timezone.now().isoformat())


def read(line: str) -> Anchor:
    """Raises `BadAnchor`."""
    try:
        values: Mapping[str, Any] = json.loads(line)
        anchor = Anchor(**values)
    except (ValueError, TypeError):
        raise BadAnchor("a line of the file is no anchor") from None
    if anchor.v != VERSION:
        raise BadAnchor(f"anchors of version {anchor.v} are not known here")
    return anchor


def difference(then: Anchor) -> str:
    """What is not as it was when the anchor was taken, in words; nothing if all is."""
    now = _at(then.upto, then.time)
    if now == then:
        return ""
    if now.records != then.records:
        return f"there were {then.records:,} records, and {now.records:,} of them are left"
    if now.chains != then.chains:
        return f"there were {then.chains:,} chains, and there are {now.chains:,}"
    return "a record that was there has been replaced"


def _at(upto: int, time: str) -> Anchor:
    with connection.cursor() as cursor:
        cursor.execute(HEADS, {"upto": upto})
        chains, records, heads = cursor.fetchone()
    return Anchor(VERSION, time, chains, records, upto, sha256(heads or ""))


def _newest_removed(cursor: Any) -> int:
    cursor.execute(
        "SELECT COALESCE(max((each ->> 0)::bigint), 0)"
        " FROM chat_purgeanchor, jsonb_array_elements(removed) AS each"
    )
    return int(cursor.fetchone()[0])
