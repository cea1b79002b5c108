"""Every frame of the socket, by everybody: a conversation is its owner's, whatever their rights.

Staff read transcripts in the admin. The socket of a conversation is for the person whose it is.
"""

from __future__ import annotations

from typing import Any, get_args
from uuid import uuid4

import pytest
from django.conf import settings
from django.test import Client

from chat.contracts.commands import Command
from chat.db import in_db
from chat.models import Conversation, Feedback, Message, Turn
from tests import factories, stored
from tests.sockets import Page, new_session
from tests.staff import person

pytestmark = pytest.mark.django_db(transaction=True)

PEOPLE = ("visitor", "user", "support", "reviewer", "engineer", "superuser")
TYPES = [command.model_fields["type"].annotation for command in get_args(Command)]
NAMES = [get_args(literal)[0] for literal in TYPES]

NOT_YOURS = {"not_yours"}
NOBODYS = {"not_yours", "no_such_turn", "no_such_message", "nothing_waiting"}
REFUSED: dict[str, set[str]] = {
    "ask": NOT_YOURS,
    "reply": NOBODYS,
    "confirm": NOBODYS,
    "stop": NOBODYS,
    "regenerate": NOBODYS,
    "edit": NOBODYS,
    "select": NOBODYS,
    "feedback": NOBODYS,
    "resume": NOBODYS,
}
"""What a frame on another's conversation is answered by. `ping` says nothing of anybody."""


def frame(name: str, turn: Turn) -> dict[str, Any]:
    """A frame that would do something, were the conversation one's own."""
    of_turn = {"turn": turn.pk}
    fields: dict[str, dict[str, Any]] = {
        "ask": {"text": "What did they ask?", "client_id": uuid4()},
        "reply": {**of_turn, "text": "Yes"},
        "confirm": {**of_turn, "action": "a", "approved": True},
        "stop": of_turn,
        "regenerate": of_turn,
        "edit": {"message": turn.question_id, "text": "Something else", "client_id": uuid4()},
        "select": {"message": turn.question_id},
        "feedback": {**of_turn, "vote": "down"},
        "resume": {**of_turn, "after": 0},
        "ping": {},
    }
    return {"type": name, **fields[name]}


def session_of(name: str) -> str:
    """The session of somebody by role. Database work."""
    somebody = person(name)
    if somebody is None:
        return new_session()
    client = Client()
    client.force_login(somebody)
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def somebodys_turn() -> Turn:
    """A turn of a person who is none of the others."""
    turn: Turn = stored.finished_turn()
    Conversation.objects.filter(pk=turn.conversation_id).update(user=factories.user("owner"))
    return turn


def everything() -> dict[str, list[Any]]:
    """All that a frame could change, as rows."""
    return {
        model.__name__: list(model.objects.order_by("pk").values())
        for model in (Conversation, Message, Turn, Feedback)
    }


def test_the_table_has_every_frame() -> None:
    assert set(REFUSED) | {"ping"} == set(NAMES)


@pytest.mark.parametrize("who", PEOPLE)
async def test_no_frame_does_anything_in_anothers_conversation(who: str) -> None:
    turn = await in_db(somebodys_turn)
    session = await in_db(session_of, who)
    before = await in_db(everything)
    page = Page(turn.conversation_id, session)
    assert (await page.open())["code"] == "not_yours"
    answered = {}
    for name in REFUSED:
        await page.say(**frame(name, turn))
        said = await page.next()
        assert said["type"] == "refused", f"{who} was answered {said['type']} to {name}"
        answered[name] = said["code"]
    assert {name for name, code in answered.items() if code not in REFUSED[name]} == set()
    await page.say(type="ping")
    assert (await page.next())["type"] == "pong"
    await page.close()
    assert await in_db(everything) == before


@pytest.mark.parametrize("who", PEOPLE)
async def test_a_turn_of_another_is_not_reached_through_ones_own_conversation(who: str) -> None:
    turn = await in_db(somebodys_turn)
    session = await in_db(session_of, who)
    before = await in_db(everything)
    page = Page(uuid4(), session)
    assert (await page.open())["type"] == "hello"
    for name in REFUSED.keys() - {"ask"}:
        await page.say(**frame(name, turn))
        said = await page.next()
        assert (said["type"], said["code"] in NOBODYS) == ("refused", True), (name, said)
    await page.close()
    assert await in_db(everything) == before


@pytest.mark.parametrize("who", PEOPLE)
async def test_everybody_has_a_conversation_of_their_own(who: str) -> None:
    session = await in_db(session_of, who)
    page = Page(mine := uuid4(), session)
    assert (await page.open())["type"] == "hello"
    await page.ask("Hello")
    assert (await page.answered())[-1]["data"]["termination"] == "greeted"
    await page.close()
    assert await in_db(Conversation.objects.filter(pk=mine).exists)


@pytest.mark.parametrize("who", PEOPLE)
async def test_no_frame_of_the_staff_reaches_anybodys_socket(who: str) -> None:
    """What only the staff may see is left out of the socket, whoever sits at it."""
    session = await in_db(session_of, who)
    page = Page(uuid4(), session)
    await page.open()
    await page.ask("Hello")
    seen = {item["type"] for item in await page.answered()}
    await page.close()
    assert seen.isdisjoint({"route", "retrieval", "verdicts", "decision", "model_call", "claims"})
    assert seen.isdisjoint({"state_diff", "question", "rewrite"})
