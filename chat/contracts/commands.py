"""What a client may say on the socket: one closed union, decoded in one place.

A frame that does not fit is a `BadFrame`, `TooLarge` or `UploadRefused`; nothing else leaves
`parse`. What is inside a file is looked at later, by `chat.uploads`.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from chat.contracts.errors import BadFrame, TooLarge, UploadRefused

LONGEST_TYPED = 4_000  # characters; a longer text has to be a pasted document
MAX_QUESTION = 20_000  # characters of a question with the document that was pasted into it
MAX_FILES = 3
MAX_FILE = 5 * 1024 * 1024  # bytes of one file
MAX_NAME = 120  # characters of a file's name
MAX_TYPED_FRAME = 64_000  # characters of a frame, without its files
MAX_FRAME = MAX_TYPED_FRAME + MAX_FILES * (-(-MAX_FILE // 3) * 4)  # base64: 4 for each 3 bytes

FILES = '"attachments"'  # without it, a frame brings no files

Storable = Annotated[str, Field(pattern=r"^[^\x00]*$")]  # PostgreSQL has no NUL in a text
Text = Annotated[Storable, Field(min_length=1, max_length=LONGEST_TYPED)]
LongText = Annotated[Storable, Field(min_length=1, max_length=MAX_QUESTION)]
# No path and no control character; a half of a surrogate pair is refused by pydantic itself.
FileName = Annotated[str, Field(pattern=r"^[^\x00-\x1f\x7f-\x9f/\\]+$", max_length=MAX_NAME)]


class _Command(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)


class Upload(_Command):
    """A file as it came: `data` is base64, and neither it nor `media_type` is believed yet."""

    name: FileName
    media_type: Annotated[Storable, Field(max_length=100)]
    data: Annotated[str, Field(min_length=1)]


class Ask(_Command):
    """Starts a turn. `client_id` makes a repeat harmless."""

    type: Literal["ask"]
    text: LongText
    client_id: UUID
    attachments: Annotated[tuple[Upload, ...], Field(max_length=MAX_FILES)] = ()


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
    text: LongText
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

    Raises `TooLarge` for a frame or a question over its limit, `UploadRefused` for too many
    files or a name that is none, and `BadFrame` for anything else that is no command: not
    JSON, not an object, an unknown type, a missing field.
    """
    if not frame:
        raise BadFrame
    _check_size(frame)
    try:
        command = _ADAPTER.validate_python(_load(frame), strict=False)
    except ValidationError as error:
        raise _refusal(error) from None
    if isinstance(command, Ask):
        _check_typed(frame, command)
    return command


def _check_size(frame: str) -> None:
    """Before anything is decoded. Base64 holds no comma: many are many values, and no file."""
    if len(frame) <= MAX_TYPED_FRAME:
        return
    if FILES not in frame or frame.count(",") > MAX_TYPED_FRAME:
        raise TooLarge
    if len(frame) > MAX_FRAME:
        raise TooLarge(f"Those files are too large. Each may have {MAX_FILE >> 20} MB.")


def _check_typed(frame: str, ask: Ask) -> None:
    if len(frame) - sum(len(file.data) for file in ask.attachments) > MAX_TYPED_FRAME:
        raise TooLarge


def _refusal(error: ValidationError) -> BadFrame | TooLarge | UploadRefused:
    """What a person is told, from the first fault of each kind; never the text itself."""
    faults = {(item["type"], *item["loc"][-1:]) for item in error.errors(include_input=False)}
    if ("too_long", "attachments") in faults:
        return UploadRefused(f"At most {MAX_FILES} files can come with one question.")
    if ("string_too_long", "name") in faults:
        return UploadRefused(f"A file's name may have {MAX_NAME} characters. Rename the file.")
    if ("string_pattern_mismatch", "name") in faults:
        return UploadRefused("A file's name holds signs that no name has. Rename the file.")
    if any(fault[0] == "string_too_long" for fault in faults):
        return TooLarge()
    return BadFrame()


def _load(frame: str) -> Any:
    try:
        return json.loads(frame)
    except (ValueError, RecursionError):
        raise BadFrame from None
