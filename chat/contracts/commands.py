"""What a client may say on the socket: one closed union, decoded in one place.

A frame that does not fit is a `BadFrame` or `TooLarge`; nothing else leaves `parse`.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from chat.contracts.errors import BadFrame, TooLarge

MAX_QUESTION = 4_000  # characters; a longer text is a document, not a question
MAX_FRAME = 64_000  # characters of one frame

Storable = Annotated[str, Field(pattern=r"^[^\x00]*$")]  # PostgreSQL has no NUL in a text
Text = Annotated[Storable, Field(min_length=1, max_length=MAX_QUESTION)]


class _Command(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)


class Ask(_Command):
    """Starts a turn. `client_id` makes a repeat harmless."""

    type: Literal["ask"]
    text: Text
    client_id: UUID


class Reply(_Command):
    """Answers a clarification; the same turn goes on."""

    type: Literal["reply"]
    turn: UUID
    text: Text


class Confirm(_Command):
    """Answers an action that waits for the person's yes."""

    type: Literal["confirm"]
    turn: UUID
    action: Storable
    approved: bool


class Stop(_Command):
    """Ends a running turn and keeps its partial text."""

    type: Literal["stop"]
    turn: UUID


class Regenerate(_Command):
    """Asks for a new sibling of the turn's answer."""

    type: Literal["regenerate"]
    turn: UUID


class Edit(_Command):
    """A new sibling of the message, and its turn."""

    type: Literal["edit"]
    message: UUID
    text: Text
    client_id: UUID


class Select(_Command):
    """Shows the branch that the message is on, and remembers it."""

    type: Literal["select"]
    message: UUID


class Feedback(_Command):
    """A person's vote on an answer."""

    type: Literal["feedback"]
    turn: UUID
    vote: Literal["up", "down"]
    reason: Annotated[Storable, Field(max_length=80)] = ""
    note: Annotated[Storable, Field(max_length=2_000)] = ""


class Resume(_Command):
    """Sends what is missing after `after`, then the tail."""

    type: Literal["resume"]
    turn: UUID
    after: Annotated[int, Field(ge=0)] = 0


class Ping(_Command):
    """Is answered by `pong`."""

    type: Literal["ping"]


Command = Ask | Reply | Confirm | Stop | Regenerate | Edit | Select | Feedback | Resume | Ping

_ADAPTER: TypeAdapter[Command] = TypeAdapter(Annotated[Command, Field(discriminator="type")])


def parse(frame: str | None) -> Command:
    """Decode one text frame.

    Raises `TooLarge` for a frame or a question over its limit and `BadFrame` for anything
    else that is no command: not JSON, not an object, an unknown type, a missing field.
    """
    if not frame:
        raise BadFrame
    if len(frame) > MAX_FRAME:
        raise TooLarge
    try:
        return _ADAPTER.validate_python(_load(frame), strict=False)
    except ValidationError as error:
        if any(item["type"] == "string_too_long" for item in error.errors()):
            raise TooLarge from None
        raise BadFrame from None


def _load(frame: str) -> Any:
    try:
        return json.loads(frame)
    except (ValueError, RecursionError):
        raise BadFrame from None
