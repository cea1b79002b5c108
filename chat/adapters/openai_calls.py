"""The tool calls of a reply, whole or streamed, whatever an endpoint makes of the format.

Fragments of a stream belong together by `index`; but some endpoints leave it out, and some
give every call the same one. What they all do is name a call once, at its beginning.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any, NoReturn

from chat.adapters.openai_faults import Failed
from chat.adapters.openai_text import storable
from chat.contracts.tasks import ToolCall

MOST_CALLS = 16  # in one message
LONGEST = 20_000  # characters of the arguments of one call
_LONGEST_NAME = 100  # characters of a tool's name or of a call's id


def calls_of(message: Mapping[str, Any]) -> tuple[ToolCall, ...]:
    """The calls of a reply that came whole. Raises `Failed` past the bounds."""
    calls = CallAssembler()
    for given in _dicts(message.get("tool_calls")):
        calls.take_whole(given)
    return calls.calls()


@dataclass(slots=True)
class _Open:
    """A call that may still grow."""

    id: str = ""
    name: str = ""
    text: str = ""


class CallAssembler:
    """Puts the fragments of a stream together, in the order in which calls began."""

    def __init__(self) -> None:
        self._open: list[_Open] = []
        self._at: dict[int, _Open] = {}

    def __bool__(self) -> bool:
        return bool(self._open)

    def take(self, fragments: Any) -> None:
        """Add the `tool_calls` of one delta. Raises `Failed` past the bounds."""
        for fragment in _dicts(fragments):
            self._grow(self._call_for(fragment), fragment)

    def take_whole(self, given: Mapping[str, Any]) -> None:
        """Add a call that is complete in itself."""
        self._grow(self._begin(None), given)

    def calls(self) -> tuple[ToolCall, ...]:
        """All calls, each with an id of its own: a person's yes counts for one of them."""
        ids: set[str] = set()
        made = []
        for call in self._open:
            given = call.id if call.id and call.id not in ids else _free(ids)
            ids.add(given)
            made.append(ToolCall(id=given, tool=call.name, arguments=arguments_of(call.text)))
        return tuple(made)

    def _call_for(self, fragment: Mapping[str, Any]) -> _Open:
        """The call that a fragment belongs to; a new one if it begins one."""
        index = fragment.get("index")
        at = index if isinstance(index, int) else None
        last = self._open[-1] if self._open else None
        call = last if at is None else self._at.get(at)
        if call is None or _begins_another(fragment, call):
            return self._begin(at)
        return call

    def _begin(self, index: int | None) -> _Open:
        if len(self._open) >= MOST_CALLS:
            raise Failed("invalid")
        call = _Open()
        self._open.append(call)
        if index is not None:
            self._at[index] = call
        return call

    @staticmethod
    def _grow(call: _Open, fragment: Mapping[str, Any]) -> None:
        name, text = _function(fragment)
        call.id = call.id or _short(fragment.get("id"))
        if name != call.name:  # some repeat the name with every fragment
            call.name = _short(call.name + name)
        call.text += text
        if len(call.text) > LONGEST:
            raise Failed("invalid")


def arguments_of(text: str) -> dict[str, Any] | None:
    """Arguments that can be stored; None for whatever is no JSON object."""
    try:
        given = json.loads(text, parse_constant=_no_number)
        return _kept(given) if isinstance(given, dict) else None
    except (ValueError, RecursionError):
        return None


def _free(ids: set[str]) -> str:
    return next(name for n in count(1) if (name := f"call-{n}") not in ids)


def _begins_another(fragment: Mapping[str, Any], call: _Open) -> bool:
    """Whether a fragment with the index of a call, or with none, is a call of its own."""
    name, text = _function(fragment)
    given = _short(fragment.get("id"))
    if not name:  # some give each fragment an id, but a call is named
        return False
    if given and call.id:
        return given != call.id
    if name != call.name and call.text:
        return True
    return bool(text) and arguments_of(call.text) is not None


def _function(fragment: Mapping[str, Any]) -> tuple[str, str]:
    """Name and arguments in a fragment; some endpoints send the arguments as an object."""
    function = fragment.get("function")
    if not isinstance(function, Mapping):
        return "", ""
    text = function.get("arguments")
    if isinstance(text, Mapping):
        text = json.dumps(text)
    return _short(function.get("name")), text if isinstance(text, str) else ""


def _dicts(given: Any) -> list[Mapping[str, Any]]:
    entries = given if isinstance(given, list) else []
    return [entry for entry in entries if isinstance(entry, Mapping)]


def _short(given: Any) -> str:
    return storable(given)[:_LONGEST_NAME] if isinstance(given, str) else ""


def _kept(value: Any) -> Any:
    """A JSON value without what a database refuses. Raises ValueError for a number without end."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, dict):
        return {storable(key): _kept(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [_kept(entry) for entry in value]
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError("not a finite number")
    return value


def _no_number(name: str) -> NoReturn:
    raise ValueError(name)
