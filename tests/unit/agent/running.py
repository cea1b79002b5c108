"""Runs the whole compiled graph over doubles and keeps all that came out of it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from chat.contracts.events import Body, Stage
from chat.contracts.ports import Ports
from chat.contracts.tasks import Exchange, Pause, PauseReply
from chat.contracts.turn_view import fold
from chat.contracts.verdicts import Termination
from chat.runtime.checkpoint import TurnCheckpoint
from chat.runtime.compile import parts
from chat.runtime.translate import Translator, asked
from tests.factories import QUESTION, events, start_state

B = TypeVar("B", bound=Body)


@dataclass(slots=True)
class Told:
    """The events of one run in order, and the state as its nodes left it."""

    bodies: list[Body] = field(default_factory=list)
    state: dict[str, Any] = field(default_factory=dict)
    pauses: list[Pause] = field(default_factory=list)

    @property
    def draft(self) -> str:
        """What stands on the screen so far."""
        return fold(events(self.bodies)).draft

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


async def run(
    given: Ports,
    question: str = QUESTION,
    history: Sequence[Exchange] = (),
    *,
    replies: Sequence[PauseReply] = (),
    **state: Any,
) -> Told:
    """One turn from its first node to its last. Each pause takes the next of the replies.

    Between a pause and its reply the turn is only the JSON of its checkpoint.
    """
    told, answers = Told(), iter(replies)
    begin: Any = {**start_state(given, question, history), **state}
    checkpoint, reply = TurnCheckpoint(), None
    while True:
        waits = await _until_pause(told, parts(begin, given, checkpoint), given, reply)
        if not waits:
            return told
        begin = reply = next(answers)
        stored = json.loads(json.dumps(checkpoint.as_json()))
        checkpoint = TurnCheckpoint.loaded(stored, started=given.clock(), limits=given.settings)


async def _until_pause(
    told: Told, stream: AsyncIterator[Any], given: Ports, reply: PauseReply | None
) -> bool:
    """Keep what one run gives; True if it ended by waiting for a person."""
    waits = False
    translator = Translator(given.clock, reply=reply, offset=len(told.draft))
    async for mode, part in stream:
        if mode == "tasks" and (pause := asked(part)) is not None:
            told.pauses.append(pause)
            waits = True
        elif mode == "tasks" and "result" in part:
            told.state |= part["result"]
        told.bodies.extend(translator.bodies(mode, part))
    return waits
