"""What the product is compared with: the least code that relays a model to a websocket.

A daphne application whose consumer iterates `ChatOpenAI.astream` and sends one JSON frame a
chunk. It keeps nothing, checks nothing and knows nobody.
"""

from __future__ import annotations

import json

from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from langchain_openai import ChatOpenAI

settings.configure()

MODEL = "paced"


class BareRelay(AsyncWebsocketConsumer):
    """One socket: a text frame is a question, its answer comes back chunk by chunk."""

    chat = ChatOpenAI(model=MODEL)  # endpoint and key come from the environment

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        async for chunk in self.chat.astream(text_data or ""):
            if chunk.text:
                await self.send(text_data=json.dumps({"text": str(chunk.text)}))
        await self.send(text_data=json.dumps({"end": True}))


application = BareRelay.as_asgi()
