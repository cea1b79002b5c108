"""A person is erased: everything that they said, and the link from them to it. All or nothing.

The chains of their records hold afterwards. What stays says when and how turns ended, and that
they were erased. The account of a user, if they have one, is not touched.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from chat import removal
from chat.identity import Person
from chat.models import Conversation, LegalHold, Message, Turn

Also = Callable[[Sequence[UUID]], Mapping[str, int]]
"""What others keep of these conversations, and take away in the same transaction."""


class CannotErase(Exception):
    """Why a person cannot be erased now, as a sentence."""


@dataclass(frozen=True, slots=True)
class Erased:
    """`conversations` were erased; `counts` are rows by what they are."""

    conversations: tuple[UUID, ...]
    turns: int
    counts: Mapping[str, int]


def nothing(_conversations: Sequence[UUID]) -> Mapping[str, int]:
    return {}


@transaction.atomic
def erase(person: Person, also: Also = nothing) -> Erased:
    """Everything of a person, in one transaction. Raises `CannotErase`.

    Their conversations are locked first: no turn begins, none is run again and no hold is placed
    meanwhile. What re-runs and the lab made of their words goes too.
    """
    names = _names(person)
    own = _locked(Conversation.objects.filter(person.owns()))
    turns = list(Turn.objects.filter(conversation__in=own).values_list("pk", flat=True))
    copies = removal.copies_of_turns(turns)
    made = _locked(Conversation.objects.filter(pk__in={copy.conversation for copy in copies}))
    every = (*own, *made)
    _check(every)
    counts = removal.Counts()
    # What others keep of a turn may be found by what was said in it, so they go first.
    counts.add(also(every))
    now = timezone.now()
    counts.add(removal.content_of_turns([*turns, *(copy.turn for copy in copies)], now))
    rest = Message.objects.filter(conversation__in=every).exclude(text="")  # of staff, above all
    counts.add({"messages": rest.update(text="")})
    counts.add(removal.filters_about(names))
    mine = Conversation.objects.filter(pk__in=every)
    counts.add({"titles": mine.exclude(title="").update(title="")})
    mine.update(user=None, visitor=None, erased_at=now)
    return Erased(own, len(turns), counts.of)


def _names(person: Person) -> list[str]:
    """What filters may call this person: a user began some conversations as a visitor."""
    keys = Conversation.objects.filter(person.owns()).exclude(visitor=None)
    began = keys.order_by().values_list("visitor", flat=True).distinct()
    return [person.name(), *(Person(visitor=key).name() for key in began)]


def _locked(conversations: QuerySet[Conversation]) -> tuple[UUID, ...]:
    rows = conversations.select_for_update().order_by("pk")
    return tuple(rows.values_list("pk", flat=True))


def _check(conversations: Sequence[UUID]) -> None:
    held = LegalHold.objects.filter(conversation__in=conversations, lifted_at=None)
    if hold := held.first():
        raise CannotErase(f"Conversation {hold.conversation_id} is held: {hold.reason}.")
    going = Turn.objects.filter(conversation__in=conversations)
    turn = going.exclude(status=Turn.Status.FINISHED).first()
    if turn is None:
        return
    if turn.status == Turn.Status.RUNNING:
        raise CannotErase(f"Turn {turn.pk} is running. Try again when it has ended.")
    raise CannotErase(
        f"Turn {turn.pk} waits for a reply. Try again when it has ended; it ends by itself."
    )
