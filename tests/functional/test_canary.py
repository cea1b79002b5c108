"""A canary that is typed as a question is found in no table, no log and no checkpoint."""

from __future__ import annotations

import json
import logging
from typing import Any
from uuid import uuid4

import pytest
from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from django.db import connection

from chat import wiring
from chat.db import in_db
from chat.identity import VISITOR_KEY
from chat.models import TurnEvent
from config.asgi import application
from tests.doubles.models import ANSWERS, Raises, ScriptedModel
from tests.factories import ports

pytestmark = pytest.mark.django_db(transaction=True)

CANARIES = {
    "email": "canary.bird@cage-example.org",
    "card": "4111 1111 1111 1111",
    "iban": "DE89 3704 0044 0532 0130 00",
    "phone": "+44 20 7946 0958",
}
SPELLINGS = {name: {text, text.replace(" ", "")} for name, text in CANARIES.items()}


def _session() -> str:
    store = SessionStore()
    store[VISITOR_KEY] = str(uuid4())
    store.save()
    return str(store.session_key)


async def _typed(text: str) -> list[dict[str, Any]]:
    """The frames of one question, asked over the real socket."""
    cookie = f"{settings.SESSION_COOKIE_NAME}={await in_db(_session)}".encode()
    headers = [(b"cookie", cookie), (b"origin", b"http://localhost"), (b"host", b"localhost")]
    socket = WebsocketCommunicator(application, f"/ws/chat/{uuid4()}/", headers=headers)
    await socket.connect(timeout=10)
    frames = [json.loads(await socket.receive_from(timeout=10))]
    ask = {"type": "ask", "text": text, "client_id": str(uuid4())}
    await socket.send_to(text_data=json.dumps(ask))
    while frames[-1]["type"] not in ("turn_finished", "refused"):
        frames.append(json.loads(await socket.receive_from(timeout=10)))
    await socket.disconnect()
    await wiring.runner().close()
    return frames


def _every_cell() -> str:
    """All rows of all tables of the database, as one text."""
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        cells = []
        for table in tables:
            cursor.execute(f'SELECT to_jsonb(t)::text FROM "{table}" AS t')
            cells += [row[0] for row in cursor.fetchall()]
    return "\n".join(cells)


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> ScriptedModel:
    scripted = ScriptedModel(grades={"refunds#timing": ANSWERS})
    monkeypatch.setattr(wiring, "ports", lambda: ports(scripted))
    monkeypatch.setattr(wiring, "versions", lambda: {"code": "test"})
    monkeypatch.setattr(wiring, "_runners", type(wiring._runners)())
    return scripted


def _assert_gone(where: str, text: str, canary: str) -> None:
    found = [spelling for spelling in SPELLINGS[canary] if spelling.lower() in text.lower()]
    assert not found, f"{canary} in {where}"


@pytest.mark.parametrize("canary", CANARIES)
async def test_it_is_in_no_table_no_log_no_frame_and_no_prompt(
    canary: str, model: ScriptedModel, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    question = f"How long does a refund to {CANARIES[canary]} take?"
    frames = await _typed(question)
    assert frames[-1]["data"]["termination"] == "answered"
    stored = await in_db(_every_cell)
    assert f"[{canary}]" in stored
    _assert_gone("the database", stored, canary)
    _assert_gone("the log", caplog.text, canary)
    _assert_gone("the frames", json.dumps(frames), canary)
    _assert_gone("the prompts", repr(model.asked), canary)


async def test_it_is_not_in_a_traceback_either(
    model: ScriptedModel, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    model.answers = (Raises(RuntimeError("a defect")),)
    await _typed(f"Refund to {CANARIES['email']} how long?")
    assert "a defect" in caplog.text
    _assert_gone("the log", caplog.text, "email")
    _assert_gone("the database", await in_db(_every_cell), "email")


async def test_the_redaction_is_reported_by_kind_and_never_by_text(model: ScriptedModel) -> None:
    await _typed(f"My card {CANARIES['card']} and mail {CANARIES['email']}, how long?")
    row = await in_db(TurnEvent.objects.filter(type="decision").order_by("seq").first)
    assert row is not None
    assert row.data["control"] == "redaction"
    assert (row.data["outcome"], row.data["reason"]) == ("acted", "1 card, 1 email")
