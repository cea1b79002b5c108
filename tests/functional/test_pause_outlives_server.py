"""A server that is killed while a turn waits is started again, and the reply finds the turn."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from aiohttp import ClientSession, ClientWebSocketResponse, CookieJar

from config.variables import BASE_DIR
from tests.servers import short_folder

START_SECONDS = 180
FRAME_SECONDS = 60

Page = ClientWebSocketResponse
Frame = dict[str, Any]


@pytest.fixture
def var() -> Iterator[Path]:
    """A folder for the served site's data."""
    with short_folder() as folder:
        yield folder.parent


@pytest.fixture
def port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def served(var: Path, port: int) -> Iterator[subprocess.Popen[str]]:
    """The site as a process; whatever a test did to it, it is gone afterwards."""
    process = subprocess.Popen(
        [sys.executable, str(BASE_DIR / "manage.py"), "serve"],
        env={"ENV_FILE": "", "VAR_DIR": str(var), "PORT": str(port), "PATH": os.defpath},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    late = threading.Timer(START_SECONDS, process.kill)
    late.start()
    try:
        assert process.stdout is not None
        lines = []
        for line in process.stdout:
            lines.append(line)
            if line.startswith("Plumbline: http"):
                break
        else:
            raise AssertionError("the site did not start:\n" + "".join(lines))
        late.cancel()
        yield process
    finally:
        late.cancel()
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)


@asynccontextmanager
async def visiting(port: int, jar: CookieJar, conversation: UUID) -> AsyncIterator[Page]:
    """A visitor's page: the cookie of the first visit, and a socket."""
    site = f"http://localhost:{port}"
    async with ClientSession(cookie_jar=jar) as browser:
        async with browser.get(f"{site}/chat/") as page:
            assert page.status == 200
        async with browser.ws_connect(f"{site}/ws/chat/{conversation}/", origin=site) as socket_:
            yield socket_


async def said(page: Page, **frame: Any) -> None:
    await page.send_str(json.dumps(frame, default=str))


async def until(page: Page, type_: str) -> list[Frame]:
    frames: list[Frame] = []
    while not frames or frames[-1]["type"] != type_:
        frames.append(await page.receive_json(timeout=FRAME_SECONDS))
    return frames


@pytest.mark.slow
async def test_a_killed_and_restarted_server_resumes_a_turn_that_waits(
    var: Path, port: int
) -> None:
    visitor = (port, CookieJar(unsafe=True), uuid4())
    with served(var, port) as process:
        async with visiting(*visitor) as page:
            await said(page, type="ask", text="Tell me about it", client_id=uuid4())
            asked = (await until(page, "clarification"))[-1]
            process.kill()
            process.wait(timeout=60)

    with served(var, port):
        async with visiting(*visitor) as page:
            hello = (await until(page, "hello"))[-1]
            assert hello["running"] == {"turn": asked["turn"]}
            await said(page, type="resume", turn=asked["turn"], after=0)
            assert (await until(page, "clarification"))[-1] == asked
            reply = {"type": "reply", "turn": asked["turn"]}
            await said(page, **reply, text="How long does a refund take?")
            rest = await until(page, "turn_finished")
            assert {frame["turn"] for frame in rest if "turn" in frame} == {asked["turn"]}
            assert rest[0]["seq"] > asked["seq"]
            answer = next(frame["data"] for frame in rest if frame["type"] == "answer")
            assert "business days" in answer["text"]
            assert rest[-1]["data"]["termination"].startswith("answered")
            await said(page, **reply, text="And again")
            assert (await until(page, "refused"))[-1]["code"] == "nothing_waiting"
