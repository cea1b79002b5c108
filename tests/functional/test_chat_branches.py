"""What may be done with a turn that stands on the page: vote, ask again, edit, look at siblings."""

from __future__ import annotations

import re
from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from django.utils import timezone

from chat.contracts.verdicts import Termination
from chat.models import Conversation, Feedback, Message, Turn
from tests import factories
from tests.chat_pages import answer, ended, page_of, reply, shown, text_of, told, visitor_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def visitor(client: Client) -> UUID:
    return visitor_of(client)


@pytest.fixture
def talk(visitor: UUID) -> Conversation:
    made: Conversation = factories.conversation(visitor=visitor)
    return made


def again(first: Turn, text: str) -> Message:
    """Another answer to the question of a turn."""
    turn = Turn.objects.create(
        conversation=first.conversation,
        question=first.question,
        started_at=timezone.now(),
        status="finished",
        kind="regenerate",
    )
    factories.store(factories.events([answer(text), ended()], turn=turn.pk))
    return reply(turn, text)


def switch(html: str, of: str) -> tuple[str, ...]:
    """What an earlier and a later sibling's button would select, with the words between them."""
    found = re.search(
        rf'aria-label="{of} (\d of \d)">.*?data-select="([^"]*)".*?data-select="([^"]*)"',
        html,
        re.S,
    )
    assert found, f"no switch between {of.lower()}s"
    return found.groups()


def pressed(html: str) -> set[str]:
    return set(re.findall(r'data-(?:vote|reason)="([^"]+)" aria-pressed="true"', html))


def test_an_answer_can_be_voted_on_and_tried_again(client: Client, visitor: UUID) -> None:
    html = page_of(client, visitor, answer(), ended())
    for name in ("Helpful", "Not helpful", "Edit question"):
        assert f'aria-label="{name}"' in html
    assert "Retry" in text_of(html)
    assert pressed(html) == set()


def test_a_running_turn_and_one_without_an_answer_offer_no_vote(
    client: Client, visitor: UUID
) -> None:
    running = page_of(client, visitor, status="running")
    assert "data-vote" not in running and "Edit question" not in running
    stopped = page_of(client, visitor, ended(Termination.USER_STOP))
    assert "data-vote" not in stopped and "Edit question" in stopped


def test_a_stored_vote_is_shown_with_its_reason_and_words(
    client: Client, talk: Conversation
) -> None:
    turn = told(talk, answer(), ended())
    Feedback.objects.create(turn=turn, vote="down", reason="off the point", note="Only <cards>")
    for path in (f"/chat/{talk.pk}/", f"/chat/{talk.pk}/turns/{turn.pk}/"):
        html = shown(client, path)
        assert pressed(html) == {"down", "off the point"}
        assert 'value="Only &lt;cards&gt;"' in html


def test_without_siblings_there_is_nothing_to_switch(client: Client, talk: Conversation) -> None:
    told(talk, answer(), ended(), question="First?")
    told(talk, answer(), ended(), question="Second?")
    assert "data-select" not in shown(client, f"/chat/{talk.pk}/")


def test_an_answer_leads_to_those_beside_it(client: Client, talk: Conversation) -> None:
    first = told(talk, answer("One."), ended())
    before = Message.objects.get(turn=first)
    middle, after = again(first, "Two."), again(first, "Three.")
    Conversation.objects.filter(pk=talk.pk).update(selected_leaf=middle)
    page = shown(client, f"/chat/{talk.pk}/")
    assert switch(page, "Answer") == ("2 of 3", str(before.pk), str(after.pk))
    assert f'data-said="{middle.pk}"' in page
    fragment = shown(client, f"/chat/{talk.pk}/turns/{middle.turn_id}/")
    assert switch(fragment, "Answer") == ("2 of 3", str(before.pk), str(after.pk))


def test_an_edited_question_leads_to_the_one_before_it(client: Client, talk: Conversation) -> None:
    first = told(talk, answer("Left."), ended(), question="Left?")
    talk.selected_leaf = None
    told(talk, answer("Right."), ended(), question="Right?")
    page = shown(client, f"/chat/{talk.pk}/")
    assert switch(page, "Question") == ("2 of 2", str(first.question_id), "")
    assert "Left?" not in page and "forked" in page


def test_an_attempt_that_left_no_answer_still_leads_back(
    client: Client, talk: Conversation
) -> None:
    first = told(talk, answer("One."), ended())
    kept = Message.objects.get(turn=first)
    failed = Turn.objects.create(
        conversation=talk, question=first.question, started_at=timezone.now(), status="finished"
    )
    factories.store(factories.events([ended(Termination.MODEL_FAILED)], turn=failed.pk))
    Conversation.objects.filter(pk=talk.pk).update(selected_leaf=first.question)
    assert switch(shown(client, f"/chat/{talk.pk}/"), "Answer") == ("2 of 2", str(kept.pk), "")


def test_the_turns_alone_are_fetched_for_another_branch(
    client: Client, talk: Conversation, django_assert_num_queries: Any
) -> None:
    first = told(talk, answer("One."), ended())
    Feedback.objects.create(turn=first, vote="up")
    again(first, "Two.")
    told(talk, answer("More."), ended(), question="And then?")
    with django_assert_num_queries(7):
        html = shown(client, f"/chat/{talk.pk}/", fetched=True)
    assert html.count("<article") == 2 and "<html" not in html
    assert re.search(r"Two\..*And then\?.*More\.", text_of(html))


def test_the_turns_of_somebody_else_are_not_fetched(client: Client, visitor: UUID) -> None:
    foreign = told(factories.conversation(), answer("Secret."), ended())
    assert "Secret" not in shown(client, f"/chat/{foreign.conversation_id}/", 404, fetched=True)
