"""Reads the turns that lacked something: answers with a gap, and questions that found nothing."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection

from admin_tracing.counted import SHOWS, counted
from admin_tracing.days import Days
from admin_tracing.running.gaps import Lack
from chat.contracts.events import Answer, Retrieval, Rewrite, Verdicts
from chat.models import Chunk

NEWEST = 2_000  # turns that are looked at

# Of each event only the part that is needed: a turn's hits and verdicts are long. Turn by turn,
# by the index: as one condition on so many turns it would read the events of all turns there are.
PARTS = f"""
SELECT wanted.turn, event.type, event.part FROM unnest(%(turns)s::uuid[]) AS wanted(turn)
CROSS JOIN LATERAL (
    SELECT seq, type, (CASE type
        WHEN '{Answer.TYPE}' THEN data->'gaps'
        WHEN '{Verdicts.TYPE}' THEN data->'covered'
        WHEN '{Retrieval.TYPE}' THEN data->'hits'->0->'chunk'
        ELSE data->'after' END)::text AS part
    FROM chat_turnevent WHERE turn_id = wanted.turn AND type = ANY(%(types)s) OFFSET 0
) AS event
ORDER BY wanted.turn, event.seq
"""
TYPES = [body.TYPE for body in (Answer, Verdicts, Retrieval, Rewrite)]

Parts = Mapping[str, list[Any]]
"""What the events of a turn say, by their type, in order."""


def lacks(days: Days, *, sensitive: bool, versions: int | None = None) -> list[Lack]:
    """What the newest `NEWEST` such turns of a window lacked. Two queries.

    Turns that tell of health are among them only where that is said; those whose text is gone
    never are.
    """
    turns = counted(days.since, days.until).filter(SHOWS["gap"] | SHOWS["nothing_found"])
    turns = turns.filter(erased_at=None).exclude(question__text="")
    if not sensitive:
        turns = turns.filter(is_sensitive=False)
    if versions is not None:
        turns = turns.filter(versions_id=versions)
    rows = turns.order_by("-started_at", "-pk").values_list("pk", "started_at", "question__text")
    found = list(rows[:NEWEST])
    parts = _parts([pk for pk, _, _ in found])
    return [lack for pk, at, text in found for lack in lacks_of(pk, at, text, parts.get(pk, {}))]


def lacks_of(turn: UUID, at: datetime, question: str, parts: Parts) -> Iterable[Lack]:
    """What the answer says that it lacks, or what was not covered at last, or all that was asked.

    Pure.
    """
    told = [item for gaps in parts.get(Answer.TYPE, ()) for item in gaps or ()]
    covered = (parts.get(Verdicts.TYPE) or [{}])[-1] or {}
    open_items = [item for item, is_found in covered.items() if not is_found]
    sections = [chunk for chunk in parts.get(Retrieval.TYPE, ()) if chunk]
    section = sections[0] if sections else ""
    tried = tuple(str(after) for after in parts.get(Rewrite.TYPE, ()) if after)
    for asked in dict.fromkeys(told or open_items or [question]):
        yield Lack(turn, at, question, asked, bool(told), section, tried)


def titles(sections: Iterable[str]) -> dict[str, str]:
    """`Refunds · Refund timing` by the key of a current section; unknown ones are left out."""
    rows = Chunk.objects.filter(is_current=True, key__in=set(sections))
    found = rows.values_list("key", "version__document__title", "heading")
    return {key: " · ".join(filter(None, (title, heading))) for key, title, heading in found}


def _parts(turns: list[UUID]) -> dict[UUID, Parts]:
    found: defaultdict[UUID, defaultdict[str, list[Any]]]
    found = defaultdict(lambda: defaultdict(list))
    if turns:
        with connection.cursor() as cursor:
            cursor.execute(PARTS, {"turns": turns, "types": TYPES})
            for turn, type_, part in cursor.fetchall():
                found[turn][type_].append(json.loads(part) if part else None)
    return dict(found)
