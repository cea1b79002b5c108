"""A canary in an edited question or in what a person says of an answer is kept nowhere."""

from __future__ import annotations

import io
import json
from collections.abc import AsyncIterator
from uuid import uuid4

import pytest

from chat import wiring
from chat.db import in_db
from chat.models import Feedback, Message
from tests.canaries import ALL, assert_gone, every_cell
from tests.doubles.models import ANSWERS, ScriptedModel
from tests.factories import QUESTION, ports
from tests.sockets import Page, new_session

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def model(monkeypatch: pytest.MonkeyPatch) -> ScriptedModel:
    scripted = ScriptedModel(grades={"refunds#timing": ANSWERS})
    monkeypatch.setattr(wiring, "ports", lambda: ports(scripted))
    monkeypatch.setattr(wiring, "versions", lambda: {"code": "test"})
    monkeypatch.setattr(wiring, "_runners", type(wiring._runners)())
    return scripted


@pytest.fixture
async def page() -> AsyncIterator[Page]:
    opened = Page(uuid4(), await in_db(new_session))
    await opened.open()
    yield opened
    await opened.close()
    await wiring.runner().close()


async def test_an_edited_question_leaves_none(
    page: Page, model: ScriptedModel, written_lines: io.StringIO
) -> None:
    await page.ask(QUESTION)
    await page.until("turn_finished")
    first = await in_db(Message.objects.filter(author="person").first)
    await page.say(type="edit", message=first.pk, text=f"{QUESTION} {ALL}", client_id=uuid4())
    frames = await page.until("turn_finished")
    stored = await in_db(every_cell)
    assert "[national_id]" in stored
    assert_gone("the database", stored)
    assert_gone("the frames", json.dumps(frames))
    assert_gone("the prompts", repr(model.asked))
    assert_gone("the log", written_lines.getvalue())


async def test_feedback_leaves_none(page: Page, written_lines: io.StringIO) -> None:
    await page.ask(QUESTION)
    turn = (await page.until("turn_finished"))[-1]["turn"]
    await page.say(type="feedback", turn=turn, vote="down", reason=ALL[:80], note=ALL)
    await page.say(type="ping")
    await page.until("pong")
    assert "[account]" in (await in_db(Feedback.objects.get)).note
    assert_gone("the database", await in_db(every_cell))
    assert_gone("the log", written_lines.getvalue())
