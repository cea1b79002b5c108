"""The writer of decision records. Nothing else creates one.

A record's digest seals its facts, its number, the salted digest of its content and the
digest before it. The head of a chain stands apart, so that a missing last row is seen.
"""

from __future__ import annotations

import secrets
from typing import Any

from django.utils import timezone

from chat.models import ChainHead, DecisionRecord, RecordContent, Turn
from chat.records.canonical import canonical, content_text, plain, record_text, sha256


def seal(turn: Turn, facts: dict[str, Any], content: dict[str, Any]) -> DecisionRecord:
    """Write the record of a finished turn. Call inside the transaction that ends the turn.

    Raises `IntegrityError` if the turn has its record already.
    """
    ChainHead.objects.get_or_create(conversation_id=turn.conversation_id)
    head = ChainHead.objects.select_for_update().get(conversation_id=turn.conversation_id)
    salt, facts, content = secrets.token_hex(16), plain(facts), plain(content)
    record = DecisionRecord(
        turn=turn,
        conversation_id=turn.conversation_id,
        number=head.count + 1,
        sealed_at=timezone.now(),
        facts=facts,
        content_digest=sha256(content_text(salt, content)),
        previous_digest=head.digest,
    )
    record.digest = _digest_of(record)
    record.save(force_insert=True)
    RecordContent.objects.create(record=record, salt=salt, content=content)
    head.count, head.digest = record.number, record.digest
    head.save(update_fields=["count", "digest"])
    return record


def _digest_of(record: DecisionRecord) -> str:
    return sha256(
        record_text(
            record.conversation_id,
            record.turn_id,
            record.number,
            record.sealed_at,
            (sha256(canonical(record.facts)), record.content_digest, record.previous_digest),
        )
    )
