"""Who is asking: a user, a visitor with a key of their own, or a stranger who owns nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

import pytest

from chat.identity import VISITOR_KEY, Person, person_of
from chat.models import Conversation


@dataclass
class Account:
    """As much of a user as identity asks for."""

    pk: int = 7
    is_authenticated: bool = True


NOBODY = Account(is_authenticated=False)


def test_a_signed_in_user_is_known_by_the_account_whatever_the_session_holds() -> None:
    assert person_of(Account(), {VISITOR_KEY: str(uuid4())}) == Person(user_id=7)


def test_a_new_visitor_gets_a_key_only_when_asked_to() -> None:
    session: dict[str, Any] = {}
    assert not person_of(NOBODY, session).is_known
    assert session == {}
    made = person_of(NOBODY, session, create=True)
    assert made.visitor == UUID(session[VISITOR_KEY])
    assert person_of(NOBODY, session) == made


def test_a_socket_without_a_user_is_a_visitor_too() -> None:
    key = uuid4()
    assert person_of(None, {VISITOR_KEY: str(key)}) == Person(visitor=key)


@pytest.mark.django_db
def test_each_person_owns_their_own_conversations_and_a_stranger_none(
    django_user_model: Any,
) -> None:
    alice = django_user_model.objects.create_user("alice")
    key, other = uuid4(), uuid4()
    hers = Conversation.objects.create(user=alice, visitor=key)
    theirs = Conversation.objects.create(visitor=key)
    Conversation.objects.create(visitor=other)

    def owned(person: Person) -> set[UUID]:
        return set(Conversation.objects.filter(person.owns()).values_list("pk", flat=True))

    assert owned(Person(user_id=alice.pk)) == {hers.pk}
    assert owned(Person(visitor=key)) == {theirs.pk}  # and not what was taken into an account
    assert owned(Person()) == set()
