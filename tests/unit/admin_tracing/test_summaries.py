"""Every type of event has its line under the timeline."""

from __future__ import annotations

import pytest

from admin_tracing import summaries
from admin_tracing.summaries import counted, duration, summary
from chat.contracts.events import BODIES, Body, Stage, Verdicts
from tests.traces import refund_with_one_rewrite


def test_the_table_has_a_row_for_every_type_of_the_union():
    assert set(summaries._LINES) == set(BODIES)


def test_every_event_of_a_turn_has_one_line():
    for event in refund_with_one_rewrite():
        line = summary(event.body)
        assert line
        assert "\n" not in line


@pytest.mark.parametrize(
    ("ms", "expected"),
    [
        (0, "0.0 ms"),
        (9.94, "9.9 ms"),
        (312.4, "312 ms"),
        (2_400, "2.4 s"),
        (59_949, "59.9 s"),
        (185_000, "3 min 05 s"),
    ],
)
def test_a_time_is_told_in_the_unit_that_reads_best(ms: float, expected: str):
    assert duration(ms) == expected


def test_counts_agree_with_their_noun():
    assert (counted(1, "pass", "passes"), counted(2, "pass", "passes")) == ("1 pass", "2 passes")
    assert counted(1_234, "token") == "1,234 tokens"


def test_a_pause_is_told_as_waiting():
    body = Stage(node="generate_clarification", phase="paused", label="Asking back")
    assert summary(body) == "waits in generate_clarification: Asking back"


def test_no_verdict_is_told_as_nothing_to_grade():
    body: Body = Verdicts.model_validate({"pass": 1, "chunks": (), "covered": {}})
    assert summary(body) == "nothing to grade"
