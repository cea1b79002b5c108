"""A canary that is typed as a reply is found in no table, no log, no frame and no prompt."""

from __future__ import annotations

import json
import logging
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection

from chat import wiring
from chat.db import in_db
from tests.doubles.models import VAGUE, ScriptedModel
from tests.factories import QUESTION
from tests.pausing import UNCLEAR, VERSIONS, asks_back
from tests.sockets import Page, new_session

pytestmark = pytest.mark.django_db(transaction=True)

CANARIES = {
    "email": "canary.bird@cage-example.org",
    "card": "4111 1111 1111 1111",
    "iban": "DE89 3704 0044 0532 0130 00",
    "phone": "+44 20 7946 0958",
}


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Any:
    given = asks_back(clarities=(VAGUE,), standalones=(UNCLEAR, QUESTION))
    monkeypatch.setattr(wiring, "ports", lambda: given)
    monkeypatch.setattr(wiring, "versions", lambda: VERSIONS)
    monkeypatch.setattr(wiring, "_runners", type(wiring._runners)())
    return given.model


def _every_cell() -> str:
    """All rows of all tables of the database, as one text."""
    with connection.cursor() as cursor:
        cells = []
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT to_jsonb(t)::text FROM "{table}" AS t')
            cells += [row[0] for row in cursor.fetchall()]
    return "\n".join(cells)


def _assert_gone(where: str, text: str, canary: str) -> None:
    written = CANARIES[canary]
    found = [way for way in (written, written.replace(" ", "")) if way.lower() in text.lower()]
    assert not found, f"{canary} in {where}"


@pytest.mark.parametrize("canary", CANARIES)
async def test_it_is_nowhere_while_the_turn_waits_again_nor_after_its_end(
    canary: str, model: ScriptedModel, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    page = Page(uuid4(), await in_db(new_session))
    await page.open()
    await page.ask(UNCLEAR)
    frames = await page.until("clarification")
    reply = {"type": "reply", "turn": frames[-1]["turn"], "text": f"To {CANARIES[canary]} please"}
    await page.say(**reply)
    frames += await page.until("clarification")
    cells = await in_db(_every_cell)  # with a checkpoint that the reply went into
    assert f"[{canary}]" in cells
    _assert_gone("the database of a turn that waits", cells, canary)
    await page.say(**reply)
    frames += await page.until("turn_finished")
    _assert_gone("the database", await in_db(_every_cell), canary)
    _assert_gone("the log", caplog.text, canary)
    _assert_gone("the frames", json.dumps(frames), canary)
    _assert_gone("the prompts", repr(model.asked), canary)
    await page.close()
    await wiring.runner().close()
