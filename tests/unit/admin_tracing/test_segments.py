"""Turns with the same versions are one segment, whatever days they fall into."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

from admin_tracing.drift import segments

FIRST = date(2026, 11, 1)


def row(day: int, versions: int | None, turns: int = 10, hour: int = 8) -> dict[str, Any]:
    at = datetime(2026, 11, 1, hour, tzinfo=UTC) + timedelta(days=day)
    return {"day": at.date(), "versions_id": versions, "started": at, "turns": turns}


def told(*rows: dict[str, Any]) -> list[tuple[int | None, float]]:
    return [(part.versions, part.counts["turns"]) for part in segments(rows)]


def test_days_with_the_same_versions_are_joined() -> None:
    assert told(row(0, 1), row(1, 1, 5), row(2, 2)) == [(1, 15), (2, 10)]


def test_a_change_within_a_day_parts_it_at_the_first_turn_of_each() -> None:
    parts = segments([row(0, 1, hour=8), row(0, 2, hour=15), row(1, 2)])
    assert [part.versions for part in parts] == [1, 2]
    assert parts[1].start == datetime(2026, 11, 1, 15, tzinfo=UTC)


def test_versions_that_were_there_before_are_no_change() -> None:
    assert told(row(0, 1), row(1, 2), row(2, 1)) == [(1, 20), (2, 10)]


def test_a_trial_of_two_version_sets_is_one_change_however_many_days_it_runs() -> None:
    both = [row(day, versions, hour=8 + versions) for day in range(30) for versions in (1, 2)]
    parts = segments(both)
    assert [part.versions for part in parts] == [1, 2]
    assert [part.counts["turns"] for part in parts] == [300, 300]


def test_a_third_version_set_within_a_trial_is_a_change() -> None:
    assert told(row(0, 1), row(0, 2, hour=9), row(1, 1), row(1, 3, hour=9), row(2, 2)) == [
        (1, 20),
        (2, 20),
        (3, 10),
    ]


def test_turns_of_unknown_versions_belong_to_none() -> None:
    assert told(row(0, None), row(1, 1), row(2, None), row(3, 1)) == [(1, 20)]
    assert told() == []


def test_rows_may_come_in_any_order() -> None:
    assert told(row(2, 2), row(0, 1)) == [(1, 10), (2, 10)]
