"""The use cases of a turn: start one, stop one. Transactions, and no model or socket.

What a person typed is redacted before the first write of anything. The database holds the
rule that one turn of a conversation runs at a time; one that waits gives way to a new one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID, uuid4

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from chat import uploads
from chat.closing import Versions, end_waiting, show_leaf
from chat.contracts.errors import (
    NoSuchTurn,
    NotYours,
    TurnRunning,
)
from chat.contracts.events import Answer, Event
from chat.contracts.tasks import Attachment, Exchange
from chat.contracts.verdicts import Confidence, Termination
from chat.files import File
from chat.guardrails.input import Redacted
from chat.guardrails.screening.crisis import crisis
from chat.identity import Person
from chat.keeping import redactions_in, screened, tells_of_health
from chat.leases import LEASE, PROCESS
from chat.models import Conversation, Message, Pause, Turn

HISTORY = 5  # earlier turns that a new one may refer to
TITLE = 60  # characters


@dataclass(frozen=True, slots=True)
class Begun:
    """A turn that is to be run: `is_new` is false when the same ask came before.

    `clarifications_before` were asked in the conversation so far. `superseded` is the
    last event of a turn that waited and gave way to this one. A sensitive turn tells of
    somebody's health.
    """

    turn: Turn
    question: str
    redactions: dict[str, int]
    history: tuple[Exchange, ...]
    is_new: bool
    attachments: tuple[Attachment, ...] = ()
    clarifications_before: int = 0
    superseded: Event | None = None
    is_sensitive: bool = False


def start(
    person: Person,
    conversation_id: UUID,
    text: str,
    client_id: UUID,
    versions: Versions = dict,
    files: Sequence[File] = (),
) -> Begun:
    """Store a question and take the conversation's one running turn.

    The first ask makes the conversation. A turn that waits for the person ends as superseded;
    `versions` go on its record. A document in the text is kept beside `files`. Raises
    `NotYours`, `TurnRunning`, `RedactionFailed`, and `TooLarge` for a long text without one.
    """
    clean = screened(text)
    files = (*files, *uploads.paste_in(clean.text))
    try:
        with transaction.atomic():
            conversation = _conversation(person, conversation_id, title=clean.text)
            if (earlier := asked_before(conversation, client_id)) is not None:
                return Begun(earlier, clean.text, clean.counts, (), is_new=False)
            superseded = supersede(conversation, versions)
            question = new_question(
                conversation, conversation.selected_leaf, clean.text, client_id, files
            )
            begun = begin_turn(question, kind="ask")
            counts = uploads.redactions(clean.counts, files)
            return replace(begun, redactions=counts, superseded=superseded)
    except IntegrityError:
        return _repeat(person, conversation_id, clean, client_id)


def start_lab(conversation: Conversation, question: str) -> Begun:
    """A turn outside everybody's conversation, for the golden set."""
    with transaction.atomic():
        asked = new_question(conversation, conversation.selected_leaf, question, uuid4())
        return begin_turn(asked, kind="lab")


@transaction.atomic
def request_stop(
    person: Person, conversation_id: UUID, turn_id: UUID, versions: Versions = dict
) -> Event | None:
    """Ask the process that runs the turn to stop it. Stopping an ended turn changes nothing.

    A turn that waits is run by nobody, so it ends here; its last event comes back.
    """
    turn = own_turns(person, conversation_id).select_for_update().filter(pk=turn_id).first()
    if turn is None:
        raise NoSuchTurn
    if turn.status == Turn.Status.WAITING:
        return end_waiting(turn, Termination.USER_STOP, versions)
    if turn.status == Turn.Status.RUNNING:
        turn.stop_requested = True
        turn.save(update_fields=["stop_requested"])
    return None


def supersede(conversation: Conversation, versions: Versions) -> Event | None:
    """End the turn of a conversation that waits, if one does, and give its last event.

    Call it in the transaction that begins the next turn: both happen, or neither.
    """
    waiting = Turn.objects.select_for_update().filter(
        conversation=conversation, status=Turn.Status.WAITING
    )
    if (turn := waiting.first()) is None:
        return None
    last = end_waiting(turn, Termination.SUPERSEDED, versions)
    conversation.refresh_from_db()  # a draft that was kept is its newest message
    return last


def resumed(turn: Turn) -> Begun:
    """A turn as it began, for whoever takes it over or goes on with it."""
    begun = _begun(turn, turn.question, uploads.notes(turn.question))
    return replace(begun, redactions=redactions_in(begun.question))


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


def new_question(
    conversation: Conversation,
    parent: Message | None,
    text: str,
    client_id: UUID,
    files: Sequence[File] = (),
) -> Message:
    """Store what a person asked and what came with it, which is redacted already."""
    question = Message.objects.create(
        conversation=conversation,
        parent=parent,
        author=Message.Author.PERSON,
        text=text,
        client_id=client_id,
    )
    uploads.keep(question, files)
    return question


def begin_turn(question: Message, kind: str) -> Begun:
    """Take the conversation's one running turn. Raises `IntegrityError` if it is taken."""
    now, came = timezone.now(), uploads.notes(question)
    turn = Turn.objects.create(
        conversation=question.conversation,
        question=question,
        kind=kind,
        started_at=now,
        owner=PROCESS,
        lease_until=now + LEASE,
        is_sensitive=_is_sensitive(question, has_files=bool(came)),
    )
    show_leaf(question.conversation, question)
    return _begun(turn, question, came)


def _is_sensitive(question: Message, *, has_files: bool) -> bool:
    """The question, a file that came with it, or an earlier turn that this one may refer to."""
    earlier = Turn.objects.filter(conversation_id=question.conversation_id, is_sensitive=True)
    return (
        tells_of_health(question.text)
        or earlier.exists()
        or (has_files and any(map(tells_of_health, uploads.texts(question))))
    )


def _begun(turn: Turn, question: Message, came: tuple[Attachment, ...]) -> Begun:
    asked = Pause.objects.filter(
        turn__conversation_id=turn.conversation_id,
        kind=Pause.Kind.CLARIFICATION,
    )
    return Begun(
        turn,
        question.text,
        {},
        _history(question.parent),
        is_new=True,
        attachments=came,
        clarifications_before=asked.count(),
        is_sensitive=turn.is_sensitive,
    )


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
    """Up to five earlier exchanges on this branch whose answers passed their checks.

    As many queries for a long conversation as for a short one.
    """
    if leaf is None:
        return ()
    every = Message.objects.filter(conversation_id=leaf.conversation_id)
    said = every.select_related("turn").defer("text").in_bulk()
    pairs: list[tuple[UUID, UUID]] = []
    at: UUID | None = leaf.pk
    while at is not None and len(pairs) < HISTORY:
        message = said[at]
        above = message.parent_id
        if message.author == Message.Author.AGENT and above and _passed(message.turn):
            pairs.append((above, at))
        at = above
    texts = dict(
        every.filter(pk__in={pk for pair in pairs for pk in pair}).values_list("pk", "text")
    )
    return tuple(Exchange(question=texts[q], answer=texts[a]) for q, a in reversed(pairs))


def _passed(turn: Turn | None) -> bool:
    """Did the turn's answer pass its checks? What it did not find takes nothing from the rest.

    The mode of somebody in distress shows no caveat, so how sure the answer was is read too.
    """
    if turn is None or turn.erased_at is not None:
        return False
    if turn.termination != Termination.ANSWERED_WITH_CAVEAT:
        return turn.termination == Termination.ANSWERED
    answers = turn.events.filter(type=Answer.TYPE).order_by("seq")
    told = answers.values_list("data", flat=True).last()
    if told is None or told["caveats"] or not told["gaps"]:
        return False
    return told["confidence"] in (Confidence.HIGH, Confidence.NONE)


def _title(text: str) -> str:
    """The first words; none of somebody in danger, whose list others may see over a shoulder."""
    if crisis(text):
        return ""
    words = " ".join(text.split())
    return words if len(words) <= TITLE else f"{words[: TITLE - 1].rstrip()}…"
