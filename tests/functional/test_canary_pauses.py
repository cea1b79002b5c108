"""A canary that is typed as a reply is found in no table, no log, no frame and no prompt."""

from __future__ import annotations

import io
import json
from typing import Any
from uuid import uuid4

import pytest

from chat import wiring
from chat.db import in_db
from tests.canaries import ALL, assert_gone, every_cell
from tests.doubles.models import VAGUE, ScriptedModel
from tests.factories import QUESTION
from tests.pausing import UNCLEAR, VERSIONS, asks_back
from tests.sockets import Page, new_session

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Any:
    given = asks_back(clarities=(VAGUE,), standalones=(UNCLEAR, QUESTION))
    monkeypatch.setattr(wiring, "ports", lambda: given)
    monkeypatch.setattr(wiring, "versions", lambda: VERSIONS)
    monkeypatch.setattr(wiring, "_runners", type(wiring._runners)())
    return given.model


async def test_it_is_nowhere_while_the_turn_waits_again_nor_after_its_end(
    model: ScriptedModel, written_lines: io.StringIO
) -> None:
    page = Page(uuid4(), await in_db(new_session))
    await page.open()
    await page.ask(UNCLEAR)
    frames = await page.until("clarification")
    reply = {"type": "reply", "turn": frames[-1]["turn"], "text": f"To {ALL}"}
    await page.say(**reply)
    frames += await page.until("clarification")
    cells = await in_db(every_cell)  # with a checkpoint that the reply went into
    assert "[national_id]" in cells
    assert_gone("the database of a turn that waits", cells)
    await page.say(**reply)
    frames += await page.until("turn_finished")
    assert_gone("the database", await in_db(every_cell))
    assert_gone("the log", written_lines.getvalue())
    assert_gone("the frames", json.dumps(frames))
    assert_gone("the prompts", repr(model.asked))
    await page.close()
    await wiring.runner().close()
