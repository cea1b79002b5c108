"""LangGraph's stream parts become events; the only module that knows their shape.

A node's start is `stage` enter, its result is its diff, what it emitted, and `stage` leave.
What it wrote in between is tokens of the draft. A node that waits for a person is `stage`
paused; it is entered again when the reply has come, and its leave tells what they said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from langgraph.types import StreamMode
from pydantic import BaseModel

from chat.agent.graph import NODE_OF
from chat.agent.state import SETTINGS_FIELDS
from chat.contracts.events import Body, DraftWithdrawn, Stage, StateDiff, Token
from chat.contracts.tasks import Pause, PauseReply

STREAM_MODES: tuple[StreamMode, ...] = ("tasks", "custom")
LONGEST = 600  # characters of one value in a diff
LONGEST_REPLY = 80  # characters of a reply in a label

WAITING = "Waiting for your reply"
BROKE_OFF = "The answer broke off while it was written."


class Translator:
    """Turns the parts of one run into event bodies, in order. `clock` gives seconds.

    `reply` is what the run goes on with, `offset` the length of the draft that is shown already.
    """

    def __init__(
        self, clock: Callable[[], float], *, reply: PauseReply | None = None, offset: int = 0
    ) -> None:
        self._clock = clock
        # Label, time and what the node was given, by task.
        self._entered: dict[str, tuple[str, float, Mapping[str, Any]]] = {}
        self._offset = offset
        self._reply = reply

    def bodies(self, mode: str, part: Any) -> Iterator[Body]:
        """The events of one stream part; a part that is not known raises `ValueError`."""
        if mode == "custom":
            yield from self._token(part)
        elif mode != "tasks":
            raise ValueError(f"no translation for a part of the mode {mode!r}")
        elif asked(part) is not None:
            yield Stage(node=part["name"], phase="paused", label=WAITING)
        elif "result" in part:
            yield from self._leave(part)
        else:
            yield self._enter(part)

    def _token(self, text: str) -> Iterator[Body]:
        if text:
            yield Token.model_construct(offset=self._offset, text=text)
            self._offset += len(text)

    def _enter(self, part: Mapping[str, Any]) -> Body:
        node = NODE_OF[part["name"]]
        label = node.label(part["input"])
        self._entered[part["id"]] = (label, self._clock(), part["input"])
        return Stage(node=node.name, phase="enter", label=label)

    def _leave(self, part: Mapping[str, Any]) -> Iterator[Body]:
        node, update = NODE_OF[part["name"]], part["result"] or {}
        label, since, before = self._entered.pop(part["id"])
        yield from self._withdrawal(update)
        if changed := _changed(before, update):
            yield StateDiff(node=node.name, changed=changed)
        yield from update.get("emit", ())
        ms = round((self._clock() - since) * 1000, 2)
        if self._reply is not None:  # the first node of such a run is the one that waited
            label, self._reply = said(self._reply), None
        yield Stage(node=node.name, phase="leave", label=label, ms=ms)

    def _withdrawal(self, update: Mapping[str, Any]) -> Iterator[Body]:
        """A node says why the draft on the screen is void, or its model broke off within it."""
        why = update.get("withdrawn") or (BROKE_OFF if update.get("model_failed") else "")
        if why and self._offset:
            self._offset = 0
            yield DraftWithdrawn(why=why)


def _changed(before: Mapping[str, Any], update: Mapping[str, Any]) -> dict[str, Any]:
    """What is another value than before; a field that was only set again tells nothing."""
    told = (name for name in update if name not in SETTINGS_FIELDS)
    return {
        name: shortened(update[name])
        for name in told
        if name not in before or before[name] != update[name]
    }


def asked(part: Mapping[str, Any]) -> Pause | None:
    """What a part of the mode `tasks` waits for, if its node paused."""
    waiting = part.get("interrupts")
    return Pause.model_validate(waiting[0]["value"]) if waiting else None


def said(reply: PauseReply) -> str:
    """What the person said, in words for a label."""
    if reply.expired:
        return "No reply came"
    if reply.text:
        cut = len(reply.text) > LONGEST_REPLY
        return f"You answered “{reply.text[:LONGEST_REPLY]}{'…' if cut else ''}”"
    return "You agreed" if reply.approved else "You declined"


def shortened(value: Any) -> Any:
    """A value as plain JSON, with long texts cut and their full length told."""
    if isinstance(value, BaseModel):
        return shortened(value.model_dump(mode="json"))
    if isinstance(value, str) and len(value) > LONGEST:
        return f"{value[:LONGEST]}… ({len(value):,} characters)"
    if isinstance(value, Mapping):
        return {str(key): shortened(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [shortened(item) for item in value]
    return value
