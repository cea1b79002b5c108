"""A blast radius as a file: what is needed to write to people, and nothing a sheet would run."""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest

from admin_tracing.touched import COLUMNS, WRITERS, told

TURN = UUID(int=1)


def line(**fields: Any) -> dict[str, Any]:
    row = {
        "id": TURN,
        "started_at": datetime(2026, 11, 29, 10, 0, 5, 700, tzinfo=UTC),
        "termination": "answered",
        "confidence": "low",
        "conversation_id": UUID(int=2),
        "is_sensitive": False,
        "record__number": 3,
        "record__digest": "d" * 64,
        "conversation__user__username": None,
        "conversation__user__email": None,
        "conversation__visitor": UUID(int=4),
    }
    return row | fields


def test_a_visitor_is_known_by_their_key_and_a_user_by_name_and_address() -> None:
    assert told(line())["visitor"] == str(UUID(int=4))
    user = line(
        conversation__user__username="alice",
        conversation__user__email="alice@example.org",
    )
    assert told(user)["user"] == "alice"
    assert told(user)["email"] == "alice@example.org"
    assert told(user)["visitor"] == ""


def test_both_files_say_the_same() -> None:
    header, as_csv = WRITERS["csv"]
    (row,) = csv.DictReader(io.StringIO(header + as_csv(line())))
    as_json = json.loads(WRITERS["jsonl"][1](line()))
    assert list(row) == list(COLUMNS) == list(as_json)
    assert row == {name: str(value) for name, value in as_json.items()}


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx"])
def test_a_name_that_a_sheet_would_run_is_quoted(name: str) -> None:
    header, as_csv = WRITERS["csv"]
    written = header + as_csv(line(conversation__user__username=name))
    (row,) = csv.DictReader(io.StringIO(written, newline=""))
    assert row["user"].startswith("'")


def test_json_lines_hold_one_object_a_line_and_keep_letters() -> None:
    written = WRITERS["jsonl"][1](line(conversation__user__username="Zoë"))
    assert written.endswith("\n") and written.count("\n") == 1
    assert "Zoë" in written
