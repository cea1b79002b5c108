"""Every type of event has its line under the timeline."""

from __future__ import annotations

import pytest

from admin_tracing import summaries
from admin_tracing.summaries import counted, duration, summary
from chat.contracts.events import (
    BODIES,
    Action,
    Body,
    Claims,
    Clarification,
    DraftWithdrawn,
    Rewrite,
    RouteTaken,
    Stage,
    Tool,
    Verdicts,
)
from chat.contracts.verdicts import Route
from tests.traces import START, refund_with_one_rewrite


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
        (3_599_000, "59 min 59 s"),
        (11_100_000, "3 h 05 min"),
    ],
)
def test_a_time_is_told_in_the_unit_that_reads_best(ms: float, expected: str):
    assert duration(ms) == expected


def test_counts_agree_with_their_noun():
    assert (counted(1, "pass", "passes"), counted(2, "pass", "passes")) == ("1 pass", "2 passes")
    assert counted(1_234, "token") == "1,234 tokens"


@pytest.mark.parametrize(
    ("body", "line"),
    [
        (
            Stage(node="generate_clarification", phase="paused", label="Waiting for your reply"),
            "waits in generate_clarification for the person's reply",
        ),
        (
            Stage(node="confirm_action", phase="paused", label="Waiting for your reply"),
            "waits in confirm_action for the person's yes",
        ),
        (
            Stage(node="confirm_action", phase="leave", label="You agreed", ms=3.0),
            "leaves confirm_action after 3.0 ms: You agreed",
        ),
        (
            Stage(node="retrieve", phase="leave", label="Looking in the handbook", ms=3.0),
            "leaves retrieve after 3.0 ms",
        ),
        (
            Clarification(question="About what?", options=("Refunds", "Backups"), expires_at=START),
            "asks back: “About what?”, offering “Refunds”, “Backups”",
        ),
        (
            Action(action="1", tool="t", summary="Opens it", irreversible=True, expires_at=START),
            "asks for a yes to t, which cannot be undone: Opens it",
        ),
        (Tool(tool="t", phase="done", summary="3 found", ms=12.0), "t ran after 12 ms: 3 found"),
        (Tool(tool="t", phase="tool_cap"), "t was not run: its limit is used up"),
        (Tool(tool="t", phase="of_the_future"), "t of the future"),
        (DraftWithdrawn(why="It rests on nothing."), "the draft is void: It rests on nothing."),
    ],
)
def test_what_waits_and_what_tools_did_is_told_in_plain_words(body: Body, line: str):
    assert summary(body) == line


def test_a_router_that_could_not_say_is_not_said_to_have_decided():
    body = RouteTaken(decided=Route.SINGLE_SHOT, taken=Route.SINGLE_SHOT, why="pinned")
    assert summary(body) == "taken single shot: pinned"
    sure = RouteTaken(decided=Route.DIRECT, confidence=0.9, taken=Route.DIRECT)
    assert summary(sure) == "decided direct 0.90, taken direct"


def test_claims_are_counted_by_what_became_of_them():
    found = [
        {"id": f"c{n}", "label": "x", "basis": "source", "supported": supported, "by": "judge"}
        for n, supported in enumerate((True, True, False, None))
    ]
    body = Claims.model_validate({"claims": found})
    assert summary(body) == "4 claims: 2 supported, 1 not supported, 1 unchecked"


def test_a_rewrite_that_found_no_other_words_says_so():
    body = Rewrite.model_validate({"pass": 1, "before": "the fee", "after": "the fee"})
    assert summary(body) == "“the fee” stays as it is: there were no other words"


def test_no_verdict_is_told_as_nothing_to_grade():
    body: Body = Verdicts.model_validate({"pass": 1, "chunks": (), "covered": {}})
    assert summary(body) == "nothing to grade"
