"""A conversation as its page shows it: the selected branch, in order, in few queries."""

from __future__ import annotations

import re
from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from django.utils import timezone

from chat.contracts.verdicts import Termination
from chat.models import Conversation, DocumentVersion, Turn
from tests import factories
from tests.chat_pages import (
    PASSAGE,
    answer,
    ended,
    reply,
    shown,
    text_of,
    told,
    version,
    visitor_of,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def visitor(client: Client) -> UUID:
    return visitor_of(client)


@pytest.fixture
def handbook() -> DocumentVersion:
    return version(1, PASSAGE)


def test_turns_stand_in_order_along_the_selected_branch(client: Client, visitor: UUID) -> None:
    talk = factories.conversation(visitor=visitor)
    told(talk, answer("First answer."), ended(), question="First?")
    fork = talk.selected_leaf
    told(talk, answer("Left answer."), ended(), question="Left?")
    talk.selected_leaf = fork
    told(talk, answer("Right answer."), ended(), question="Right?")
    page = text_of(shown(client, f"/chat/{talk.pk}/"))
    assert re.search(r"First\?.*First answer\..*Right\?.*Right answer\.", page)
    assert "Left" not in page


def test_of_two_answers_to_a_question_the_selected_one_is_shown(
    client: Client, visitor: UUID
) -> None:
    talk = factories.conversation(visitor=visitor)
    first = told(talk, answer("The first try."), ended())
    chosen = talk.selected_leaf
    again = Turn.objects.create(
        conversation=talk, question=first.question, started_at=timezone.now(), status="finished"
    )
    factories.store(factories.events([answer("The second try."), ended()], turn=again.pk))
    reply(again, "The second try.")
    assert "The second try." in shown(client, f"/chat/{talk.pk}/")
    Conversation.objects.filter(pk=talk.pk).update(selected_leaf=chosen)
    page = shown(client, f"/chat/{talk.pk}/")
    assert "The first try." in page and "The second try." not in page


def test_a_turn_that_was_stopped_before_any_word_keeps_its_place(
    client: Client, visitor: UUID
) -> None:
    talk = factories.conversation(visitor=visitor)
    told(talk, ended(Termination.USER_STOP), question="Stopped?")
    told(talk, answer("Second answer."), ended(), question="Second?")
    page = text_of(shown(client, f"/chat/{talk.pk}/"))
    assert re.search(r"Stopped\?.*Stopped before.*Second\?.*Second answer\.", page)


def test_a_long_transcript_takes_no_more_queries_than_a_short_one(
    client: Client, visitor: UUID, django_assert_num_queries: Any, handbook: DocumentVersion
) -> None:
    counts = []
    for length in (1, 6):
        talk = factories.conversation(visitor=visitor)
        for number in range(length):
            told(talk, answer(), ended(), question=f"Question {number}?")
        with django_assert_num_queries(8) as captured:
            shown(client, f"/chat/{talk.pk}/")
        counts.append(len(captured))
    assert counts[0] == counts[1]
