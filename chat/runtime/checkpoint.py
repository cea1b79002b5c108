"""Where a turn stands when it waits for a person: LangGraph's checkpoint of one turn, as JSON.

It lives in memory while the turn runs and touches no database. A turn that pauses stores
`as_json` in its own row; whoever goes on with it makes the checkpoint anew by `loaded`.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Self, get_type_hints

from langgraph.checkpoint.base import BaseCheckpointSaver, CheckpointTuple
from langgraph.types import Interrupt
from pydantic import TypeAdapter, ValidationError

from chat.agent.graph import NODE_OF
from chat.agent.state import TurnState
from chat.contracts.ports import AgentSettings

SCHEMA = 1
"""Raised when the meaning of what is stored changes; older checkpoints are then not read."""

GIVEN = frozenset({"emit", "limits", "started"})
"""Not stored: events are in the log, settings and clock are those of the process that goes on."""

BRANCH = "branch:to:"  # LangGraph's channel that says which node comes next
INTERRUPT = "__interrupt__"
PLAIN = ("v", "id", "ts", "channel_versions", "versions_seen", "updated_channels")


class StaleCheckpoint(Exception):
    """A stored checkpoint that this version of the graph cannot go on from."""


class TurnCheckpoint(BaseCheckpointSaver[int]):
    """LangGraph's saver for one run of one turn; it holds the newest checkpoint alone."""

    def __init__(self) -> None:
        super().__init__()
        self._saved: Any = None
        self._metadata: Any = {}
        self._writes: list[tuple[str, str, str, Any]] = []  # checkpoint, task, channel, value

    async def aget_tuple(self, config: Any) -> CheckpointTuple | None:
        if self._saved is None:
            return None
        return CheckpointTuple(
            config=_named(config, self._saved["id"]),
            checkpoint=self._saved,
            metadata=self._metadata,
            pending_writes=[(task, channel, value) for task, channel, value in self._pending()],
        )

    async def aput(self, config: Any, checkpoint: Any, metadata: Any, new_versions: Any) -> Any:
        self._saved, self._metadata = checkpoint, metadata
        return _named(config, checkpoint["id"])

    async def aput_writes(
        self, config: Any, writes: Any, task_id: str, task_path: str = ""
    ) -> None:
        saved = config["configurable"]["checkpoint_id"]
        self._writes += [(saved, task_id, channel, value) for channel, value in writes]

    def as_json(self) -> dict[str, Any]:
        """What is to be stored. Raises `ValueError` where there is nothing to go on from."""
        if self._saved is None:
            raise ValueError("there is no checkpoint to store")
        channels: dict[str, Any] = self._saved["channel_values"]
        return {
            "schema": SCHEMA,
            **{key: self._saved[key] for key in PLAIN},
            "metadata": {key: self._metadata[key] for key in ("source", "step", "parents")},
            "state": {name: _stored(name, channels[name]) for name in channels if _is_kept(name)},
            "next": sorted(name for name in channels if name.startswith(BRANCH)),
            "writes": [_stored_write(*write) for write in self._pending()],
        }

    @classmethod
    def loaded(cls, stored: Any, *, started: float, limits: AgentSettings) -> Self:
        """The checkpoint that was stored, for a run with these settings.

        `started` is this process's clock in seconds, less the time that the turn had worked.
        Raises `StaleCheckpoint` for an unknown schema, field, value or node.
        """
        made = cls()
        try:
            if stored["schema"] != SCHEMA:
                raise StaleCheckpoint(f"schema {stored['schema']}")
            values = {name: _read(name, value) for name, value in stored["state"].items()}
            branches = {_known(name): None for name in stored["next"]}
            given = {"started": started, "limits": limits}
            made._saved = {key: stored[key] for key in PLAIN}
            made._saved["channel_values"] = {**values, **branches, **given}
            made._metadata = dict(stored["metadata"])
            made._writes = [(stored["id"], *_read_write(*write)) for write in stored["writes"]]
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise StaleCheckpoint(f"{type(error).__name__}: {error}") from error
        return made

    def _pending(self) -> list[tuple[str, str, Any]]:
        """The writes that belong to the newest checkpoint."""
        return [write[1:] for write in self._writes if write[0] == self._saved["id"]]


@cache
def _fields() -> dict[str, TypeAdapter[Any]]:
    """A reader and writer for each stored field of the state, from its annotation."""
    hints = get_type_hints(TurnState)
    return {name: TypeAdapter(hint) for name, hint in hints.items() if name not in GIVEN}


def _is_kept(name: str) -> bool:
    return name not in GIVEN and not name.startswith(BRANCH)


def _stored(name: str, value: Any) -> Any:
    return _fields()[name].dump_python(value, mode="json")


def _read(name: str, value: Any) -> Any:
    try:
        return _fields()[name].validate_python(value)
    except KeyError:
        raise StaleCheckpoint(f"no field {name}") from None
    except ValidationError as error:
        # The error's own words would quote what a person said.
        raise StaleCheckpoint(f"{error.error_count()} faults in the field {name}") from None


def _known(branch: str) -> str:
    if branch.removeprefix(BRANCH) not in NODE_OF:
        raise StaleCheckpoint(f"no node for {branch}")
    return branch


def _stored_write(task: str, channel: str, value: Any) -> list[Any]:
    if channel != INTERRUPT:
        raise ValueError(f"a turn that waits has no write to {channel}")
    return [task, [{"value": each.value, "id": each.id} for each in value]]


def _read_write(task: str, interrupts: Any) -> tuple[str, str, Any]:
    found = tuple(Interrupt(value=each["value"], id=each["id"]) for each in interrupts)
    return task, INTERRUPT, found


def _named(config: Any, checkpoint: str) -> Any:
    return {"configurable": {**config["configurable"], "checkpoint_id": checkpoint}}
