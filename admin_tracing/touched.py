"""The lines of a blast radius as files: CSV for people, JSON lines for programs. Pure.

A file holds what is needed to write to people and to prove what it rests on, and no content.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from admin_tracing.spreadsheet import csv_row, json_row

COLUMNS = (
    *("turn", "at", "conversation", "user", "email", "visitor"),
    *("termination", "confidence", "sensitive", "record", "digest"),
)


def cut(line: Mapping[str, Any]) -> dict[str, Any]:
    """A line for who may not read of health: of such a turn, which it was and when."""
    kept = ("id", "started_at", "is_sensitive") if line["is_sensitive"] else tuple(line)
    return {name: line[name] if name in kept else None for name in line}


def told(line: Mapping[str, Any]) -> dict[str, Any]:
    """A row of the query under the names of the file."""
    visitor = None if line["conversation__user__username"] else line["conversation__visitor"]
    return {
        "turn": str(line["id"]),
        "at": line["started_at"].isoformat(timespec="seconds"),
        "conversation": str(line["conversation_id"] or ""),
        "user": line["conversation__user__username"] or "",
        "email": line["conversation__user__email"] or "",
        "visitor": str(visitor or ""),
        "termination": line["termination"] or "",
        "confidence": line["confidence"] or "",
        "sensitive": line["is_sensitive"],
        "record": line["record__number"],
        "digest": line["record__digest"],
    }


def csv_line(line: Mapping[str, Any]) -> str:
    return csv_row(list(told(line).values()))


def jsonl_line(line: Mapping[str, Any]) -> str:
    return json_row(told(line))


WRITERS: Mapping[str, tuple[str, Callable[[Mapping[str, Any]], str]]] = {
    "csv": (csv_row(COLUMNS), csv_line),
    "jsonl": ("", jsonl_line),
}
