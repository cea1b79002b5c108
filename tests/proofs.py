"""A proof by hand, without a database: the record of one turn in a chain of three."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from chat.contracts.events import Claim, Claims, Event
from chat.contracts.turn_facts import content_of, facts_of
from chat.records.canonical import canonical, content_text, plain, record_text, sha256
from chat.records.proof import Link, Proof
from tests.traces import refund_with_one_rewrite

AT = datetime(2026, 11, 30, 9, 30, tzinfo=UTC)
TALK = UUID("00000000-0000-4000-8000-0000000000c1")
SALT = "5a17" * 8


def turn_with_claims() -> list[Event]:
    """A turn whose answer has a claim that holds and one that does not."""
    events = refund_with_one_rewrite(UUID("00000000-0000-4000-8000-0000000000d2"))
    found = [
        Claim(id="c1", label="refunds reach the card", basis="source", supported=True, by="judge"),
        Claim(
            id="c2", label="the status page", basis="general_knowledge", supported=False, by="code"
        ),
    ]
    last = events[-1]
    told = Event(turn=last.turn, seq=last.seq, at=last.at, body=Claims(claims=tuple(found)))
    end = Event(turn=last.turn, seq=last.seq + 1, at=last.at, body=last.body)
    return [*events[:-1], told, end]


def proof(*, erased: bool = False, **content: Any) -> Proof:
    """The second of three records. `content` replaces parts of what was said."""
    events = turn_with_claims()
    versions = {"code": "0.1.0", "model": "by hand", "settings": "AgentSettings(top_k=6)"}
    facts = canonical(plain(facts_of(events, versions)))
    said = canonical(plain(content_of(events) | content))
    digests = (sha256(facts), sha256(content_text(SALT, plain(content_of(events) | content))))
    chain: list[Link] = []
    for number in (1, 2, 3):
        own = digests if number == 2 else (sha256("other facts"), sha256("other content"))
        previous = chain[-1].digest if chain else ""
        turn = UUID(int=number)
        at = AT + timedelta(minutes=number)
        text = record_text(TALK, turn, number, at, (*own, previous))
        chain.append(Link(number, text, sha256(text)))
    return Proof(
        v=1,
        made_at=AT.isoformat(),
        number=2,
        facts=facts,
        salt="" if erased else SALT,
        content="" if erased else said,
        erased_at=AT.isoformat() if erased else "",
        chain=tuple(chain),
        anchors=(),
        head_count=3,
        head_digest=chain[-1].digest,
    )
