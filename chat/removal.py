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


TAPES = "DELETE FROM chat_tape WHERE turn_id = ANY(%(turns)s)"
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
    "tapes": TAPES,
    "records' contents": """
UPDATE chat_recordcontent SET content = NULL, salt = '', erased_at = %(at)s
FROM chat_decisionrecord AS r
WHERE record_id = r.id AND r.turn_id = ANY(%(turns)s) AND content IS NOT NULL
""",
    "pauses": """
UPDATE chat_pause SET question = '', options = '[]', reply = '', checkpoint = NULL
WHERE turn_id = ANY(%(turns)s) AND (question <> '' OR reply <> '' OR checkpoint IS NOT NULL)
""",
    "lab questions": """
UPDATE chat_labquestion SET question = '', is_active = FALSE
WHERE source_id = ANY(%(turns)s) AND question <> ''
""",
    "filters of re-runs": """
UPDATE chat_rerunbatch SET filters = filters - 'q' - 'person'
WHERE id IN (SELECT batch_id FROM chat_rerun WHERE source_id = ANY(%(turns)s))
    AND filters ?| ARRAY['q', 'person']
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
TRACE = {
    "events": """
DELETE FROM chat_turnevent WHERE turn_id = ANY(%(turns)s) AND type = ANY(%(types)s)
""",
    "tapes": TAPES,
}
STAFF_TYPES = [name for name, body in BODY_OF.items() if body.AUDIENCE != "user"]
# What a file says stands in the tapes of every turn that could search it.
ATTACHMENTS = {
    "attachments": """
UPDATE chat_attachment SET name = %(gone)s, text = '', data = NULL, sha256 = ''
WHERE id = ANY(%(attachments)s)
""",
    "tapes": """
WITH RECURSIVE could AS (
    SELECT t.id FROM chat_turn AS t
    JOIN chat_message AS m ON m.conversation_id = t.conversation_id
    JOIN chat_attachment AS a ON a.message_id = m.id
    WHERE a.id = ANY(%(attachments)s)
    UNION SELECT r.turn_id FROM chat_rerun AS r JOIN could ON r.source_id = could.id
)
DELETE FROM chat_tape WHERE turn_id IN (SELECT id FROM could)
""",
}
# A batch was looked for among one person's turns, whether or not it then had any of them.
OF_PERSON = """
UPDATE chat_rerunbatch SET filters = filters - 'q' - 'person'
WHERE filters ->> 'person' = ANY(%(names)s)
"""
# What fewer people may read from now on. A question of the lab is read by too many, so it goes.
SENSITIVE = {
    "turns": """
UPDATE chat_turn SET is_sensitive = TRUE WHERE id = ANY(%(turns)s) AND NOT is_sensitive
""",
    "tapes": TAPES,
    "lab questions": OF_TURNS["lab questions"],
}
# Re-runs hold the words of their source, and turns of the lab those of the turn that their question
# was made from; `chat.lab_questions` gives the title by which they are found.
COPIES = """
WITH RECURSIVE copied AS (
    SELECT id, id AS of FROM unnest(%(turns)s::uuid[]) AS id
    UNION SELECT found.id, copied.of FROM copied CROSS JOIN LATERAL (
        SELECT r.turn_id AS id FROM chat_rerun AS r
        WHERE r.source_id = copied.id AND r.turn_id IS NOT NULL
        UNION ALL
        SELECT t.id FROM chat_labquestion AS q
        JOIN chat_conversation AS c
            ON c.is_lab AND starts_with(c.title, 'Lab question ' || q.id || ': ')
        JOIN chat_turn AS t ON t.conversation_id = c.id
        WHERE q.source_id = copied.id
    ) AS found
)
SELECT t.id, t.conversation_id, copied.of, t.status = 'finished'
FROM copied JOIN chat_turn AS t ON t.id = copied.id WHERE t.id <> copied.of
"""
ORIGINS = """
WITH RECURSIVE from_turn AS (
    SELECT id AS of, id FROM unnest(%(turns)s::uuid[]) AS id
    UNION SELECT from_turn.of, r.source_id FROM from_turn JOIN chat_rerun AS r
        ON r.turn_id = from_turn.id
)
SELECT from_turn.of, t.conversation_id FROM from_turn JOIN chat_turn AS t ON t.id = from_turn.id
WHERE t.id <> from_turn.of
"""


@dataclass(frozen=True, slots=True)
class Copy:
    """A turn that holds the words of the turn `of`."""

    turn: UUID
    conversation: UUID
    of: UUID
    is_finished: bool


def content_of_turns(turns: Sequence[UUID], at: datetime) -> dict[str, int]:
    """What was said in these turns, which have ended. Rows by what they are."""
    values = {"turns": list(turns), "at": at, "end": TurnFinished.TYPE, "gone": GONE}
    return _run_all(OF_TURNS, values) | {"titles": _run(TITLES, values)}


def filters_about(names: Sequence[str]) -> dict[str, int]:
    """The filters of re-runs that name a person, in the words of the list's filter."""
    return {"filters of re-runs": _run(OF_PERSON, {"names": list(names)})}


def copies_of_turns(turns: Sequence[UUID]) -> list[Copy]:
    """What holds the same words: re-runs, those of re-runs, and what the lab asked."""
    return [Copy(*row) for row in _rows(COPIES, turns)]


def only_for_few(turn: UUID) -> dict[str, int]:
    """A turn turns out to tell of somebody's health, and so does all that holds its words."""
    turns = [turn, *(copy.turn for copy in copies_of_turns([turn]))]
    return _run_all(SENSITIVE, {"turns": turns})


def origins_of_turns(turns: Sequence[UUID]) -> list[tuple[UUID, UUID]]:
    """Of the re-runs among these: the turn, and the conversation of each turn that it came from."""
    return [(turn, conversation) for turn, conversation in _rows(ORIGINS, turns)]


def trace_of_turns(turns: Sequence[UUID]) -> dict[str, int]:
    """What staff alone see: their events, and what models were given."""
    return _run_all(TRACE, {"turns": list(turns), "types": STAFF_TYPES})


def attachments(of: Sequence[UUID]) -> dict[str, int]:
    """Text, picture, name and fingerprint of files, wherever they are kept."""
    return _run_all(ATTACHMENTS, {"attachments": list(of), "gone": GONE})


def _run_all(statements: Mapping[str, str], values: Mapping[str, Any]) -> dict[str, int]:
    return {name: _run(statement, values) for name, statement in statements.items()}


def _run(statement: str, values: Mapping[str, Any]) -> int:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return max(cursor.rowcount, 0)


def _rows(statement: str, turns: Sequence[UUID]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, {"turns": list(turns)})
        return list(cursor.fetchall())
