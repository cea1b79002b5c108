"""Limits on the real socket: what is refused, in which words, and that nothing else is."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.conf import settings as site

from chat import limits, seats, wiring
from chat.contracts.commands import Ask
from chat.db import in_db
from chat.models import Message, Turn
from tests.doubles.models import ANSWERS, VAGUE, ScriptedModel
from tests.factories import ports
from tests.sockets import Page, new_session

pytestmark = pytest.mark.django_db(transaction=True)

ANSWER = "It takes five to ten business days [1]."


@pytest.fixture(autouse=True)
def scripted(monkeypatch: pytest.MonkeyPatch) -> ScriptedModel:
    model = ScriptedModel(grades={"refunds#timing": ANSWERS}, answers=(ANSWER,))
    monkeypatch.setattr(wiring, "ports", lambda: ports(model))
    monkeypatch.setattr(wiring, "versions", lambda: {"code": "test"})
    monkeypatch.setattr(wiring, "_runners", type(wiring._runners)())
    return model


def allow(monkeypatch: pytest.MonkeyPatch, **limits: Any) -> None:
    monkeypatch.setattr(site, "PLUMBLINE", replace(site.PLUMBLINE, **limits))


class FromAddress(Page):
    """A page of a person with this address."""

    def __init__(self, session: str, address: str, conversation: UUID | None = None) -> None:
        super().__init__(conversation or uuid4(), session)
        self.socket.scope["client"] = [address, 4000]


@pytest.fixture
async def page() -> AsyncIterator[Page]:
    opened = Page(uuid4(), await in_db(new_session))
    await opened.open()
    yield opened
    await opened.close()
    await wiring.runner().close()


async def refused(page: Page) -> dict[str, Any]:
    return (await page.until("refused"))[-1]


async def test_a_question_too_many_is_refused_and_says_when_to_come_back(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    allow(monkeypatch, limit_asks_person="1/minute")
    await page.ask()
    await page.answered()
    await page.ask("And by card?")
    frame = await refused(page)
    assert frame["code"] == "too_fast"
    assert 55 <= frame["retry_after"] <= 61
    assert frame["message"].startswith("One person can ask 1 question a minute. Ask again in ")
    assert not await in_db(Message.objects.filter(text="And by card?").exists)


async def test_a_repeat_counts_once(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    allow(monkeypatch, limit_asks_person="2/minute")
    ask = {"type": "ask", "text": "How long does a refund take?", "client_id": uuid4()}
    for _ in range(3):
        await page.say(**ask)
        await page.until("turn_finished")
    await page.ask("And by card?")
    await page.until("turn_finished")
    assert await in_db(Turn.objects.count) == 2


async def test_edits_and_new_answers_count_as_questions(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    await page.ask()
    turn = (await page.answered())[-1]["turn"]
    question = await in_db(Message.objects.get, author="person")
    allow(monkeypatch, limit_asks_person="1/minute")  # under a name of its own: nothing used yet
    await page.say(type="regenerate", turn=turn)
    await page.until("turn_finished")
    await page.say(type="edit", message=question.pk, text="And by card?", client_id=uuid4())
    assert (await refused(page))["code"] == "too_fast"


async def test_a_reply_counts_and_one_that_is_refused_leaves_the_turn_waiting(
    page: Page, scripted: ScriptedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted.clarities = (VAGUE,)
    allow(monkeypatch, limit_asks_person="1/minute")
    await page.ask("Tell me about it")
    turn = (await page.until("clarification"))[-1]["turn"]
    await page.say(type="reply", turn=turn, text="about refunds")
    assert (await refused(page))["code"] == "too_fast"
    assert await in_db(Turn.objects.filter(pk=turn, status="waiting").exists)
    await page.say(type="stop", turn=turn)
    await page.until("turn_finished")


async def test_what_costs_no_model_is_never_held_back(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    allow(monkeypatch, limit_asks_person="1/minute")
    await page.ask()
    turn = (await page.answered())[-1]["turn"]
    await page.ask("And by card?")
    await refused(page)
    await page.say(type="ping")
    await page.until("pong")
    await page.say(type="resume", turn=turn, after=0)
    assert [frame["type"] for frame in await page.answered()][-1] == "turn_finished"
    await page.say(type="feedback", turn=turn, vote="up")
    await page.say(type="stop", turn=turn)
    await page.say(type="ping")
    assert [frame["type"] for frame in await page.until("pong")] == ["pong"]


async def test_somebody_in_danger_is_helped_whatever_was_used_up(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    await page.ask()
    turn = (await page.answered())[-1]["turn"]
    await in_db(Turn.objects.filter(pk=turn).update, tokens=5_000)
    allow(monkeypatch, limit_asks_person="1/minute", daily_tokens_person=5_000)
    await page.ask("And by card?")
    await refused(page)
    for _ in range(2):
        await page.ask("I want to kill myself")
        assert (await page.answered())[-1]["data"]["termination"] == "crisis"
    await page.ask("And by card?")
    assert (await refused(page))["code"] == "over_budget"


def test_a_document_that_speaks_of_danger_counts_as_any_other() -> None:
    told = "I want to kill myself."
    document = "# Plot\n\n" + f"She says: {told} " * 20
    assert not limits.counts(Ask(type="ask", text=told, client_id=uuid4()))
    assert limits.counts(Ask(type="ask", text=document, client_id=uuid4()))
    assert limits.counts(Ask(type="ask", text=f"{told} " * 400, client_id=uuid4()))


async def test_a_used_up_day_is_told(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    await page.ask()
    turn = (await page.answered())[-1]["turn"]
    await in_db(Turn.objects.filter(pk=turn).update, tokens=5_000)
    allow(monkeypatch, daily_tokens_person=5_000)
    await page.ask("And by card?")
    frame = await refused(page)
    assert frame["code"] == "over_budget"
    assert frame["message"].endswith("Ask again in 24 hours.")


async def test_a_person_with_many_pages_open_is_told_and_the_page_is_closed(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    allow(monkeypatch, limit_sockets_person=1)
    other = Page(uuid4(), page.session)
    frame = await other.open()
    assert (frame["type"], frame["code"]) == ("refused", "too_many_sockets")
    assert frame["retry_after"] == seats.COME_BACK
    closed = await other.socket.receive_output(timeout=10)
    assert (closed["type"], closed["code"]) == ("websocket.close", 4429)
    await other.close()


async def test_a_closed_page_makes_room_for_another(monkeypatch: pytest.MonkeyPatch) -> None:
    allow(monkeypatch, limit_sockets_person=1)
    session = await in_db(new_session)
    for _ in range(3):
        page = Page(uuid4(), session)
        assert (await page.open())["type"] == "hello"
        await page.close()
    await wiring.runner().close()


async def test_who_drops_the_cookie_is_held_by_the_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    allow(monkeypatch, limit_asks_address="2/minute")
    codes: list[str] = []
    for address in ("198.51.100.7", "198.51.100.7", "198.51.100.7", "198.51.100.8"):
        page = FromAddress(await in_db(new_session), address)
        await page.open()
        await page.ask()
        frames = await page.until("conversation") if len(codes) != 2 else [await refused(page)]
        codes.append(frames[-1].get("code", ""))
        await page.until("turn_finished") if len(codes) != 3 else None
        await page.close()
    assert codes == ["", "", "too_fast", ""]
    await wiring.runner().close()


async def test_a_forwarded_address_counts_only_behind_a_proxy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    allow(monkeypatch, limit_sockets_address=1)
    first = FromAddress(await in_db(new_session), "10.0.0.1")
    await first.open()
    for proxies, answer in ((0, "refused"), (1, "hello")):
        allow(monkeypatch, trusted_proxies=proxies)
        other = FromAddress(await in_db(new_session), "10.0.0.1")
        other.socket.scope["headers"].append((b"x-forwarded-for", b"198.51.100.7"))
        assert (await other.open())["type"] == answer
        await other.close()
    await first.close()
    await wiring.runner().close()


async def test_with_every_limit_off_nothing_is_refused(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    allow(
        monkeypatch,
        limit_asks_person="",
        limit_asks_address="",
        limit_sockets_person=0,
        limit_sockets_address=0,
        daily_tokens_person=0,
        daily_cost_person=0.0,
    )
    other = FromAddress(page.session, "198.51.100.7")
    assert (await other.open())["type"] == "hello"
    await other.ask()
    await other.until("turn_finished")
    await other.close()
