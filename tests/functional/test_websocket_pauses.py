"""The chat socket where a turn waits: asked, answered from any page, stopped, given way."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest

from chat import event_log, wiring
from chat.contracts.events import event_from
from chat.contracts.tasks import Draft, ToolCall
from chat.contracts.turn_view import fold
from chat.db import in_db
from chat.event_rows import stored
from chat.models import Pause, Turn
from tests.doubles.tools import TICKET, Tools
from tests.factories import QUESTION
from tests.pausing import UNCLEAR, VERSIONS, asks_back
from tests.sockets import Page, new_session

pytestmark = pytest.mark.django_db(transaction=True)

CALL = ToolCall(id="c1", tool=TICKET.name, arguments={"subject": "Refund"})
STAFF = {"question", "state_diff", "route", "retrieval", "verdicts", "model_call", "decision"}


@pytest.fixture(autouse=True)
def asking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wiring, "ports", asks_back)
    monkeypatch.setattr(wiring, "equip", lambda given, _turn: given)
    monkeypatch.setattr(wiring, "versions", lambda: VERSIONS)
    monkeypatch.setattr(wiring, "_runners", type(wiring._runners)())
    # Whoever follows a turn is woken; no test waits for the next look at the rows.
    monkeypatch.setattr(event_log, "POLL", 60.0)


@pytest.fixture
async def page() -> AsyncIterator[Page]:
    opened = await _opened(uuid4(), await in_db(new_session))
    yield opened
    await opened.close()
    await wiring.runner().close()


async def _opened(conversation: UUID, session: str) -> Page:
    made = Page(conversation, session)
    assert (await made.open())["type"] == "hello"
    return made


async def _asked(page: Page, what: str = "clarification", text: str = UNCLEAR) -> dict[str, Any]:
    """The frame that asks back."""
    await page.ask(text)
    return (await page.until(what))[-1]


async def _refusal(page: Page) -> str:
    return str((await page.until("refused"))[-1]["code"])


async def test_a_vague_question_is_asked_back_and_the_same_turn_goes_on(page: Page) -> None:
    asked = await _asked(page)
    assert asked["data"]["question"] == "What is it about?"
    assert asked["data"]["options"] == ["Refunds", "Backups"]
    assert asked["data"]["expires_at"] > asked["at"]
    await page.say(type="reply", turn=asked["turn"], text="Refunds")
    rest = await page.answered()
    assert {frame["turn"] for frame in rest} == {asked["turn"]}
    assert [f["seq"] for f in rest] == sorted({f["seq"] for f in rest})
    assert rest[0]["seq"] > asked["seq"]
    assert not STAFF & {frame["type"] for frame in rest}
    assert "You answered “Refunds”" in [f["data"].get("label") for f in rest]
    assert rest[-1]["data"]["termination"] == "answered"


async def test_the_page_from_live_frames_equals_the_page_from_stored_rows(page: Page) -> None:
    await page.ask(UNCLEAR)
    frames = [frame for frame in await page.until("clarification") if "turn" in frame]
    turn = UUID(frames[0]["turn"])
    await page.say(type="reply", turn=turn, text="Refunds")
    frames += await page.answered()
    live = fold(event_from(turn, f["seq"], f["at"], f["type"], f["data"]) for f in frames)
    assert live == fold(await stored(turn))


async def test_another_tab_sees_the_question_and_what_became_of_it(page: Page) -> None:
    other = await _opened(page.conversation, page.session)
    asked = await _asked(page)
    seen = (await other.until("clarification"))[-1]
    assert seen == asked
    await other.say(type="reply", turn=asked["turn"], text="Refunds")
    for each in (page, other):
        assert (await each.answered())[-1]["data"]["termination"] == "answered"
    await other.close()


async def test_a_page_that_comes_back_is_told_what_waits_and_sees_the_question(page: Page) -> None:
    asked = await _asked(page)
    await page.close()
    again = Page(page.conversation, page.session)
    hello = await again.open()
    assert hello["running"] == {"turn": asked["turn"]}
    await again.say(type="resume", turn=asked["turn"], after=0)
    assert (await again.until("clarification"))[-1] == asked
    await again.say(type="reply", turn=asked["turn"], text="Refunds")
    assert (await again.answered())[-1]["data"]["termination"] == "answered"
    await again.close()


async def test_a_page_that_replies_without_following_follows_from_there(page: Page) -> None:
    asked = await _asked(page)
    other = await _opened(page.conversation, page.session)
    await other.say(type="reply", turn=asked["turn"], text="Refunds")
    rest = await other.answered()
    assert rest[0]["seq"] > asked["seq"]
    assert rest[-1]["type"] == "turn_finished"
    await other.close()


async def test_a_second_reply_is_refused_and_changes_nothing(page: Page) -> None:
    asked = await _asked(page)
    other = await _opened(page.conversation, page.session)
    await page.say(type="reply", turn=asked["turn"], text="Refunds")
    await page.answered()
    for each in (page, other):
        await each.say(type="reply", turn=asked["turn"], text="Backups")
        assert await _refusal(each) == "nothing_waiting"
    pause = await in_db(Pause.objects.get)
    assert (pause.reply, pause.status) == ("Refunds", "answered")
    await other.close()


@pytest.mark.parametrize(
    "frame",
    [
        {"type": "reply", "text": "Refunds"},
        {"type": "confirm", "action": str(uuid4()), "approved": True},
    ],
    ids=lambda frame: str(frame["type"]),
)
async def test_what_nobody_asked_takes_no_reply(page: Page, frame: dict[str, Any]) -> None:
    await page.ask(QUESTION)
    turn = (await page.answered())[0]["turn"]
    for named in (turn, str(uuid4())):
        await page.say(**frame, turn=named)
        assert await _refusal(page) == "nothing_waiting"


async def test_nobody_else_replies(page: Page) -> None:
    asked = await _asked(page)
    stranger = Page(page.conversation, await in_db(new_session))
    assert (await stranger.open())["code"] == "not_yours"
    await stranger.say(type="reply", turn=asked["turn"], text="Mine")
    assert await _refusal(stranger) == "nothing_waiting"
    await stranger.close()
    own = await _opened(uuid4(), stranger.session)
    await own.say(type="reply", turn=asked["turn"], text="Mine")
    assert await _refusal(own) == "nothing_waiting"
    await own.close()
    assert (await in_db(Pause.objects.get)).status == "waiting"


async def test_another_question_supersedes_the_turn_that_waits(page: Page) -> None:
    asked = await _asked(page)
    other = await _opened(page.conversation, page.session)
    await page.ask(QUESTION)
    ends: dict[str, str] = {}
    while len(ends) < 2:
        last = (await page.until("turn_finished"))[-1]
        ends[last["turn"]] = last["data"]["termination"]
    assert ends.pop(asked["turn"]) == "superseded"
    assert list(ends.values()) == ["answered"]
    await other.close()


async def test_a_repeat_of_the_question_that_waits_supersedes_nothing(page: Page) -> None:
    frame = {"type": "ask", "text": UNCLEAR, "client_id": str(uuid4())}
    await page.say(**frame)
    asked = (await page.until("clarification"))[-1]
    await page.say(**frame)
    assert (await page.until("clarification"))[-1] == asked
    assert await in_db(Turn.objects.filter(status="waiting").count) == 1


async def test_a_turn_that_waits_is_stopped_on_every_page(page: Page) -> None:
    asked = await _asked(page)
    other = await _opened(page.conversation, page.session)
    await other.say(type="resume", turn=asked["turn"], after=0)
    await other.until("clarification")
    await page.say(type="stop", turn=asked["turn"])
    for each in (page, other):
        last = (await each.until("turn_finished"))[-1]
        assert last["data"]["termination"] == "user_stop"
    await other.close()


async def test_an_action_waits_for_the_persons_yes(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    tools = Tools()
    given = replace(asks_back(answers=(Draft(text="", calls=(CALL,)), "It is open.")), tools=tools)
    monkeypatch.setattr(wiring.runner(), "ports", lambda: given)
    asked = await _asked(page, "action", "Please open a ticket about my refund")
    data = asked["data"]
    assert (data["tool"], data["irreversible"]) == (TICKET.name, True)
    assert tools.ran == []
    confirm = {"type": "confirm", "turn": asked["turn"], "action": data["action"]}
    await page.say(**confirm, approved=True)
    rest = await page.answered()
    assert tools.ran == [(TICKET.name, data["action"])]
    assert [f["data"]["tool"] for f in rest if f["type"] == "tool"] == [TICKET.name]
    await page.say(**confirm, approved=True)
    assert await _refusal(page) == "nothing_waiting"
    assert len(tools.ran) == 1
