"""Runs a turn twice, recorded and out of its tape, and says in what the two differ."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from chat.contracts.events import Body, Stage, Token
from chat.contracts.ports import Ports
from chat.contracts.tasks import PauseReply
from chat.taping import Recorder, Reuse, setting_of
from tests.doubles.silent import silenced
from tests.factories import QUESTION
from tests.unit.agent.running import Told, run


@dataclass(frozen=True, slots=True)
class Twice:
    """`asked` is what the second run called all the same."""

    first: Told
    second: Told
    calls: list[dict[str, Any]]
    reuse: Reuse
    asked: list[str]


async def twice(
    given: Ports, question: str = QUESTION, replies: Sequence[PauseReply] = (), **state: Any
) -> Twice:
    """The tape goes through JSON, as through a row."""
    recorder = Recorder(setting_of(given))
    first = await run(recorder.wrap(given), question, replies=replies, **state)
    for pause, reply in zip(first.pauses, replies, strict=False):
        recorder.replied(pause, reply)
    calls = json.loads(json.dumps(recorder.calls, allow_nan=False))
    reuse = Reuse(calls)
    silent, asked = silenced(given)
    second = await run(reuse.wrap(silent), question, **state)
    return Twice(first, second, calls, reuse, asked)


def plain(bodies: Iterable[Body]) -> list[dict[str, Any]]:
    """Events without times, tokens joined, and without the waiting and what was said of it."""
    told: list[dict[str, Any]] = []
    waited: set[str] = set()
    for body in bodies:
        data = {"type": body.TYPE, **body.model_dump(mode="json")}
        data.pop("ms", None)
        if isinstance(body, Token) and told and told[-1]["type"] == Token.TYPE:
            told[-1]["text"] += body.text
            continue
        if isinstance(body, Stage):
            if body.phase == "paused":
                waited.add(body.node)
                continue
            if body.node in waited and body.phase == "enter":
                waited.remove(body.node)  # it begins again
                continue
            if body.node in ("generate_clarification", "confirm_action"):
                data.pop("label")
        if body.TYPE == "state_diff":
            data["changed"].pop("confirmed", None)  # the key of a yes
        told.append(data)
    return told
