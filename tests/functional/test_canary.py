"""A canary that is typed, pasted or attached is found in no table, log, frame or checkpoint."""

from __future__ import annotations

import base64
import json
import logging
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from django.db import connection

from chat import wiring
from chat.contracts.tasks import Draft, ToolCall
from chat.db import in_db
from chat.identity import VISITOR_KEY
from chat.models import Pause, TurnEvent
from config.asgi import application
from tests.documents import exif, jpeg, pdf, png, upload
from tests.doubles.models import ANSWERS, Raises, ScriptedModel
from tests.factories import QUESTION, TIMING, ports

pytestmark = pytest.mark.django_db(transaction=True)

CANARIES = {
    "email": "canary.bird@cage-example.org",
    "card": "4111 1111 1111 1111",
    "iban": "DE89 3704 0044 0532 0130 00",
    "phone": "+44 20 7946 0958",
}
SPELLINGS = {name: {text, text.replace(" ", "")} for name, text in CANARIES.items()}
FIELDS = "\n".join(f"Field {number}: a value of some length to be read" for number in range(40))


def _with_file(name: str, raw: bytes) -> dict[str, Any]:
    return {"text": QUESTION, "attachments": [upload(name, raw)]}


# A question with the canary in one place, and whether something must stand in its stead.
WAYS: dict[str, tuple[Callable[[str], dict[str, Any]], bool]] = {
    "text": (lambda canary: _with_file("a.txt", f"{TIMING} {canary}".encode()), True),
    "utf-16": (lambda canary: _with_file("a.txt", f"{TIMING} {canary}".encode("utf-16")), True),
    "markdown": (lambda canary: _with_file("a.md", f"# {canary}\n{TIMING}".encode()), True),
    "pdf": (lambda canary: _with_file("a.pdf", pdf(TIMING, f"Sent to {canary} today")), True),
    "name": (lambda canary: _with_file(f"{canary} a.txt", TIMING.encode()), True),
    "paste": (lambda canary: {"text": f"{QUESTION}\n\n{FIELDS}\nSent to: {canary}"}, True),
    "png": (lambda canary: _with_file("a.png", png((b"tEXt", canary.encode()))), False),
    "jpeg": (lambda canary: _with_file("a.jpg", jpeg((0xE1, exif(6, canary.encode())))), False),
}


def _session() -> str:
    store = SessionStore()
    store[VISITOR_KEY] = str(uuid4())
    store.save()
    return str(store.session_key)


LAST = ("turn_finished", "clarification", "action", "refused")


async def _typed(text: str, **more: Any) -> list[dict[str, Any]]:
    """The frames of one question, asked over the real socket, up to its end or its pause."""
    cookie = f"{settings.SESSION_COOKIE_NAME}={await in_db(_session)}".encode()
    headers = [(b"cookie", cookie), (b"origin", b"http://localhost"), (b"host", b"localhost")]
    socket = WebsocketCommunicator(application, f"/ws/chat/{uuid4()}/", headers=headers)
    await socket.connect(timeout=10)
    frames = [json.loads(await socket.receive_from(timeout=10))]
    ask = {"type": "ask", "text": text, "client_id": str(uuid4()), **more}
    await socket.send_to(text_data=json.dumps(ask))
    while frames[-1]["type"] not in LAST:
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
    """Neither as it was written nor as bytes, which tables show in hex and frames in base64."""
    text = text.lower()
    for spelling in SPELLINGS[canary]:
        assert spelling.lower() not in text, f"{canary} in {where}"
        assert spelling.encode().hex() not in text, f"{canary} in the bytes in {where}"


def _seen(model: ScriptedModel) -> str:
    """Everything that the model was asked, pictures as their bytes."""
    pictures = [getattr(asked.about, "images", ()) for asked in model.asked]
    raw = [base64.b64decode(image.data).hex() for images in pictures for image in images]
    return repr(model.asked) + "".join(raw)


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


@pytest.mark.parametrize("canary", CANARIES)
@pytest.mark.parametrize("way", WAYS)
async def test_what_is_attached_leaves_none_either(
    way: str, canary: str, model: ScriptedModel, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    made, is_replaced = WAYS[way]
    frames = await _typed(**made(CANARIES[canary]))
    assert frames[-1]["type"] == "turn_finished"
    stored = await in_db(_every_cell)
    assert (f"[{canary}]" in stored) is is_replaced
    _assert_gone("the database", stored, canary)
    _assert_gone("the log", caplog.text, canary)
    _assert_gone("the frames", json.dumps(frames), canary)
    _assert_gone("the prompts", _seen(model), canary)


@pytest.mark.parametrize("way", [way for way in WAYS if WAYS[way][1] and way != "paste"])
async def test_it_is_in_no_checkpoint_of_a_turn_that_waits(way: str, model: ScriptedModel) -> None:
    """A question with a file is never asked back, but an action of it waits for a yes."""
    wanted = {"subject": "Down", "description": "Please look into it."}
    call = ToolCall(id="1", tool="open_ticket", arguments=wanted)
    model.answers = (Draft(text="", calls=(call,)),)
    said = {"text": "Please open a ticket about this."}
    frames = await _typed(**{**WAYS[way][0](CANARIES["email"]), **said})
    assert frames[-1]["type"] == "action"
    assert (await in_db(Pause.objects.get)).checkpoint
    _assert_gone("the database", await in_db(_every_cell), "email")


@pytest.mark.parametrize("canary", CANARIES)
async def test_a_file_that_is_refused_leaves_none(
    canary: str, model: ScriptedModel, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    bad = upload(f"{CANARIES[canary]} a.pdf", f"%PDF-1.7 {CANARIES[canary]}".encode())
    frames = await _typed(f"{QUESTION} {CANARIES[canary]}", attachments=[bad])
    assert frames[-1]["code"] == "upload_refused"
    assert f"[{canary}]" in frames[-1]["message"]
    _assert_gone("the frames", json.dumps(frames), canary)
    _assert_gone("the log", caplog.text, canary)
    _assert_gone("the database", await in_db(_every_cell), canary)
