"""A model endpoint that answers every purpose, and dies for good when one of them is asked for.

It is known by the first line of the prompt what a request is for. A dead endpoint hangs up on
everybody: the connection is aborted without a reply.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aiohttp import web

from chat.agent.prompts import ambiguity, check, grading, plan, rewrite, standalone, topic
from tests.doubles.endpoint import Asked, Endpoint
from tests.doubles.wire import Script, sample

PURPOSES: Mapping[str, str] = {
    module.__name__.rpartition(".")[2]: module.SYSTEM.splitlines()[0]
    for module in (ambiguity, check, grading, plan, rewrite, standalone, topic)
}
"""Purpose to the line that its prompt begins with; all else is an answer."""

ANSWERS: Mapping[str, Mapping[str, Any]] = {
    "topic": {"label": "RELEVANT", "confidence": "HIGH"},
    "grading": {"label": "ANSWERS"},
    "standalone": {"question": "How long does a refund take?"},
    "rewrite": {"query": "refund arrives on card"},
    "ambiguity": {"label": "SPECIFIC"},
}


class MortalEndpoint(Endpoint):
    """`dies_at` is a purpose of `PURPOSES`, or `answer`; `answers` change what it says before."""

    def __init__(
        self, dies_at: str, answers: Mapping[str, Mapping[str, Any]] | None = None, **kept: Any
    ) -> None:
        super().__init__(**kept)
        self.dies_at = dies_at
        self.dead = False
        self._answers = {**ANSWERS, **(answers or {})}

    async def _reply(self, request: web.Request, asked: Asked) -> web.StreamResponse:
        self.dead = self.dead or purpose_of(asked) == self.dies_at
        if self.dead:
            if request.transport is not None:
                request.transport.abort()
            raise ConnectionResetError("dead")
        return await super()._reply(request, asked)

    def _next(self, asked: Asked) -> Script:
        if asked.mode != "json_schema":
            return super()._next(asked)
        schema = asked.body["response_format"]["json_schema"]["schema"]
        said = dict(self._answers.get(purpose_of(asked), {}))
        return Script(answer={**sample(schema), **said})


def purpose_of(asked: Asked) -> str:
    """What a request is for."""
    found = (name for name, line in PURPOSES.items() if line in asked.prompt)
    return next(found, "answer")
