"""One turn's events over SSE: what is stored, then what comes, from any number on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.core.asgi import get_asgi_application
from django.test import AsyncClient
from django.urls import reverse

from chat.contracts.events import Event
from chat.db import in_db
from chat.models import Turn
from tests import factories, stored
from tests.staff import person
from tests.traces import refund_with_one_rewrite

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def engineer() -> Any:
    return person("engineer")


@pytest.fixture
def client(engineer: Any) -> AsyncClient:
    client = AsyncClient()
    client.force_login(engineer)
    return client


def frames_of(text: str) -> list[dict[str, str]]:
    """The frames of a stream, comments left out."""
    blocks = [block for block in text.split("\n\n") if block and not block.startswith(":")]
    return [dict(line.split(": ", 1) for line in block.split("\n")) for block in blocks]


async def read_all(response: Any) -> list[dict[str, str]]:
    parts = [part.decode() async for part in response.streaming_content]
    return frames_of("".join(parts))


def address(turn: Any, query: str = "") -> str:
    return reverse("workflow:events", args=(turn.pk,)) + query


async def test_a_turn_that_ended_is_sent_whole_and_the_stream_ends(client: AsyncClient):
    told = refund_with_one_rewrite()
    turn = await in_db(stored.finished_turn, told)
    frames = await read_all(await client.get(address(turn)))
    assert [json.loads(frame["data"]) for frame in frames] == [event.wire() for event in told]
    assert [frame["id"] for frame in frames] == [str(event.seq) for event in told]
    assert [frame["event"] for frame in frames] == [event.body.TYPE for event in told]


async def test_the_answer_is_neither_held_back_nor_kept(client: AsyncClient):
    turn = await in_db(stored.finished_turn)
    response = await client.get(address(turn))
    assert response.headers["Content-Type"] == "text/event-stream"
    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["X-Accel-Buffering"] == "no"


async def test_a_browser_that_comes_back_gets_what_it_lacks(client: AsyncClient):
    turn = await in_db(stored.finished_turn)
    frames = await read_all(await client.get(address(turn), headers={"Last-Event-ID": "80"}))
    assert [frame["id"] for frame in frames] == ["81", "82", "83", "84", "85", "86"]


async def test_a_first_look_may_begin_later_too(client: AsyncClient):
    turn = await in_db(stored.finished_turn)
    frames = await read_all(await client.get(address(turn, "?after=85")))
    assert [frame["id"] for frame in frames] == ["86"]


async def test_a_browser_that_has_everything_is_told_to_stop_asking(client: AsyncClient):
    turn = await in_db(stored.finished_turn)
    response = await client.get(address(turn), headers={"Last-Event-ID": "86"})
    assert response.status_code == 204


@pytest.mark.parametrize("mark", ["x", "-3", "9" * 40, "1.5"])
async def test_a_mark_that_is_no_number_starts_at_the_beginning(client: AsyncClient, mark: str):
    turn = await in_db(stored.finished_turn)
    frames = await read_all(await client.get(address(turn), headers={"Last-Event-ID": mark}))
    assert frames[0]["id"] == "1"


async def test_a_turn_that_runs_is_followed_to_its_end(client: AsyncClient):
    told = refund_with_one_rewrite()
    turn = await in_db(stored.running_turn, told[:40])
    response = await client.get(address(turn))
    parts: AsyncIterator[bytes] = response.streaming_content
    seen = [frames_of((await anext(parts)).decode())[0]["id"] for _ in range(40)]
    coming = asyncio.ensure_future(anext(parts))
    await in_db(_finish, turn, told[40:])
    seen.append(frames_of((await coming).decode())[0]["id"])
    seen += [frame["id"] for frame in await read_all(response)]
    assert seen == [str(event.seq) for event in told]


async def test_a_pace_is_kept_between_events(client: AsyncClient, monkeypatch: pytest.MonkeyPatch):
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr("admin_tracing.live.sleep", sleep)
    turn = await in_db(stored.finished_turn)
    frames = await read_all(await client.get(address(turn, "?pace=0.001")))
    assert len(frames) == 86
    assert len(slept) == 85  # a thousand times slower than it was: no machine is late for it


@pytest.mark.parametrize("pace", ["slow", "0", "nan"])
async def test_another_pace_is_refused_in_words(client: AsyncClient, pace: str):
    turn = await in_db(stored.finished_turn)
    response = await client.get(address(turn, f"?pace={pace}"))
    assert response.status_code == 400
    assert "recorded" in response.content.decode()


async def test_a_turn_that_does_not_exist_is_not_found(client: AsyncClient):
    missing = reverse("workflow:events", args=("00000000-0000-4000-8000-00000000dead",))
    assert (await client.get(missing)).status_code == 404


async def test_a_reader_that_goes_away_ends_the_stream(engineer: Any):
    turn = await in_db(stored.running_turn, refund_with_one_rewrite()[:3])
    key = await in_db(_session, engineer)
    site = ApplicationCommunicator(get_asgi_application(), _scope(address(turn), key))
    await site.send_input({"type": "http.request", "body": b"", "more_body": False})
    start = await site.receive_output(5)
    assert start["status"] == 200
    assert (await site.receive_output(5))["body"].startswith(b"id: 1\n")
    await site.send_input({"type": "http.disconnect"})
    await site.wait(5)  # the request is over, though the turn is not


def _finish(turn: Any, rest: list[Event]) -> None:
    factories.store(rest)
    Turn.objects.filter(pk=turn.pk).update(status="finished")


def _session(user: Any) -> str:
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return str(session.session_key)


def _scope(path: str, session: str) -> dict[str, Any]:
    headers = [(b"host", b"testserver"), (b"cookie", f"sessionid={session}".encode())]
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": headers,
        "client": ("127.0.0.1", 1),
        "server": ("testserver", 80),
    }
