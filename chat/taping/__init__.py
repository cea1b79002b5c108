"""The tape of a turn: what it heard from models, search, router, tools and person, and its reuse.

A `Recorder` wraps the ports of a turn and keeps every call with what came back. A `Reuse` wraps
the ports of another turn and gives that back wherever the inputs are equal; the rest is called.
Pure: rows are `chat.tapes`'.

    recorder = Recorder(setting_of(ports))
    ports = recorder.wrap(ports)          # run the turn
    recorder.calls                        # JSON, in order of start

    reuse = Reuse(calls, searches=True)
    ports = reuse.wrap(ports)             # after files and tools were put in
    reuse.ledger                          # what was reused and what was called
"""

from __future__ import annotations

from chat.taping.recorder import Clean, Recorder
from chat.taping.reuse import RECORDED, Line, Reuse
from chat.taping.setting import SCHEMA, setting_of, settings_from

__all__ = [
    "RECORDED",
    "SCHEMA",
    "Clean",
    "Line",
    "Recorder",
    "Reuse",
    "setting_of",
    "settings_from",
]
