"""A turn whose person is quoted in every place that their words can reach, and a look at all."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.utils import timezone

from admin_tracing.models import GroundednessLabel, Incident, RecordRead, RoutingLabel
from chat.contracts.events import Answer, Token, TurnFinished
from chat.models import (
    Attachment,
    Conversation,
    Feedback,
    Message,
    Pause,
    Tape,
    Ticket,
    Turn,
    TurnEvent,
)
from tests import chains, factories, traces

CANARY = "quetzal"


def everything(talk: Conversation, **turn_fields: Any) -> Turn:
    """A turn with the canary in every text that a person's words may have reached."""
    events = [
        event
        for event in traces.refund_with_one_rewrite(uuid4())
        if not isinstance(event.body, TurnFinished | Token | Answer)
    ]
    turn = chains.turn(talk, f"{CANARY} asks", id=events[0].turn, **turn_fields)
    factories.store(events)
    newest = events[-1].seq
    for number, type_ in enumerate(("answer", "token", "question", "turn_finished"), newest + 1):
        data = {"text": CANARY} if type_ != "turn_finished" else {"termination": "answered"}
        TurnEvent.objects.create(turn=turn, seq=number, at=timezone.now(), type=type_, data=data)
    chains.sealed(turn, answer=f"{CANARY} is told", passages={"a#1": CANARY})
    _beside(turn)
    return turn


def _beside(turn: Turn) -> None:
    talk, now = turn.conversation, timezone.now()
    Message.objects.create(
        conversation=talk, parent=turn.question, author="agent", text=CANARY, turn=turn
    )
    Message.objects.create(conversation=talk, author="staff", text=f"Dear {CANARY}")
    Attachment.objects.create(
        message=turn.question,
        ordinal=1,
        kind="image",
        name=f"{CANARY}.png",
        media_type="image/png",
        size=9,
        sha256="a" * 64,
        text=CANARY,
        data=CANARY.encode(),
    )
    Pause.objects.create(
        turn=turn,
        kind="clarification",
        question=f"Which {CANARY}?",
        options=[CANARY],
        seq=1,
        elapsed_ms=1.0,
        asked_at=now,
        expires_at=now,
        status="answered",
        reply=CANARY,
        checkpoint={"question": CANARY},
    )
    Tape.objects.create(turn=turn, schema=1, calls=[{"given": {"question": CANARY}}])
    Feedback.objects.create(turn=turn, vote="down", reason=CANARY, note=CANARY)
    ticket = Ticket.objects.create(key=str(turn.pk), turn=turn, subject=CANARY, description=CANARY)
    _staff(turn, ticket)


def _staff(turn: Turn, ticket: Ticket) -> None:
    """What staff wrote about the turn."""
    staff = factories.user(f"staff-{turn.pk}", is_staff=True)
    LogEntry.objects.create(
        user=staff,
        content_type=ContentType.objects.get_for_model(Ticket),
        object_id=str(ticket.pk),
        object_repr=str(ticket),
        action_flag=CHANGE,
        change_message=f"[{CANARY}]",
    )
    RoutingLabel.objects.create(turn=turn, user=staff, needed="direct", note=CANARY)
    label = GroundednessLabel.objects.create(
        turn=turn, user=staff, grounded="no", correct="no", note=CANARY
    )
    Incident.objects.create(
        category="data_leak",
        severity="high",
        computed="high",
        owner="Reviewers",
        title=f"About {CANARY}",
        note=CANARY,
        turn=turn,
        label=label,
    )
    RecordRead.objects.create(record=turn.record, user=staff)


def every_cell() -> str:
    """All rows of all tables as one text; bytes stand in hex."""
    with connection.cursor() as cursor:
        cells = []
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT to_jsonb(t)::text FROM "{table}" AS t')
            cells += [row[0] for row in cursor.fetchall()]
    return "\n".join(cells)
