"""A turn as somebody labels it: its question, answer and sources, and no verdict on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar
from uuid import UUID

from django.utils.safestring import SafeString

from chat.contracts.events import Answer, Claim, Claims, Event, event_from
from chat.contracts.passages import Citation
from chat.models import Turn
from chat.render import render

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Asked:
    """`answer` is rendered, None where there is none; its markers lead to the sources below it."""

    turn: UUID
    at: datetime
    question: str
    answer: SafeString | None
    citations: Sequence[Citation]
    claims: Sequence[Claim]


def asked(turn: Turn) -> Asked:
    """Reads the turn's last answer and claims from its log."""
    rows = turn.events.filter(type__in=(Answer.TYPE, Claims.TYPE)).order_by("seq")
    events = [event_from(r.turn_id, r.seq, r.at, r.type, r.data) for r in rows]
    answer = _last(events, Answer)
    claims = _last(events, Claims)
    return Asked(
        turn.pk,
        turn.started_at,
        turn.question.text,
        render(answer.text, "#source-", count=len(answer.citations)) if answer else None,
        answer.citations if answer else (),
        claims.claims if claims else (),
    )


def _last(events: Sequence[Event], kind: type[T]) -> T | None:
    found = [event.body for event in events if isinstance(event.body, kind)]
    return found[-1] if found else None
