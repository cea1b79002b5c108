"""Takes away what was said in turns, everywhere it is kept, and leaves the figures and the proof.

Set-based, for a person's erasure and for retention alike. Of a turn's events only its end stays,
which holds no words. The record keeps its facts, which hold none either, and the digest of its
content; the salt goes, so that nobody can try texts against the digest. Call it in a transaction
that holds the conversations' rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection

from chat.contracts.events import BODY_OF, TurnFinished

GONE = "removed"  # the name of a file whose name is not kept


@dataclass(slots=True)
class Counts:
    """Rows by what they are; only what was really changed is counted."""

    of: dict[str, int] = field(default_factory=dict)

    def add(self, other: Mapping[str, int]) -> None:
        for name, count in other.items():
            self.of[name] = self.of.get(name, 0) + count

    def words(self) -> Iterator[str]:
        return (f"{count:,} {name}" for name, count in self.of.items())


# In this order: a question goes when every turn that asks it has gone.
OF_TURNS = {
    "turns": """
UPDATE chat_turn SET erased_at = %(at)s WHERE id = ANY(%(turns)s) AND erased_at IS NULL
""",
    "events": """
DELETE FROM chat_turnevent WHERE turn_id = ANY(%(turns)s) AND type <> %(end)s
""",
    "messages": """
UPDATE chat_message AS m SET text = '' WHERE text <> '' AND (
    m.turn_id = ANY(%(turns)s)
    OR m.id IN (SELECT question_id FROM chat_turn WHERE id = ANY(%(turns)s))
    AND NOT EXISTS (
        SELECT 1 FROM chat_turn AS t WHERE t.question_id = m.id AND t.erased_at IS NULL
    )
)
""",
    "records' contents": """
UPDATE chat_recordcontent SET content = NULL, salt = '', erased_at = %(at)s
FROM chat_decisionrecord AS r
WHERE record_id = r.id AND r.turn_id = ANY(%(turns)s) AND content IS NOT NULL
""",
    "pauses": """
UPDATE chat_pause SET question = '', options = '[]', reply = '', checkpoint = NULL
WHERE turn_id = ANY(%(turns)s) AND (question <> '' OR reply <> '' OR checkpoint IS NOT NULL)
""",
    "feedback notes": """
UPDATE chat_feedback SET note = '', reason = ''
WHERE turn_id = ANY(%(turns)s) AND (note <> '' OR reason <> '')
""",
    "tickets": """
UPDATE chat_ticket SET subject = '', description = ''
WHERE turn_id = ANY(%(turns)s) AND (subject <> '' OR description <> '')
""",
    "lines of the admin's log": """
UPDATE django_admin_log SET object_repr = '', change_message = ''
WHERE content_type_id = (
    SELECT id FROM django_content_type WHERE app_label = 'chat' AND model = 'ticket'
) AND object_id IN (SELECT id::text FROM chat_ticket WHERE turn_id = ANY(%(turns)s))
    AND object_repr <> ''
""",
    "attachments": """
UPDATE chat_attachment SET name = %(gone)s, text = '', data = NULL, sha256 = ''
WHERE sha256 <> '' AND message_id IN (
    SELECT m.id FROM chat_message AS m JOIN chat_turn AS t ON t.question_id = m.id
    WHERE t.id = ANY(%(turns)s) AND m.text = ''
)
""",
}
# A title is made of a conversation's first question.
TITLES = """
UPDATE chat_conversation AS c SET title = '' WHERE title <> '' AND EXISTS (
    SELECT 1 FROM (
        SELECT id FROM chat_turn WHERE conversation_id = c.id ORDER BY started_at LIMIT 1
    ) AS opening WHERE opening.id = ANY(%(turns)s)
) AND id IN (SELECT conversation_id FROM chat_turn WHERE id = ANY(%(turns)s))
"""
TRACE = "DELETE FROM chat_turnevent WHERE turn_id = ANY(%(turns)s) AND type = ANY(%(types)s)"
STAFF_TYPES = [name for name, body in BODY_OF.items() if body.AUDIENCE != "user"]
ATTACHMENTS = """
UPDATE chat_attachment SET name = %(gone)s, text = '', data = NULL, sha256 = ''
WHERE id = ANY(%(attachments)s)
"""


def content_of_turns(turns: Sequence[UUID], at: datetime) -> dict[str, int]:
    """What was said in these turns, which have ended. Rows by what they are."""
    values = {"turns": list(turns), "at": at, "end": TurnFinished.TYPE, "gone": GONE}
    found = {name: _run(statement, values) for name, statement in OF_TURNS.items()}
    return found | {"titles": _run(TITLES, values)}


def trace_of_turns(turns: Sequence[UUID]) -> int:
    """The events that staff alone see."""
    return _run(TRACE, {"turns": list(turns), "types": STAFF_TYPES})


def attachments(of: Sequence[UUID]) -> int:
    """Text, picture, name and fingerprint of files."""
    return _run(ATTACHMENTS, {"attachments": list(of), "gone": GONE})


def _run(statement: str, values: Mapping[str, Any]) -> int:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return max(cursor.rowcount, 0)
