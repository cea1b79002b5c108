"""LangGraph's stream parts become events; the only module that knows their shape.

A node's start is `stage` enter, its result is its diff, what it emitted, and `stage` leave.
What it wrote in between is tokens of the draft.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from langgraph.types import StreamMode
from pydantic import BaseModel

from chat.agent.graph import NODE_OF
from chat.agent.state import SETTINGS_FIELDS
from chat.contracts.events import Body, DraftWithdrawn, Stage, StateDiff, Token

STREAM_MODES: tuple[StreamMode, ...] = ("tasks", "custom")
LONGEST = 600  # characters of one value in a diff


class Translator:
    """Turns the parts of one run into event bodies, in order. `clock` gives seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._entered: dict[str, tuple[str, float]] = {}  # label and time, by task
        self._offset = 0

    def bodies(self, mode: str, part: Any) -> Iterator[Body]:
        """The events of one stream part; a part that is not known raises `ValueError`."""
        if mode == "custom":
            yield from self._token(part)
        elif mode == "tasks" and "result" in part:
            yield from self._leave(part)
        elif mode == "tasks":
            yield self._enter(part)
        else:
            raise ValueError(f"no translation for a part of the mode {mode!r}")

    def _token(self, text: str) -> Iterator[Body]:
        if text:
            yield Token.model_construct(offset=self._offset, text=text)
            self._offset += len(text)

    def _enter(self, part: Mapping[str, Any]) -> Body:
        node = NODE_OF[part["name"]]
        label = node.label(part["input"])
        self._entered[part["id"]] = (label, self._clock())
        return Stage(node=node.name, phase="enter", label=label)

    def _leave(self, part: Mapping[str, Any]) -> Iterator[Body]:
        node, update = NODE_OF[part["name"]], part["result"] or {}
        label, since = self._entered.pop(part["id"])
        yield from self._withdrawal(update)
        changed = {k: shortened(v) for k, v in update.items() if k not in SETTINGS_FIELDS}
        if changed:
            yield StateDiff(node=node.name, changed=changed)
        yield from update.get("emit", ())
        ms = round((self._clock() - since) * 1000, 2)
        yield Stage(node=node.name, phase="leave", label=label, ms=ms)

    def _withdrawal(self, update: Mapping[str, Any]) -> Iterator[Body]:
        """A model that fails after its first token leaves a draft that nobody may trust."""
        if update.get("model_failed") and self._offset:
            self._offset = 0
            yield DraftWithdrawn(why="The answer broke off while it was written.")


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
