"""A person is erased: everything that they said, and the link from them to it. All or nothing.

The chains of their records hold afterwards. What stays says when and how turns ended, and that
they were erased. The account of a user, if they have one, is not touched.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
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

    Their conversations are locked first: no turn begins and no hold is placed meanwhile.
    """
    own = tuple(
        Conversation.objects.select_for_update()
        .filter(person.owns())
        .order_by("pk")
        .values_list("pk", flat=True)
    )
    _check(own)
    turns = list(Turn.objects.filter(conversation__in=own).values_list("pk", flat=True))
    counts = removal.Counts()
    # What others keep of a turn may be found by what was said in it, so they go first.
    counts.add(also(own))
    now = timezone.now()
    counts.add(removal.content_of_turns(turns, now))
    rest = Message.objects.filter(conversation__in=own).exclude(text="")  # of staff, above all
    counts.add({"messages": rest.update(text="")})
    mine = Conversation.objects.filter(pk__in=own)
    counts.add({"titles": mine.exclude(title="").update(title="")})
    mine.update(user=None, visitor=None, erased_at=now)
    return Erased(own, len(turns), counts.of)


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
