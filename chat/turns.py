"""The use cases of a turn: start one, stop one. Transactions, and no model or socket.

What a person typed is redacted before the first write of anything. The database holds the
rule that one turn of a conversation runs at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID, uuid4

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from chat import decision_log
from chat.contracts.errors import (
    NoSuchTurn,
    NotYours,
    RedactionFailed,
    TurnRunning,
)
from chat.contracts.events import Event, RouteTaken, TurnFinished
from chat.contracts.tasks import Exchange
from chat.contracts.turn_facts import content_of, facts_of
from chat.contracts.turn_view import fold
from chat.contracts.verdicts import Termination
from chat.event_log import insert, merged
from chat.guardrails.input import Redacted, redact
from chat.guardrails.policy import guard_now
from chat.identity import Person
from chat.leases import LEASE, PROCESS
from chat.models import Conversation, Message, Turn

HISTORY = 5  # earlier turns that a new one may refer to
PASSED = (Termination.ANSWERED, Termination.ANSWERED_WITH_CAVEAT)
TITLE = 60  # characters
KINDS = ("email", "phone", "card", "iban")  # what redaction takes out


class TurnLost(Exception):
    """Another process has this turn now."""


@dataclass(frozen=True, slots=True)
class Begun:
    """A turn that is to be run: `is_new` is false when the same ask came before."""

    turn: Turn
    question: str
    redactions: dict[str, int]
    history: tuple[Exchange, ...]
    is_new: bool


def screened(text: str) -> Redacted:
    """The text without what may not be kept. Raises `RedactionFailed` if that is unknown."""
    done = guard_now(lambda: redact(text), fallback=None)
    if done.value is None:
        raise RedactionFailed
    return done.value


def start(person: Person, conversation_id: UUID, text: str, client_id: UUID) -> Begun:
    """Store a question and take the conversation's one running turn.

    The first ask makes the conversation. Raises `NotYours`, `TurnRunning`, `RedactionFailed`.
    """
    clean = screened(text)
    try:
        with transaction.atomic():
            conversation = _conversation(person, conversation_id, title=clean.text)
            if (earlier := asked_before(conversation, client_id)) is not None:
                return Begun(earlier, clean.text, clean.counts, (), is_new=False)
            return _begin(conversation, clean, client_id, kind="ask")
    except IntegrityError:
        return _repeat(person, conversation_id, clean, client_id)


def start_lab(conversation: Conversation, question: str) -> Begun:
    """A turn outside everybody's conversation, for the golden set."""
    with transaction.atomic():
        return _begin(conversation, Redacted(text=question, counts={}), uuid4(), kind="lab")


def request_stop(person: Person, conversation_id: UUID, turn_id: UUID) -> None:
    """Ask the process that runs the turn to stop it. Stopping an ended turn changes nothing."""
    turn = own_turns(person, conversation_id).filter(pk=turn_id)
    if not turn.exists():
        raise NoSuchTurn
    turn.exclude(status=Turn.Status.FINISHED).update(stop_requested=True)


def resumed(turn: Turn) -> Begun:
    """A turn that was taken over, to be run again from its question."""
    text = turn.question.text
    return Begun(turn, text, redactions_in(text), _history(turn.question.parent), is_new=True)


@transaction.atomic
def finish(
    turn: Turn, last: Sequence[Event], events: Sequence[Event], versions: dict[str, str]
) -> None:
    """End a turn: its last events, its message, its columns and its record, all or nothing.

    `events` are all events of the turn, `last` those without a row. Raises `TurnLost` if this
    process is not its owner any more.
    """
    own = Turn.objects.select_for_update().filter(
        pk=turn.pk, owner=PROCESS, status=Turn.Status.RUNNING
    )
    if not own.exists():
        raise TurnLost(str(turn.pk))
    insert(merged(last))
    _store_columns(turn, events)
    _store_answer(turn, events)
    decision_log.seal(turn, facts_of(events, versions), content_of(events))


def owned(person: Person, conversation_id: UUID) -> Conversation | None:
    """The person's conversation; None if there is none yet. Raises `NotYours` for another's."""
    found = Conversation.objects.filter(pk=conversation_id).first()
    if found is None:
        return None
    if not Conversation.objects.filter(person.owns(), pk=conversation_id).exists():
        raise NotYours
    return found


def _conversation(person: Person, conversation_id: UUID, title: str) -> Conversation:
    if not person.is_known:
        raise NotYours
    found = owned(person, conversation_id)
    if found is None:
        return Conversation.objects.create(
            id=conversation_id,
            user_id=person.user_id,
            visitor=person.visitor,
            title=_title(title),
        )
    if not found.title:
        found.title = _title(title)
        found.save(update_fields=["title", "updated_at"])
    return found


def _begin(conversation: Conversation, clean: Redacted, client_id: UUID, kind: str) -> Begun:
    question = new_question(conversation, conversation.selected_leaf, clean.text, client_id)
    return replace(begin_turn(question, kind), redactions=clean.counts)


def new_question(
    conversation: Conversation, parent: Message | None, text: str, client_id: UUID
) -> Message:
    """Store what a person asked, which is redacted already."""
    return Message.objects.create(
        conversation=conversation,
        parent=parent,
        author=Message.Author.PERSON,
        text=text,
        client_id=client_id,
    )


def begin_turn(question: Message, kind: str) -> Begun:
    """Take the conversation's one running turn. Raises `IntegrityError` if it is taken."""
    now = timezone.now()
    turn = Turn.objects.create(
        conversation=question.conversation,
        question=question,
        kind=kind,
        started_at=now,
        owner=PROCESS,
        lease_until=now + LEASE,
    )
    show_leaf(question.conversation, question)
    return Begun(turn, question.text, {}, _history(question.parent), is_new=True)


def own_turns(person: Person, conversation_id: UUID) -> QuerySet[Turn]:
    """The turns of a conversation, if it is the person's own; else none."""
    mine = Conversation.objects.filter(person.owns(), pk=conversation_id)
    return Turn.objects.filter(conversation__in=mine)


def _repeat(person: Person, conversation_id: UUID, clean: Redacted, client_id: UUID) -> Begun:
    """The database said no: the same ask came twice at once, or a turn runs already."""
    conversation = owned(person, conversation_id)
    earlier = asked_before(conversation, client_id) if conversation else None
    if earlier is None:
        raise TurnRunning
    return Begun(earlier, clean.text, clean.counts, (), is_new=False)


def asked_before(conversation: Conversation, client_id: UUID) -> Turn | None:
    """The turn of an ask that came before with the same client id."""
    return Turn.objects.filter(conversation=conversation, question__client_id=client_id).first()


def _history(leaf: Message | None) -> tuple[Exchange, ...]:
    """Up to five earlier exchanges on this branch whose answers passed their checks."""
    found: list[Exchange] = []
    while leaf is not None and len(found) < HISTORY:
        question = leaf.parent
        passed = leaf.turn is not None and leaf.turn.termination in PASSED
        if leaf.author == Message.Author.AGENT and passed and question is not None:
            found.append(Exchange(question=question.text, answer=leaf.text))
        leaf = question
    return tuple(reversed(found))


def _store_columns(turn: Turn, events: Sequence[Event]) -> None:
    end = events[-1].body
    if not isinstance(end, TurnFinished):
        raise TypeError("a turn ends with turn_finished")
    routes = [event.body for event in events if isinstance(event.body, RouteTaken)]
    turn.status, turn.finished_at = Turn.Status.FINISHED, events[-1].at
    turn.owner, turn.lease_until = None, None
    turn.termination, turn.ms = end.termination, end.ms
    turn.passes, turn.model_calls = end.passes, end.model_calls
    turn.tokens, turn.cost = end.tokens.total, end.cost
    if routes:
        turn.route_decided, turn.route_taken = routes[0].decided, routes[-1].taken
        turn.route_confidence = routes[0].confidence
    turn.save()


def _store_answer(turn: Turn, events: Sequence[Event]) -> None:
    view = fold(events)
    if not view.text.strip():
        return
    answer = Message.objects.create(
        conversation_id=turn.conversation_id,
        parent=turn.question,
        author=Message.Author.AGENT,
        text=view.text,
        turn=turn,
    )
    show_leaf(turn.conversation, answer)


def show_leaf(conversation: Conversation, message: Message) -> None:
    """Remember the message down to which the conversation is shown."""
    conversation.selected_leaf = message
    conversation.save(update_fields=["selected_leaf", "updated_at"])


def redactions_in(text: str) -> dict[str, int]:
    """What redaction took out of a stored text, by its placeholders."""
    return {kind: count for kind in KINDS if (count := text.count(f"[{kind}]"))}


def _title(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= TITLE else f"{words[: TITLE - 1].rstrip()}…"
