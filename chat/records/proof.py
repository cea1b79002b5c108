"""One record with all that is needed to prove it: the exact texts, up to the head of its chain.

Of the other records there is only the text that was hashed, which names hashes and no facts.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from chat.models import ChainHead, DecisionRecord, PurgeAnchor, RecordContent
from chat.records.canonical import canonical, first_record_text, record_text, sha256

VERSION = 1


class NoRecord(Exception):
    """The turn has no record: it has not ended, or its record was purged."""


@dataclass(frozen=True, slots=True)
class Link:
    """One record of the chain: the text, and the digest that was stored for it."""

    number: int
    text: str
    digest: str


@dataclass(frozen=True, slots=True)
class Anchored:
    """What stands in place of purged records."""

    first: int
    last: int
    digest: str
    purged_at: str
    why: str


@dataclass(frozen=True, slots=True)
class Proof:
    """As the file holds it. `salt` and `content` are empty once content was erased.

    `facts` is empty for a record whose own text holds its facts.
    """

    v: int
    made_at: str
    number: int
    facts: str
    salt: str
    content: str
    erased_at: str
    chain: tuple[Link, ...]
    anchors: tuple[Anchored, ...]
    head_count: int
    head_digest: str

    def data(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def link(self) -> Link:
        return next(link for link in self.chain if link.number == self.number)

    def says(self) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
        """What the record's text, its facts and its content say."""
        record = json.loads(self.link.text)
        facts = json.loads(self.facts) if self.facts else record["facts"]
        return record, facts, json.loads(self.content) if self.content else {}


@transaction.atomic
def proof_of(turn: UUID) -> Proof:
    """Raises `NoRecord`."""
    record = DecisionRecord.objects.select_related("content").filter(turn=turn).first()
    if record is None:
        raise NoRecord("This turn has no record: it has not ended, or its record was purged.")
    head = ChainHead.objects.select_for_update().get(conversation=record.conversation_id)
    chain = _chain(record.conversation_id)
    content: RecordContent | None = getattr(record, "content", None)
    said = content is not None and content.content is not None
    own = next(link for link in chain if link.number == record.number)
    return Proof(
        v=VERSION,
        made_at=timezone.now().isoformat(),
        number=record.number,
        facts=canonical(record.facts) if _names_hashes(own) else "",
        salt=content.salt if content and said else "",
        content=canonical(content.content) if content and said else "",
        erased_at=_iso(content.erased_at) if content else "",
        chain=chain,
        anchors=_anchors(record.conversation_id),
        head_count=head.count,
        head_digest=head.digest,
    )


def _chain(conversation: UUID) -> tuple[Link, ...]:
    rows = DecisionRecord.objects.filter(conversation=conversation).order_by("number")
    return tuple(_link(row) for row in rows.iterator())


def _link(row: DecisionRecord) -> Link:
    name = (row.conversation_id, row.turn_id, row.number, row.sealed_at)
    facts = sha256(canonical(row.facts))
    text = record_text(*name, (facts, row.content_digest, row.previous_digest))
    if sha256(text) != row.digest:
        first = first_record_text(*name, (row.facts, row.content_digest, row.previous_digest))
        text = first if sha256(first) == row.digest else text
    return Link(row.number, text, row.digest)


def _names_hashes(link: Link) -> bool:
    return "v" in json.loads(link.text)


def _anchors(conversation: UUID) -> tuple[Anchored, ...]:
    rows: Sequence[PurgeAnchor] = PurgeAnchor.objects.filter(conversation=conversation)
    return tuple(
        Anchored(row.first, row.last, row.digest, row.purged_at.isoformat(), row.why)
        for row in rows
    )


def _iso(moment: datetime | None) -> str:
    return moment.isoformat() if moment else ""
