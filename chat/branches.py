"""The use cases beside a new question: another answer, another question, another branch, a vote.

Messages have one parent each, so what is new becomes a sibling and nothing is lost.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from chat import removal, uploads
from chat.closing import Versions, show_leaf
from chat.contracts.errors import NoSuchMessage, NoSuchTurn, TurnRunning
from chat.identity import Person
from chat.keeping import redactions_in, screened, tells_of_health
from chat.models import Conversation, Feedback, Message
from chat.turns import Begun, asked_before, begin_turn, new_question, own_turns, supersede


@dataclass(frozen=True, slots=True)
class Vote:
    """What a person thinks of an answer: `vote` is up or down."""

    vote: str
    reason: str = ""
    note: str = ""


def regenerate(
    person: Person, conversation_id: UUID, turn_id: UUID, versions: Versions = dict
) -> Begun:
    """A new answer to the same question, as a sibling of the one that there is.

    A turn that waits gives way. Raises `NoSuchTurn`, and `TurnRunning` while a turn of the
    conversation runs.
    """
    earlier = own_turns(person, conversation_id).select_related("question").filter(pk=turn_id)
    turn = earlier.exclude(kind="lab").first()
    if turn is None or turn.erased_at is not None:
        raise NoSuchTurn
    with _one_turn_at_a_time():
        superseded = supersede(turn.question.conversation, versions)
        begun = begin_turn(turn.question, kind="regenerate")
    return replace(begun, redactions=redactions_in(begun.question), superseded=superseded)


def edit(
    person: Person,
    conversation_id: UUID,
    message_id: UUID,
    ask: tuple[str, UUID],
    versions: Versions = dict,
) -> Begun:
    """Another question in the place of one of the person's own, as its sibling, with its turn.

    `ask` is the text and its client id. The files of the earlier question come along. A turn
    that waits gives way. Raises `NoSuchMessage`, `TurnRunning`, `RedactionFailed` and `TooLarge`.
    """
    text, client_id = ask
    clean = screened(text)
    said = _own_messages(person, conversation_id).filter(author=Message.Author.PERSON)
    message = said.filter(pk=message_id).first()
    if message is None:
        raise NoSuchMessage
    if (earlier := asked_before(message.conversation, client_id)) is not None:
        return Begun(earlier, clean.text, clean.counts, (), is_new=False)
    files = (*uploads.copied(message), *uploads.paste_in(clean.text))
    with _one_turn_at_a_time():
        superseded = supersede(message.conversation, versions)
        question = new_question(message.conversation, message.parent, clean.text, client_id, files)
        begun = begin_turn(question, kind="edit")
    return replace(begun, redactions=clean.counts, superseded=superseded)


@transaction.atomic
def select(person: Person, conversation_id: UUID, message_id: UUID) -> Conversation:
    """Show the branch that a message is on, down to its newest leaf, and remember it.

    Raises `NoSuchMessage`.
    """
    message = _own_messages(person, conversation_id).filter(pk=message_id).first()
    if message is None:
        raise NoSuchMessage
    leaf = message
    while (below := leaf.children.order_by("-created_at").first()) is not None:
        leaf = below
    show_leaf(message.conversation, leaf)
    return message.conversation


@transaction.atomic
def give_feedback(person: Person, conversation_id: UUID, turn_id: UUID, vote: Vote) -> None:
    """Keep a person's vote on an answer; a second one takes the place of the first.

    Raises `NoSuchTurn` and `RedactionFailed`. It waits for an erasure that is under way.
    """
    mine = Conversation.objects.filter(person.owns(), pk=conversation_id)
    if mine.select_for_update(of=("self",)).first() is None:
        raise NoSuchTurn
    turn = own_turns(person, conversation_id).filter(pk=turn_id).first()
    if turn is None:
        raise NoSuchTurn
    kept = {
        "vote": vote.vote,
        "reason": screened(vote.reason).text,
        "note": screened(vote.note).text,
    }
    Feedback.objects.update_or_create(turn=turn, defaults=kept)
    if tells_of_health(f"{vote.reason}\n{vote.note}") and not turn.is_sensitive:
        removal.only_for_few(turn.pk)


@contextmanager
def _one_turn_at_a_time() -> Iterator[None]:
    """A transaction in which the database's own rule becomes `TurnRunning`."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError:
        raise TurnRunning from None


def _own_messages(person: Person, conversation_id: UUID) -> QuerySet[Message]:
    mine = Conversation.objects.filter(person.owns(), pk=conversation_id)
    return Message.objects.filter(conversation__in=mine).select_related("conversation", "parent")
