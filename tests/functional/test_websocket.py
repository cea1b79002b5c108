"""The chat socket: asks, streams, resumes and stops; what it cannot do it refuses, and lives on."""

from __future__ import annotations

import asyncio
import json
from typing import Any
from uuid import UUID, uuid4

import pytest

from chat import wiring
from chat.contracts.events import event_from
from chat.contracts.turn_view import fold
from chat.db import in_db
from chat.event_rows import stored
from chat.models import Conversation, Turn
from tests.doubles.models import ANSWERS, ScriptedModel, Waits
from tests.factories import ports
from tests.sockets import Page, new_session

pytestmark = pytest.mark.django_db(transaction=True)

ANSWER = "It takes five to ten business days [1]."
STAFF = {"question", "state_diff", "route", "retrieval", "verdicts", "model_call", "decision"}


@pytest.fixture(autouse=True)
def scripted(monkeypatch: pytest.MonkeyPatch) -> ScriptedModel:
    model = ScriptedModel(grades={"refunds#timing": ANSWERS}, answers=(ANSWER,))
    monkeypatch.setattr(wiring, "ports", lambda: ports(model))
    monkeypatch.setattr(wiring, "versions", lambda: {"code": "test"})
    monkeypatch.setattr(wiring, "_runners", type(wiring._runners)())
    return model


@pytest.fixture
async def page() -> Any:
    opened = Page(uuid4(), await in_db(new_session))
    hello = await opened.open()
    assert hello["type"] == "hello"
    yield opened
    await opened.close()
    await wiring.runner().close()


async def test_hello_names_the_conversation_and_that_nothing_runs(page: Page) -> None:
    other = Page(page.conversation, page.session)
    hello = await other.open()
    assert hello == {
        "v": 1,
        "type": "hello",
        "conversation": str(page.conversation),
        "running": None,
        "server": wiring.VERSION,
    }
    await other.close()


async def test_a_question_streams_its_stages_and_its_answer(page: Page) -> None:
    await page.ask()
    frames = await page.answered()
    types = [frame["type"] for frame in frames]
    assert types[0] == "turn_started"
    assert types[-2:] == ["stage", "turn_finished"]
    assert {"stage", "token", "answer"} <= set(types)
    assert not STAFF & set(types)
    assert [f["seq"] for f in frames] == sorted(f["seq"] for f in frames)
    answer = next(f["data"] for f in frames if f["type"] == "answer")
    assert answer["citations"][0]["chunk"] == "refunds#timing"


async def test_the_page_from_live_frames_equals_the_page_from_stored_rows(page: Page) -> None:
    await page.ask()
    frames = await page.answered()
    turn = UUID(frames[0]["turn"])
    live = fold(event_from(turn, f["seq"], f["at"], f["type"], f["data"]) for f in frames)
    assert live == fold(await stored(turn))


async def test_resume_sends_what_is_missing_from_any_number(page: Page) -> None:
    await page.ask()
    frames = await page.answered()
    for frame in frames[:-1:3]:  # every third, to stay under the socket's limit
        await page.say(type="resume", turn=frame["turn"], after=frame["seq"])
        missing = await page.answered()
        assert missing[0]["seq"] > frame["seq"]


async def test_a_closed_socket_does_not_end_the_turn(page: Page, scripted: ScriptedModel) -> None:
    gate = asyncio.Event()
    scripted.answers = (Waits(gate, ANSWER, first="It takes"),)
    await page.ask()
    frames = [frame for frame in await page.until("token") if "turn" in frame]
    await page.close()
    gate.set()
    again = Page(page.conversation, page.session)
    await again.open()
    await again.say(type="resume", turn=frames[0]["turn"], after=frames[-1]["seq"])
    rest = await again.until("turn_finished")
    assert rest[-1]["data"]["termination"] == "answered"
    await again.close()


async def test_a_reload_in_mid_answer_is_told_which_turn_runs(
    page: Page, scripted: ScriptedModel
) -> None:
    gate = asyncio.Event()
    scripted.answers = (Waits(gate, ANSWER, first="It takes"),)
    await page.ask()
    frames = [frame for frame in await page.until("token") if "turn" in frame]
    other = Page(page.conversation, page.session)
    hello = await other.open()
    assert hello["running"]["turn"] == frames[0]["turn"]
    gate.set()
    await page.until("turn_finished")
    await other.close()


async def test_stop_ends_the_turn_and_keeps_the_text(page: Page, scripted: ScriptedModel) -> None:
    scripted.answers = (Waits(asyncio.Event(), ANSWER, first="It takes"),)
    await page.ask()
    frames = [frame for frame in await page.until("token") if "turn" in frame]
    await page.say(type="stop", turn=frames[0]["turn"])
    rest = await page.until("turn_finished")
    assert rest[-1]["data"]["termination"] == "user_stop"
    rows = fold(await stored(UUID(frames[0]["turn"])))
    assert rows.text == "It takes"


async def test_a_second_page_of_the_person_follows_the_turn(page: Page) -> None:
    other = Page(page.conversation, page.session)
    await other.open()
    await page.ask()
    assert [f["type"] for f in await other.answered()][0] == "turn_started"
    await other.close()


async def test_the_same_ask_again_is_the_same_turn(page: Page) -> None:
    frame = {"type": "ask", "text": "How long?", "client_id": str(uuid4())}
    await page.say(**frame)
    first = await page.answered()
    await page.say(**frame)
    again = await page.answered()
    assert {f["turn"] for f in first} == {f["turn"] for f in again}
    assert await in_db(Turn.objects.count) == 1


NOBODY = UUID("00000000-0000-4000-8000-0000000000ff")


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ("{not json", "bad_frame"),
        ("[]", "bad_frame"),
        ('{"type": "teleport"}', "bad_frame"),
        ('{"type": "ask", "text": "no id"}', "bad_frame"),
        ("[" * 5_000, "bad_frame"),
        ("x" * 1_000_000, "too_large"),
        (json.dumps({"type": "ask", "text": "x" * 5_000, "client_id": str(NOBODY)}), "too_large"),
        (json.dumps({"type": "resume", "turn": str(NOBODY), "after": 0}), "no_such_turn"),
        (json.dumps({"type": "stop", "turn": str(NOBODY)}), "no_such_turn"),
    ],
)
async def test_a_frame_that_cannot_be_carried_out_is_refused_and_the_socket_lives_on(
    page: Page, frame: str, code: str
) -> None:
    await page.socket.send_to(text_data=frame)
    refused = await page.next()
    assert (refused["type"], refused["code"]) == ("refused", code)
    assert refused["message"]
    await page.say(type="ping")
    assert (await page.next())["type"] == "pong"


async def test_binary_frames_are_refused(page: Page) -> None:
    await page.socket.send_to(bytes_data=b"\x00\x01")
    assert (await page.next())["code"] == "bad_frame"


async def test_a_burst_of_fifty_frames_is_refused_and_says_when_to_come_back(page: Page) -> None:
    for _ in range(50):
        await page.say(type="ping")
    frames = [await page.next() for _ in range(50)]
    refused = [frame for frame in frames if frame["type"] == "refused"]
    assert len(refused) >= 25
    assert {frame["code"] for frame in refused} == {"too_fast"}
    assert all(frame["retry_after"] > 0 for frame in refused)


async def test_a_foreign_conversation_is_refused_whatever_is_said(page: Page) -> None:
    await page.ask()
    await page.until("turn_finished")
    stranger = Page(page.conversation, await in_db(new_session))
    assert (await stranger.open())["code"] == "not_yours"
    await stranger.ask()
    assert (await stranger.next())["code"] == "not_yours"
    turn = await in_db(Turn.objects.get)
    await stranger.say(type="resume", turn=turn.pk, after=0)
    assert (await stranger.next())["code"] == "no_such_turn"
    await stranger.say(type="ping")
    assert (await stranger.next())["type"] == "pong"
    await stranger.close()


async def test_a_second_question_while_one_is_answered_is_refused(
    page: Page, scripted: ScriptedModel
) -> None:
    scripted.answers = (Waits(asyncio.Event(), ANSWER, first="It"),)
    await page.ask()
    frames = [frame for frame in await page.until("token") if "turn" in frame]
    await page.ask("And how much?")
    assert (await page.until("refused"))[-1]["code"] == "turn_running"
    await page.say(type="stop", turn=frames[0]["turn"])
    await page.until("turn_finished")


async def test_no_conversation_is_made_before_the_first_question(page: Page) -> None:
    assert await in_db(Conversation.objects.count) == 0
    await page.ask()
    await page.until("turn_finished")
    assert await in_db(Conversation.objects.count) == 1
