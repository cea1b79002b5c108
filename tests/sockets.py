"""A visitor's page as a socket: asks, and reads frames as they come."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID, uuid4

from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore

from chat.identity import VISITOR_KEY


class Page:
    """A visitor's page: a socket with a session of its own."""

    def __init__(self, conversation: UUID, session: str) -> None:
        self.conversation, self.session = conversation, session
        self.socket = socket_of(f"/ws/chat/{conversation}/", session)

    async def open(self) -> dict[str, Any]:
        connected, _ = await self.socket.connect(timeout=30)
        assert connected
        return await self.next()

    async def say(self, **frame: Any) -> None:
        await self.socket.send_to(text_data=json.dumps(frame, default=str))

    async def next(self) -> dict[str, Any]:
        return dict(json.loads(await self.socket.receive_from(timeout=30)))

    async def until(self, type_: str) -> list[dict[str, Any]]:
        frames = [await self.next()]
        while frames[-1]["type"] != type_:
            frames.append(await self.next())
        return frames

    async def answered(self) -> list[dict[str, Any]]:
        """The frames of the running turn up to its end, without those of the conversation."""
        return [frame for frame in await self.until("turn_finished") if "turn" in frame]

    async def ask(self, text: str = "How long does a refund take?") -> None:
        await self.say(type="ask", text=text, client_id=uuid4())

    async def close(self) -> None:
        await self.socket.disconnect()


def socket_of(path: str, session: str) -> WebsocketCommunicator:
    """A socket of the site's own application at `path`, for the session with this key."""
    # Its module sees to a database server, so it waits until the run's own one is there.
    from config.asgi import application

    cookie = f"{settings.SESSION_COOKIE_NAME}={session}".encode()
    headers = [(b"cookie", cookie), (b"origin", b"http://localhost"), (b"host", b"localhost")]
    return WebsocketCommunicator(application, path, headers=headers)


def new_session() -> str:
    """The key of a new visitor's session. Database work."""
    store = SessionStore()
    store[VISITOR_KEY] = str(uuid4())
    store.save()
    return str(store.session_key)
