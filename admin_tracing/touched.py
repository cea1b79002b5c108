"""The lines of a blast radius as files: CSV for people, JSON lines for programs. Pure.

A file holds what is needed to write to people and to prove what it rests on, and no content.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping
from typing import Any

COLUMNS = (
    *("turn", "at", "conversation", "user", "email", "visitor"),
    *("termination", "confidence", "sensitive", "record", "digest"),
)

RISKY = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet would take for a formula at the beginning of a cell."""


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
    return _csv([_safe(value) for value in told(line).values()])


def jsonl_line(line: Mapping[str, Any]) -> str:
    return json.dumps(told(line), ensure_ascii=False) + "\n"


def _csv(cells: list[Any]) -> str:
    out = io.StringIO()
    csv.writer(out).writerow(cells)
    return out.getvalue()


def _safe(value: Any) -> Any:
    """A text that a spreadsheet would run is quoted with an apostrophe."""
    is_risky = isinstance(value, str) and value.startswith(RISKY)
    return f"'{value}" if is_risky else value


WRITERS: Mapping[str, tuple[str, Callable[[Mapping[str, Any]], str]]] = {
    "csv": (_csv(list(COLUMNS)), csv_line),
    "jsonl": ("", jsonl_line),
}
CONTENT_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "jsonl": "application/x-ndjson; charset=utf-8",
}
