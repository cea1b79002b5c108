"""What a turn waits for: asked, answered once, or expired. Transactions, and no model or socket.

The row of a pause, its turn's state and its event change in one transaction, under a lock on
the turn's row. So of two answers one wins, a stop is never lost, and a kill at any moment
leaves either a turn that waits or one that some process goes on with.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction
from django.utils import timezone

from chat import tapes, turns
from chat.closing import TurnLost, Void, void_of
from chat.contracts import tasks
from chat.contracts.errors import NothingWaiting
from chat.contracts.events import Action, Clarification, Event
from chat.contracts.tasks import PauseReply
from chat.event_rows import insert, merged, stored_now
from chat.identity import Person
from chat.keeping import screened, tells_of_health
from chat.leases import LEASE, PROCESS
from chat.models import Pause, Turn

EXPIRY = {"clarification": timedelta(minutes=30), "action": timedelta(minutes=15)}


class StopWanted(Exception):
    """Somebody wants this turn stopped, so it does not begin to wait."""


@dataclass(frozen=True, slots=True)
class Asking:
    """A question to the person on its way into the database. `elapsed_ms` was worked so far."""

    pause: tasks.Pause
    checkpoint: Mapping[str, Any]
    elapsed_ms: float
    void: Void
    id: UUID
    expires_at: datetime

    def body(self) -> Clarification | Action:
        """The event that asks."""
        pause = self.pause
        if pause.kind == "clarification":
            return Clarification(
                question=pause.question, options=pause.options[:3], expires_at=self.expires_at
            )
        return Action(
            action=str(self.id),
            tool=pause.tool,
            summary=pause.question,
            irreversible=pause.irreversible,
            expires_at=self.expires_at,
        )


@dataclass(frozen=True, slots=True)
class Point:
    """Where a turn goes on: the answered pause, and what the person said or did not say."""

    pause: tasks.Pause
    reply: PauseReply
    seq: int
    elapsed_ms: float
    checkpoint: Mapping[str, Any]
    void: Void

    @property
    def kind(self) -> str:
        """Clarification or action."""
        return self.pause.kind

    @property
    def outcome(self) -> str:
        """What became of it, for who counts: expired, answered, agreed or declined."""
        if self.reply.expired:
            return "expired"
        if self.kind == Pause.Kind.CLARIFICATION:
            return "answered"
        return "agreed" if self.reply.approved else "declined"


@dataclass(frozen=True, slots=True)
class Resumption:
    """A turn that this process goes on with: all its events, and from where.

    Without a `point` it begins again at its question.
    """

    begun: turns.Begun
    events: Sequence[Event]
    point: Point | None


def asking(
    pause: tasks.Pause, checkpoint: Mapping[str, Any], elapsed_ms: float, void: Void
) -> Asking:
    """A new question, which can be answered from now until it expires."""
    until = timezone.now() + EXPIRY[pause.kind]
    return Asking(pause, checkpoint, elapsed_ms, void, id=uuid4(), expires_at=until)


@transaction.atomic
def wait(
    turn: Turn, asked: Asking, last: Sequence[Event], tape: tapes.Recording | None = None
) -> None:
    """Let a turn that this process runs wait: its last events, its pause, its state, its tape.

    Raises `StopWanted`, and `TurnLost` if this process is not its owner any more.
    """
    row = Turn.objects.select_for_update().filter(
        pk=turn.pk, owner=PROCESS, status=Turn.Status.RUNNING
    )
    if (mine := row.first()) is None:
        raise TurnLost(str(turn.pk))
    if mine.stop_requested:
        raise StopWanted(str(turn.pk))
    insert(merged(last))
    Pause.objects.create(
        id=asked.id,
        turn=mine,
        kind=asked.pause.kind,
        question=asked.pause.question,
        options=list(asked.pause.options[:3]),
        tool=asked.pause.tool,
        irreversible=asked.pause.irreversible,
        seq=last[-1].seq,
        elapsed_ms=asked.elapsed_ms,
        asked_at=timezone.now(),
        expires_at=asked.expires_at,
        checkpoint={**asked.checkpoint, "void": [list(each) for each in asked.void]},
    )
    mine.status, mine.owner, mine.lease_until = Turn.Status.WAITING, None, None
    mine.save(update_fields=["status", "owner", "lease_until"])
    tapes.keep(turn.pk, tape)


def answer(person: Person, conversation: UUID, turn: UUID, text: str) -> Resumption:
    """Take the person's answer to a clarification; this process has the turn then.

    Raises `NothingWaiting`, also after a first answer and after expiry, and `RedactionFailed`.
    """
    clean = screened(text).text
    with transaction.atomic():
        pause = _waiting(person, conversation, turn, Pause.Kind.CLARIFICATION)
        pause.reply = clean
        if tells_of_health(clean):
            pause.turn.is_sensitive = True
            tapes.forget(turn)
        _settle(pause, Pause.Status.ANSWERED)
        return left(pause.turn)


def confirm(
    person: Person, conversation: UUID, turn: UUID, action: str, approved: bool
) -> Resumption:
    """Take the person's yes or no to the action that waits; this process has the turn then.

    Raises `NothingWaiting`, also for another action, after a first answer and after expiry.
    """
    with transaction.atomic():
        pause = _waiting(person, conversation, turn, Pause.Kind.ACTION)
        if str(pause.pk) != action:
            raise NothingWaiting
        pause.approved = approved
        _settle(pause, Pause.Status.ANSWERED)
        return left(pause.turn)


@transaction.atomic
def take_expired(limit: int = 10) -> list[Turn]:
    """Take turns whose question nobody answered in time; each goes on with that."""
    now = timezone.now()
    late = Pause.objects.filter(status=Pause.Status.WAITING, expires_at__lte=now)
    waiting = Turn.objects.select_for_update(skip_locked=True).filter(
        status=Turn.Status.WAITING, pk__in=late.values("turn")
    )
    locked = list(waiting.values_list("pk", flat=True)[:limit])
    # Read once more under the lock: the turn may have been answered and have asked again.
    due = late.filter(turn__in=locked).select_related("turn__question")
    return [_settle(pause, Pause.Status.EXPIRED) for pause in due]


@transaction.atomic
def give_up(turn: UUID) -> Resumption:
    """Nobody will answer what this turn asked. Raises `NothingWaiting`."""
    if Turn.objects.select_for_update().filter(pk=turn).first() is None:
        raise NothingWaiting
    waiting = Pause.objects.select_related("turn__question")
    pause = waiting.filter(turn=turn, status=Pause.Status.WAITING).first()
    if pause is None:
        raise NothingWaiting
    return left(_settle(pause, Pause.Status.EXPIRED))


def left(turn: Turn) -> Resumption:
    """All that a process needs to go on with a turn that it has taken."""
    pause = turn.pauses.order_by("-asked_at").first()
    goes_on = pause is not None and pause.checkpoint is not None
    point = _point(pause) if pause is not None and goes_on else None
    return Resumption(turns.resumed(turn), stored_now(turn.pk), point)


def _point(pause: Pause) -> Point:
    reply = PauseReply(
        text=pause.reply,
        approved=bool(pause.approved),
        expired=pause.status == Pause.Status.EXPIRED,
        key=str(pause.pk),
    )
    void = void_of(pause.checkpoint)
    asked = _asked(pause)
    return Point(asked, reply, pause.seq, pause.elapsed_ms, pause.checkpoint, void)


def _asked(pause: Pause) -> tasks.Pause:
    """What the person was asked, as the node asked it."""
    kind: Any = pause.kind
    return tasks.Pause(
        kind=kind,
        question=pause.question,
        options=tuple(pause.options),
        tool=pause.tool,
        irreversible=pause.irreversible,
    )


def _waiting(person: Person, conversation: UUID, turn: UUID, kind: str) -> Pause:
    """The pause that waits for this, with its turn's row locked."""
    own = turns.own_turns(person, conversation).select_for_update()
    if own.filter(pk=turn, status=Turn.Status.WAITING).first() is None:
        raise NothingWaiting
    pause = Pause.objects.select_related("turn__question").filter(
        turn=turn, status=Pause.Status.WAITING, kind=kind, expires_at__gt=timezone.now()
    )
    if (found := pause.first()) is None:
        raise NothingWaiting
    return found


def _settle(pause: Pause, status: str) -> Turn:
    """The pause is over, and its turn runs in this process."""
    turn: Turn = pause.turn
    pause.status, pause.answered_at = status, timezone.now()
    pause.save(update_fields=["status", "answered_at", "reply", "approved"])
    turn.status = Turn.Status.RUNNING
    turn.owner, turn.lease_until = PROCESS, timezone.now() + LEASE
    turn.save(update_fields=["status", "owner", "lease_until", "is_sensitive"])
    return turn
