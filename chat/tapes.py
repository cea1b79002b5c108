"""The rows of tapes: kept with a turn's end or its pause, read for a re-run and for the replay.

A tape is a help and never a condition: whatever keeps it from being made or written is counted,
and the turn goes on. There is none of a turn about somebody's health.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection, transaction

from chat import counters
from chat.agent.nodes import untrusted
from chat.contracts.ports import Ports
from chat.contracts.tasks import Draft, Pause, PauseReply, ToolResult
from chat.models import Tape, Turn
from chat.taping import SCHEMA, Recorder, setting_of
from chat.taping.asked import Asked

log = logging.getLogger(__name__)

LARGEST = 2_000_000  # characters of JSON; a usual turn has some 40,000
TOO_LARGE = "too_large"  # in the setting of a tape that was not kept for its size
UNSTORABLE = "\\u0000"  # as JSON writes the one character that no database takes

_KEPT = ("corpus", "embedder", "code")  # of the versions, what a setting has as well

_ENCODER = json.JSONEncoder(allow_nan=False, ensure_ascii=False)

FIRST = """
INSERT INTO chat_tape (turn_id, schema, setting, calls)
SELECT id, %(schema)s, %(setting)s::jsonb, %(calls)s::jsonb
FROM chat_turn WHERE id = %(turn)s AND NOT is_sensitive
ON CONFLICT (turn_id) DO UPDATE
SET schema = EXCLUDED.schema, setting = EXCLUDED.setting, calls = EXCLUDED.calls
"""
GOES_ON = """
UPDATE chat_tape AS t SET
    calls = CASE WHEN fits.both THEN t.calls || %(calls)s::jsonb ELSE '[]' END,
    setting = %(setting)s::jsonb || t.setting
        || CASE WHEN fits.both THEN '{}'::jsonb ELSE jsonb_build_object(%(too_large)s, TRUE) END
FROM (
    SELECT turn_id, NOT setting ? %(too_large)s
        AND octet_length(calls::text) + %(size)s <= %(largest)s AS both
    FROM chat_tape WHERE turn_id = %(turn)s
) AS fits
WHERE t.turn_id = fits.turn_id AND t.schema = %(schema)s
"""


@dataclass(frozen=True, slots=True)
class Heard:
    """A tape as it is used: how the turn was run, and its calls in order of start."""

    setting: dict[str, Any]
    calls: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Recording:
    """What one run of a turn records. `goes_on`: the rest, after a pause that was kept."""

    recorder: Recorder
    goes_on: bool = False


def recorded(
    ports: Ports, *, is_sensitive: bool, after: tuple[Pause, PauseReply] | None = None
) -> tuple[Ports, Recording | None]:
    """The ports of a run, heard by a recorder, which begins `after` a pause and its reply."""
    if is_sensitive:
        return ports, None
    try:
        recorder = Recorder(setting_of(ports), clean=_Clean(ports))
        if after is not None:
            recorder.replied(*after)
        return recorder.wrap(ports), Recording(recorder, goes_on=after is not None)
    except Exception as error:  # noqa: BLE001 - see the module's first lines
        _failed(error)
        return ports, None


# ---- database work


def keep(
    turn: UUID, recording: Recording | None, versions: Mapping[str, str] | None = None
) -> None:
    """Write what was recorded, in the transaction of the caller. Never raises."""
    if recording is None:
        return
    try:
        values = _values(turn, recording, versions or {})
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(GOES_ON if recording.goes_on else FIRST, values)
        counters.tape(TOO_LARGE if not values["size"] else "kept")
    except Exception as error:  # noqa: BLE001 - see the module's first lines
        _failed(error)


def of(turn: UUID) -> Heard | None:
    """The tape of a turn, if there is one that can be used."""
    tape = Tape.objects.filter(turn=turn, schema=SCHEMA).first()
    if tape is None or tape.setting.get(TOO_LARGE):
        return None
    return Heard(tape.setting, tape.calls)


def why_none(turn: Turn) -> str:
    """Why `of` gives nothing, in a sentence for the replay."""
    if turn.is_sensitive:
        return "What the models were given is not kept: the turn tells of somebody's health."
    if turn.erased_at is not None:
        return "What the models were given is gone: the words of this turn were erased."
    if turn.status != Turn.Status.FINISHED:
        return "What the models were given is there once the turn has ended."
    if Tape.objects.filter(turn=turn, setting__has_key=TOO_LARGE).exists():
        return "What the models were given was too large to be kept."
    if Tape.objects.filter(turn=turn).exists():
        return "What the models were given was kept by another version, which is not read here."
    return "What the models were given is not kept: the turn is older than that, or it has gone."


def forget(turn: UUID) -> None:
    """Take the tape of a turn away."""
    Tape.objects.filter(turn=turn).delete()


def _values(turn: UUID, recording: Recording, versions: Mapping[str, str]) -> dict[str, Any]:
    """What the statement takes. `size` is 0 where the tape is too large."""
    recorder = recording.recorder
    calls = _joined(recorder)
    setting = recorder.setting | {name: versions[name] for name in _KEPT if name in versions}
    is_large = len(calls) > LARGEST
    return {
        "turn": turn,
        "schema": SCHEMA,
        "setting": json.dumps(setting | ({TOO_LARGE: True} if is_large else {}), allow_nan=False),
        "calls": "[]" if is_large else calls,
        "size": 0 if is_large else len(calls),
        "largest": LARGEST,
        "too_large": TOO_LARGE,
    }


def _joined(recorder: Recorder) -> str:
    """All calls as one JSON list; one that no database takes keeps its place without its values."""
    lines = []
    for entry in recorder.entries():
        try:
            line = _ENCODER.encode(entry)
            line.encode()
        except ValueError:  # no number, or half a character
            line = UNSTORABLE
        if UNSTORABLE in line:
            kept = {name: entry[name] for name in ("kind", "method", "purpose", "key", "ms")}
            line = _ENCODER.encode(kept | {"fault": {"type": "unstorable"}})
        lines.append(line)
    return f"[{','.join(lines)}]"


def _failed(error: Exception) -> None:
    counters.tape("failed")
    log.warning("a tape was not kept: %s", type(error).__name__)


# ---- what may be kept of what came


class _Clean:
    """Without personal data, by the rules by which the turn itself keeps it.

    Tools bring it, and a model may write it that saw a picture or asks for a tool.
    """

    def __init__(self, ports: Ports) -> None:
        self._ports = ports

    def __call__(self, asked: Asked, value: Any) -> Any:
        if isinstance(value, ToolResult):
            return untrusted.results((value,), self._ports).results[0]
        if isinstance(value, Draft):
            return self._draft(value)
        if asked.method == "check":
            return tuple(_claim(claim) for claim in value)
        return value

    def _draft(self, said: Draft) -> Draft:
        said = untrusted.draft(said, self._ports)
        return said.model_copy(update={"calls": untrusted.calls(said.calls)})


def _claim(claim: Any) -> Any:
    told = ("text", "label", "reason")
    return claim.model_copy(update={name: untrusted.seen(getattr(claim, name)) for name in told})
