"""Regenerate, edit, select and feedback over the socket: siblings are kept, and remembered."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID, uuid4

import pytest

from chat import queries, wiring
from chat.db import in_db
from chat.models import Conversation, Feedback, Message, Turn
from tests.doubles.models import ANSWERS, ScriptedModel
from tests.factories import ports
from tests.sockets import Page, new_session

pytestmark = pytest.mark.django_db(transaction=True)

FIRST = "It takes five to ten business days [1]."
SECOND = "Five to ten business days pass before it arrives [1]."


@pytest.fixture(autouse=True)
def scripted(monkeypatch: pytest.MonkeyPatch) -> ScriptedModel:
    model = ScriptedModel(grades={"refunds#timing": ANSWERS}, answers=(FIRST, SECOND))
    monkeypatch.setattr(wiring, "ports", lambda: ports(model))
    monkeypatch.setattr(wiring, "versions", lambda: {"code": "test"})
    monkeypatch.setattr(wiring, "_runners", type(wiring._runners)())
    return model


@pytest.fixture
async def page() -> AsyncIterator[Page]:
    opened = Page(uuid4(), await in_db(new_session))
    await opened.open()
    yield opened
    await opened.close()
    await wiring.runner().close()


async def _asked(page: Page, text: str = "How long does a refund take?") -> UUID:
    await page.ask(text)
    return UUID((await page.until("turn_finished"))[-1]["turn"])


async def _shown(page: Page) -> list[tuple[str, str]]:
    """Question and answer of each turn on the selected branch."""
    conversation = await in_db(Conversation.objects.get, pk=page.conversation)
    rows = await in_db(queries.transcript, conversation)
    return [(row.question, row.view.text) for row in rows]


async def _conversation_frame(page: Page) -> dict[str, Any]:
    return (await page.until("conversation"))[-1]


async def test_a_new_answer_is_a_sibling_of_the_old_one(page: Page) -> None:
    turn = await _asked(page)
    await page.say(type="regenerate", turn=turn)
    frames = await page.until("turn_finished")
    started = next(frame for frame in frames if frame["type"] == "turn_started")
    assert started["data"]["kind"] == "regenerate"
    answers = await in_db(lambda: list(Message.objects.filter(author="agent")))
    assert {message.text for message in answers} == {FIRST, SECOND}
    assert len({message.parent_id for message in answers}) == 1
    assert await _shown(page) == [("How long does a refund take?", SECOND)]


async def test_an_edited_question_is_a_sibling_with_a_turn_of_its_own(page: Page) -> None:
    await _asked(page)
    question = await in_db(Message.objects.get, author="person")
    await page.say(type="edit", message=question.pk, text="And by card?", client_id=uuid4())
    frames = await page.until("turn_finished")
    assert frames[-1]["data"]["termination"] == "answered"
    edited = await in_db(Message.objects.get, text="And by card?")
    assert edited.parent_id == question.parent_id
    assert await _shown(page) == [("And by card?", SECOND)]


async def test_the_other_branch_is_shown_when_it_is_selected_and_that_is_remembered(
    page: Page,
) -> None:
    turn = await _asked(page)
    first = await in_db(Message.objects.get, author="agent")
    await page.say(type="regenerate", turn=turn)
    await page.until("turn_finished")
    await page.say(type="select", message=first.pk)
    frame = await _conversation_frame(page)
    while frame["selected_leaf"] != str(first.pk):
        frame = await _conversation_frame(page)
    assert await _shown(page) == [("How long does a refund take?", FIRST)]


async def test_selecting_a_question_shows_its_newest_answer(page: Page) -> None:
    await _asked(page)
    question = await in_db(Message.objects.get, author="person")
    await page.say(type="edit", message=question.pk, text="And by card?", client_id=uuid4())
    await page.until("turn_finished")
    await page.say(type="select", message=question.pk)
    answer = await in_db(Message.objects.get, parent=question, author="agent")
    frame = await _conversation_frame(page)
    while frame["selected_leaf"] != str(answer.pk):
        frame = await _conversation_frame(page)
    assert await _shown(page) == [("How long does a refund take?", FIRST)]


async def test_a_first_question_names_the_conversation_on_every_page(page: Page) -> None:
    other = Page(page.conversation, page.session)
    await other.open()
    await page.ask()
    frame = await _conversation_frame(other)
    assert frame["title"] == "How long does a refund take?"
    await page.until("turn_finished")
    await other.close()


async def test_the_last_vote_counts_and_its_words_are_redacted(page: Page) -> None:
    turn = await _asked(page)
    await page.say(type="feedback", turn=turn, vote="up")
    note = "Write to me at bird@cage-example.org"
    await page.say(type="feedback", turn=turn, vote="down", reason="wrong", note=note)
    await page.say(type="ping")
    await page.until("pong")
    kept = await in_db(Feedback.objects.get)
    assert (kept.vote, kept.reason, kept.note) == ("down", "wrong", "Write to me at [email]")


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ({"type": "regenerate", "turn": uuid4()}, "no_such_turn"),
        ({"type": "feedback", "turn": uuid4(), "vote": "up"}, "no_such_turn"),
        ({"type": "select", "message": uuid4()}, "no_such_message"),
        (
            {"type": "edit", "message": uuid4(), "text": "And?", "client_id": uuid4()},
            "no_such_message",
        ),
        ({"type": "reply", "turn": uuid4(), "text": "yes"}, "nothing_waiting"),
        (
            {"type": "confirm", "turn": uuid4(), "action": "a", "approved": True},
            "nothing_waiting",
        ),
    ],
    ids=lambda value: value["type"] if isinstance(value, dict) else value,
)
async def test_what_is_not_there_is_refused(page: Page, frame: dict[str, Any], code: str) -> None:
    await page.say(**frame)
    assert (await page.until("refused"))[-1]["code"] == code


async def test_nobody_changes_the_conversation_of_somebody_else(page: Page) -> None:
    turn = await _asked(page)
    message = await in_db(Message.objects.get, author="person")
    stranger = Page(page.conversation, await in_db(new_session))
    await stranger.open()
    for frame in (
        {"type": "regenerate", "turn": turn},
        {"type": "select", "message": message.pk},
        {"type": "edit", "message": message.pk, "text": "Mine?", "client_id": uuid4()},
        {"type": "feedback", "turn": turn, "vote": "down"},
    ):
        await stranger.say(**frame)
        assert (await stranger.until("refused"))[-1]["code"] in ("no_such_turn", "no_such_message")
    assert await in_db(Turn.objects.count) == 1
    assert await in_db(Feedback.objects.count) == 0
    await stranger.close()
