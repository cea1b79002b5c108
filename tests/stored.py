"""Turns by hand as rows: the stories of `tests.traces` in the database."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from chat import decision_log
from chat.contracts.events import Answer, Event, TurnFinished, TurnStarted
from chat.models import Chunk, Document, DocumentVersion, Message
from tests import factories
from tests.traces import ANSWER, START, refund_with_one_rewrite

TIMING = "Refunds reach the card within 5 to 10 business days after we approve them."


def finished_turn(events: Sequence[Event] | None = None, **fields: Any) -> Any:
    """A turn that ended, with its events, its answer and the figures that lists show."""
    told = list(events) if events is not None else refund_with_one_rewrite()
    end = next(e.body for e in told if isinstance(e.body, TurnFinished))
    given = {
        "status": "finished",
        "termination": end.termination,
        "route_decided": "single_shot",
        "route_taken": "single_shot",
        "route_confidence": 0.71,
        "passes": end.passes,
        "model_calls": end.model_calls,
        "tokens": end.tokens.total,
        "cost": end.cost,
        "ms": end.ms,
    }
    turn = running_turn(told, **(given | fields))
    for event in told:
        if isinstance(event.body, Answer):
            _say(turn, event.body.text)
    return turn


def running_turn(events: Sequence[Event], **fields: Any) -> Any:
    """A turn with these events, as far as they go."""
    asked = next((e.body.question for e in events if isinstance(e.body, TurnStarted)), "")
    given: dict[str, Any] = {"id": events[0].turn, "started_at": events[0].at, "question": asked}
    turn = factories.turn(**(given | fields))
    factories.store(events)
    return turn


def record(turn: Any, **facts: Any) -> Any:
    """The sealed record of a turn."""
    with transaction.atomic():
        content = {"question": turn.question.text, "answer": ANSWER}
        return decision_log.seal(
            turn, {"finished": {"termination": turn.termination}} | facts, content
        )


def turns(count: int, *, newest: datetime = START, **fields: Any) -> list[Any]:
    """Ended turns a minute apart, newest first."""
    given: dict[str, Any] = {"status": "finished", "termination": "answered", "ms": 412.0}
    return [
        factories.turn(
            question=f"Question {number}",
            **({"started_at": newest - timedelta(minutes=number)} | given | fields),
        )
        for number in range(count)
    ]


def chunk(key: str = "refunds#refund-timing", text: str = TIMING, number: int = 1) -> Any:
    """A chunk of a version of its own; only the highest version is current."""
    slug = key.partition("#")[0]
    document, _ = Document.objects.get_or_create(slug=slug, defaults={"title": slug.title()})
    document.versions.update(is_current=False)
    version = DocumentVersion.objects.create(
        document=document,
        number=number,
        content_hash=f"{number:064d}",
        embedding_model="by hand",
        is_current=True,
    )
    return Chunk.objects.create(
        version=version,
        key=key,
        ordinal=0,
        heading="Refund timing",
        text=text,
        is_current=True,
        embedding=[0.0] * 384,
        tsv="",
        tsv_exact="",
    )


def _say(turn: Any, text: str) -> None:
    answer = Message.objects.create(
        conversation=turn.conversation,
        parent=turn.question,
        author=Message.Author.AGENT,
        text=text,
        turn=turn,
    )
    turn.conversation.selected_leaf = answer
    turn.conversation.save()
