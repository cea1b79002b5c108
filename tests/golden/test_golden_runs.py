"""The golden five as a stored run of the lab: the same table to the digit, and its knee."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from chat import lab_runs, wiring
from chat.lab_reads import entries_of, groups_of
from chat.lab_table import FIXED, Knee, Row, Variant, differences
from chat.models import Turn
from tests import factories
from tests.corpus import take_in_the_handbook
from tests.golden.test_golden_table import CALLS_AT_TWO, TABLE

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

WHOLE = [
    Variant(bound, order, topic_check)
    for order, topic_check in (("evidence", True), ("budget", True), ("evidence", False))
    for bound in range(4)
]


async def _worked() -> None:
    try:
        await lab_runs.work()
    finally:
        await wiring.runner().close()


def test_a_stored_run_gives_the_whole_table_to_the_digit():
    take_in_the_handbook()
    run = lab_runs.start(factories.user("carol"), "golden", WHOLE)
    assert (run.total, run.status) == (60, "waiting")
    before = groups_of(run, ())
    assert [row.done for group in before for row in group.rows] == [0] * 12

    asyncio.run(_worked())

    run.refresh_from_db()
    entries = entries_of(run)
    assert (run.status, run.problem, len(entries)) == ("done", "", 60)
    evidence, budget, unchecked = groups = groups_of(run, entries)
    assert all(differences(row) == {} for group in groups for row in group.rows)
    for row in evidence.rows:
        assert _plain(row) == TABLE[row.variant.bound][0]
    for row in budget.rows:
        assert (row.answered, row.calls) == TABLE[row.variant.bound][1]
    for row in unchecked.rows:
        assert (row.no_results, row.retrievals, row.calls) == TABLE[row.variant.bound][2]
    assert (evidence.knee, budget.knee, unchecked.knee) == (Knee(2, 3, 3), None, Knee(2, 3, 6))

    at_two = [e for e in entries if run.variants[e.variant]["bound"] == 2 and e.variant < 4]
    assert {entry.outcome.question: entry.outcome.calls for entry in at_two} == CALLS_AT_TWO
    assert all(entry.right is None for entry in at_two)
    turns = Turn.objects.filter(pk__in=[entry.outcome.turn for entry in entries])
    assert turns.filter(kind="lab", conversation__is_lab=True).count() == 60
    assert all(row.p95_ms and row.p95_ms > 0 for row in evidence.rows)


def test_what_is_fixed_is_what_the_table_is_held_to():
    for bound, (plain, budget, unchecked) in TABLE.items():
        assert tuple(FIXED["evidence", True][bound].values()) == plain
        assert tuple(FIXED["budget", True][bound].values()) == budget
        assert tuple(FIXED["evidence", False][bound].values()) == unchecked


def _plain(row: Row) -> tuple[Any, ...]:
    return row.answered, row.no_results, row.off_topic, row.retrievals, row.calls
