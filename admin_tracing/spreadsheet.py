"""Rows as files: CSV for people, JSON lines for programs. Pure.

A cell that a spreadsheet would take for a formula is quoted, and read back without the quote.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

RISKY = ("=", "+", "-", "@", "\t", "\r", "\n", *"\uff1d\uff0b\uff0d\uff20")
"""What a spreadsheet would take for a formula at the beginning of a cell; some of them read the
full width of a sign as the sign."""

CONTENT_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "jsonl": "application/x-ndjson; charset=utf-8",
}


def csv_row(cells: Sequence[Any]) -> str:
    """One line of cells; texts, lists and objects become one cell each."""
    out = io.StringIO()
    csv.writer(out).writerow([_cell(value) for value in cells])
    return out.getvalue()


def json_row(row: Mapping[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False, default=str) + "\n"


def plain(cell: str) -> str:
    """A cell as it was before `csv_row` made it safe."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(RISKY) else cell


def _cell(value: Any) -> Any:
    if isinstance(value, list | tuple | dict):
        value = json.dumps(value, ensure_ascii=False, default=str)
    is_risky = isinstance(value, str) and value.startswith(RISKY)
    return f"'{value}" if is_risky else value
