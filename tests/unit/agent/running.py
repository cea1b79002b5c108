"""Runs the whole compiled graph over doubles and keeps all that came out of it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from chat.contracts.events import Body, Stage
from chat.contracts.ports import Ports
from chat.contracts.tasks import Exchange
from chat.contracts.verdicts import Termination
from chat.runtime.compile import STEP_LIMIT, compiled
from chat.runtime.translate import STREAM_MODES, Translator
from tests.factories import QUESTION, start_state

B = TypeVar("B", bound=Body)


@dataclass(slots=True)
class Told:
    """The events of one run in order, and the state as its nodes left it."""

    bodies: list[Body] = field(default_factory=list)
    state: dict[str, Any] = field(default_factory=dict)

    @property
    def termination(self) -> Termination:
        end = self.state["termination"]
        assert isinstance(end, Termination)
        return end

    @property
    def path(self) -> list[str]:
        """The nodes in the order in which they were entered."""
        return [b.node for b in self.all(Stage) if b.phase == "enter"]

    def all(self, kind: type[B]) -> list[B]:
        return [body for body in self.bodies if isinstance(body, kind)]

    def one(self, kind: type[B]) -> B:
        (body,) = self.all(kind)
        return body


async def run(given: Ports, question: str = QUESTION, history: Sequence[Exchange] = ()) -> Told:
    """One turn from its first node to its last."""
    told, translator = Told(), Translator(given.clock)
    parts: AsyncIterator[Any] = compiled().astream(
        start_state(given, question, history),
        {"recursion_limit": STEP_LIMIT},
        context=given,
        stream_mode=list(STREAM_MODES),
    )
    async for mode, part in parts:
        if mode == "tasks" and "result" in part:
            told.state |= part["result"]
        told.bodies.extend(translator.bodies(mode, part))
    return told
