"""The writer of decision records, and what walks their chains. Nothing else creates one.

A record's digest seals its facts, its number, the salted digest of its content and the
digest before it. The head of a chain stands apart, so that a missing last row is seen.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils import timezone

from chat.models import ChainHead, Conversation, DecisionRecord, RecordContent, Turn


@dataclass(frozen=True, slots=True)
class BrokenLink:
    """Where a chain no longer holds. `number` counts from 1 within the conversation."""

    conversation: UUID
    number: int
    why: str


def seal(turn: Turn, facts: dict[str, Any], content: dict[str, Any]) -> DecisionRecord:
    """Write the record of a finished turn. Call inside the transaction that ends the turn.

    Raises `IntegrityError` if the turn has its record already.
    """
    ChainHead.objects.get_or_create(conversation_id=turn.conversation_id)
    head = ChainHead.objects.select_for_update().get(conversation_id=turn.conversation_id)
    salt = secrets.token_hex(16)
    record = DecisionRecord(
        turn=turn,
        conversation_id=turn.conversation_id,
        number=head.count + 1,
        sealed_at=timezone.now(),
        facts=_plain(facts),
        content_digest=content_digest(salt, content),
        previous_digest=head.digest,
    )
    record.digest = digest_of(record)
    record.save(force_insert=True)
    RecordContent.objects.create(record=record, salt=salt, content=_plain(content))
    head.count, head.digest = record.number, record.digest
    head.save(update_fields=["count", "digest"])
    return record


def digest_of(record: DecisionRecord) -> str:
    """The SHA-256 that seals a record, over a canonical JSON of what it says."""
    sealed = {
        "turn": str(record.turn_id),
        "conversation": str(record.conversation_id),
        "number": record.number,
        "sealed_at": record.sealed_at.isoformat(),
        "facts": record.facts,
        "content": record.content_digest,
        "previous": record.previous_digest,
    }
    return hashlib.sha256(_canonical(sealed)).hexdigest()


def content_digest(salt: str, content: Any) -> str:
    """The digest of a record's content; without the salt nobody can guess it from a text."""
    return hashlib.sha256(salt.encode() + _canonical(_plain(content))).hexdigest()


def verify(conversation: UUID) -> BrokenLink | None:
    """Walk one chain from its first record; the first link that does not hold, or None."""
    previous, number = "", 0
    records = DecisionRecord.objects.filter(conversation_id=conversation).order_by("number")
    for record in records.select_related("content").iterator(chunk_size=500):
        number += 1
        if why := _fault(record, number, previous):
            return BrokenLink(conversation, number, why)
        previous = record.digest
    head = ChainHead.objects.filter(conversation_id=conversation).first()
    return _head_fault(conversation, head, number, previous)


def verify_all() -> Iterator[tuple[UUID, BrokenLink | None]]:
    """Every conversation that has records or an anchor, with its first broken link."""
    anchored = ChainHead.objects.values_list("conversation_id", flat=True)
    recorded = DecisionRecord.objects.values_list("conversation_id", flat=True)
    owners = Conversation.objects.filter(pk__in=anchored.union(recorded))
    for conversation in owners.order_by("created_at").values_list("pk", flat=True):
        yield conversation, verify(conversation)


def _fault(record: DecisionRecord, number: int, previous: str) -> str:
    if record.number != number:
        return f"record {number} is missing"
    if record.previous_digest != previous:
        return "it does not follow the record before it"
    if digest_of(record) != record.digest:
        return "its facts were changed"
    content = getattr(record, "content", None)
    if content is None:
        return "its content row is missing"
    if content.content is not None and (
        content_digest(content.salt, content.content) != record.content_digest
    ):
        return "its content was changed"
    return ""


def _head_fault(
    conversation: UUID, head: ChainHead | None, count: int, digest: str
) -> BrokenLink | None:
    if head is None:
        return BrokenLink(conversation, count, "its anchor is missing") if count else None
    if head.count != count:
        return BrokenLink(conversation, count + 1, f"record {count + 1} is missing at the end")
    if head.digest != digest:
        return BrokenLink(conversation, count, "its anchor does not fit the last record")
    return None


def _canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def _plain(value: Any) -> Any:
    """As PostgreSQL will give it back: enums as text, tuples as lists."""
    return json.loads(json.dumps(value, ensure_ascii=False))
