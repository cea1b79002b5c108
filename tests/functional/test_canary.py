"""A canary that is typed, pasted or attached is found in no table, log, frame or checkpoint."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from chat import wiring
from chat.contracts.tasks import Draft, ToolCall
from chat.db import in_db
from chat.guardrails.input import KINDS
from chat.models import Pause, TurnEvent
from tests.canaries import ALL, CANARIES, WRITTEN, assert_gone, every_cell
from tests.documents import exif, jpeg, pdf, png, upload
from tests.doubles.models import ANSWERS, Raises, ScriptedModel
from tests.factories import QUESTION, TIMING, ports
from tests.sockets import new_session, socket_of

pytestmark = pytest.mark.django_db(transaction=True)

FIELDS = "\n".join(f"Field {number}: a value of some length to be read" for number in range(40))


def _with_file(name: str, raw: bytes) -> dict[str, Any]:
    return {"text": QUESTION, "attachments": [upload(name, raw)]}


def _named(canary: str) -> dict[str, Any]:
    """Files whose names hold it, each as much of it as a name may have characters."""
    parts = canary.split("; ")
    names = ["; ".join(parts[:3]), "; ".join(parts[3:6]), "; ".join(parts[6:])]
    uploads = [upload(f"{name} {n}.txt", f"{TIMING} {n}".encode()) for n, name in enumerate(names)]
    return {"text": QUESTION, "attachments": uploads}


# A question with the canaries in one place, and whether something must stand in their stead.
WAYS: dict[str, tuple[Callable[[str], dict[str, Any]], bool]] = {
    "text": (lambda canary: _with_file("a.txt", f"{TIMING} {canary}".encode()), True),
    "utf-16": (lambda canary: _with_file("a.txt", f"{TIMING} {canary}".encode("utf-16")), True),
    "markdown": (lambda canary: _with_file("a.md", f"# {canary}\n{TIMING}".encode()), True),
    "pdf": (lambda canary: _with_file("a.pdf", pdf(TIMING, *canary.split("; "))), True),
    "name": (lambda canary: _named(canary), True),
    "paste": (lambda canary: {"text": f"{QUESTION}\n\n{FIELDS}\nSent to: {canary}"}, True),
    "png": (lambda canary: _with_file("a.png", png((b"tEXt", canary.encode()))), False),
    "jpeg": (lambda canary: _with_file("a.jpg", jpeg((0xE1, exif(6, canary.encode())))), False),
}


LAST = ("turn_finished", "clarification", "action", "refused")


async def _typed(text: str, **more: Any) -> list[dict[str, Any]]:
    """The frames of one question, asked over the real socket, up to its end or its pause."""
    socket = socket_of(f"/ws/chat/{uuid4()}/", await in_db(new_session))
    await socket.connect(timeout=30)
    frames = [json.loads(await socket.receive_from(timeout=30))]
    ask = {"type": "ask", "text": text, "client_id": str(uuid4()), **more}
    await socket.send_to(text_data=json.dumps(ask))
    while frames[-1]["type"] not in LAST:
        frames.append(json.loads(await socket.receive_from(timeout=30)))
    await socket.disconnect()
    await wiring.runner().close()
    return frames


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> ScriptedModel:
    scripted = ScriptedModel(grades={"refunds#timing": ANSWERS})
    monkeypatch.setattr(wiring, "ports", lambda: ports(scripted))
    monkeypatch.setattr(wiring, "versions", lambda: {"code": "test"})
    monkeypatch.setattr(wiring, "_runners", type(wiring._runners)())
    return scripted


def _seen(model: ScriptedModel) -> str:
    """Everything that the model was asked, pictures as their bytes."""
    pictures = [getattr(asked.about, "images", ()) for asked in model.asked]
    raw = [base64.b64decode(image.data).hex() for images in pictures for image in images]
    return repr(model.asked) + "".join(raw)


def _assert_nowhere(stored: str, frames: Any, log: str, model: ScriptedModel, *kinds: str) -> None:
    assert_gone("the database", stored, *kinds)
    assert_gone("the log", log, *kinds)
    assert_gone("the frames", json.dumps(frames), *kinds)
    assert_gone("the prompts", _seen(model), *kinds)


@pytest.mark.parametrize("kind", KINDS)
async def test_it_is_in_no_table_no_log_no_frame_and_no_prompt(
    kind: str, model: ScriptedModel, written_lines: io.StringIO
) -> None:
    frames = await _typed(f"How long does a refund take? For {WRITTEN[kind]}, quickly")
    assert frames[-1]["data"]["termination"].startswith("answered")
    stored = await in_db(every_cell)
    assert f"[{kind}]" in stored
    _assert_nowhere(stored, frames, written_lines.getvalue(), model, kind)


async def test_it_is_not_in_a_traceback_either(
    model: ScriptedModel, written_lines: io.StringIO
) -> None:
    model.answers = (Raises(RuntimeError(f"a defect with {ALL}")),)
    await _typed(f"Refund to {CANARIES['email']} how long?")
    assert "RuntimeError: a defect with [email]" in written_lines.getvalue()
    assert_gone("the log", written_lines.getvalue())
    assert_gone("the database", await in_db(every_cell))


async def test_the_redaction_is_reported_by_kind_and_never_by_text(model: ScriptedModel) -> None:
    await _typed(f"My card {CANARIES['card']} and mail {CANARIES['email']}, how long?")
    row = await in_db(TurnEvent.objects.filter(type="decision").order_by("seq").first)
    assert row is not None
    assert row.data["control"] == "redaction"
    assert (row.data["outcome"], row.data["reason"]) == ("acted", "1 card, 1 email")


@pytest.mark.parametrize("way", WAYS)
async def test_what_is_attached_leaves_none_of_any_kind(
    way: str, model: ScriptedModel, written_lines: io.StringIO
) -> None:
    made, is_replaced = WAYS[way]
    frames = await _typed(**made(ALL))
    assert frames[-1]["type"] == "turn_finished"
    stored = await in_db(every_cell)
    assert ("[email]" in stored) is is_replaced
    _assert_nowhere(stored, frames, written_lines.getvalue(), model)


@pytest.mark.parametrize("way", [way for way in WAYS if WAYS[way][1] and way != "paste"])
async def test_it_is_in_no_checkpoint_of_a_turn_that_waits(way: str, model: ScriptedModel) -> None:
    """A question with a file is never asked back, but an action of it waits for a yes."""
    wanted = {"subject": "Down", "description": "Please look into it."}
    call = ToolCall(id="1", tool="open_ticket", arguments=wanted)
    model.answers = (Draft(text="", calls=(call,)),)
    said = {"text": "Please open a ticket about this."}
    frames = await _typed(**{**WAYS[way][0](ALL), **said})
    assert frames[-1]["type"] == "action"
    assert (await in_db(Pause.objects.get)).checkpoint
    assert_gone("the database", await in_db(every_cell))


async def test_a_file_that_is_refused_leaves_none(
    model: ScriptedModel, written_lines: io.StringIO
) -> None:
    bad = upload(f"{ALL[:100]} a.pdf", f"%PDF-1.7 {ALL}".encode())
    frames = await _typed(f"{QUESTION} {ALL}", attachments=[bad])
    assert frames[-1]["code"] == "upload_refused"
    assert "[email]" in frames[-1]["message"]
    _assert_nowhere(await in_db(every_cell), frames, written_lines.getvalue(), model)
