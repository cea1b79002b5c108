"""Chains of records to verify, purge, erase and export; and hands that reach past the rules."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django.db import connection, transaction
from django.utils import timezone

from chat import decision_log
from chat.models import Conversation, DecisionRecord, RecordContent, Turn
from tests import factories

FACTS = {"route": {"decided": "single_shot"}, "passes": []}


def conversation() -> Conversation:
    return Conversation.objects.create(visitor=uuid4(), title="Refunds")


def turn(of: Conversation, question: str = "How long?", **fields: Any) -> Turn:
    """A turn that ended now, or when `finished_at` says."""
    now = timezone.now()
    given = {"started_at": now, "finished_at": now, "status": Turn.Status.FINISHED} | fields
    return factories.turn(of, question, **given)


def chain(of: Conversation, length: int) -> list[DecisionRecord]:
    """As many turns with their sealed records."""
    return [sealed(turn(of, f"How long, {number}?")) for number in range(length)]


def sealed(of: Turn, facts: dict[str, Any] | None = None, **content: Any) -> DecisionRecord:
    with transaction.atomic():
        said = {"question": of.question.text} | content
        return decision_log.seal(of, facts or FACTS, said)


def tamper(sql: str, *values: object) -> None:
    """What only somebody above the owner of the tables could do."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(sql, values)


def remove(record: DecisionRecord) -> None:
    """A record and its content, past the rules."""
    tamper("DELETE FROM chat_recordcontent WHERE record_id = %s", record.pk)
    tamper("DELETE FROM chat_decisionrecord WHERE id = %s", record.pk)


def empty(record: DecisionRecord) -> None:
    """Erase a record's content as an erasure does."""
    RecordContent.objects.filter(record=record).update(
        content=None, salt="", erased_at=timezone.now()
    )
