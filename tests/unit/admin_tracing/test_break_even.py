"""When the topic check pays, against the golden table, whose costs are known to the call."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from admin_tracing.break_even import FEWEST, RULE_OF_THUMB, TopicFigures
from admin_tracing.stats.estimate import percent


def figures(**changed: Any) -> TopicFigures:
    """Forty questions of which eight were off topic, and loops of nine calls."""
    given: dict[str, Any] = {
        "asked": 40,
        "off_topic": 8,
        "loops": 5,
        "calls": 9.0,
        "cost": Decimal("0.0031"),
    }
    return TopicFigures(**(given | changed))


def loop(rewrites: int) -> int:
    """Calls of a turn that found nothing, with the check: as the golden table counts them."""
    return 1 + 2 * (rewrites + 1) + rewrites


@pytest.mark.parametrize(("rewrites", "one_in"), [(0, 2), (1, 5), (2, 8), (3, 11)])
def test_it_pays_from_one_question_in_as_many_as_a_loop_saves(rewrites: int, one_in: int) -> None:
    assert figures(calls=float(loop(rewrites))).break_even == pytest.approx(1 / one_in)
    assert f"in {one_in}" in RULE_OF_THUMB


@pytest.mark.parametrize(
    ("rewrites", "with_check", "without"), [(0, 14, 11), (1, 24, 24), (2, 31, 34), (3, 34, 40)]
)
def test_the_rule_says_of_the_golden_five_what_their_table_says(
    rewrites: int, with_check: int, without: int
) -> None:
    """One of five is off topic. Times eight, as five questions are too few to speak of."""
    found = figures(asked=40, off_topic=8, calls=float(loop(rewrites)))
    assert found.pays == (with_check < without)


def test_at_break_even_it_does_not_pay_yet() -> None:
    assert not figures(off_topic=5).pays
    assert figures(off_topic=6).pays


def test_a_few_questions_say_nothing() -> None:
    found = figures(asked=FEWEST - 1)
    assert found.break_even is None
    assert not found.pays
    assert found.missing == (
        "n = 29 in the last 30 days, too few to say whether the topic check pays."
    )


@pytest.mark.parametrize("calls", [None, 0.0, 1.0])
def test_without_a_whole_loop_nothing_is_said(calls: float | None) -> None:
    found = figures(calls=calls, loops=0 if calls is None else 3)
    assert found.break_even is None
    assert found.missing == (
        "No question ran a whole loop without a find in the last 30 days (n = 40)."
    )


def test_no_question_at_all_is_too_few() -> None:
    nothing = TopicFigures(0, 0, 0, None, None)
    assert nothing.share == 0
    assert nothing.missing.startswith("n = 0 in the last 30 days")


def test_the_days_are_named_as_they_were_chosen() -> None:
    assert figures(in_chosen_days=True).span == "on the chosen days"


def test_a_loop_that_saves_less_than_a_call_never_pays() -> None:
    found = figures(calls=1.5, off_topic=40)
    assert found.break_even == 1
    assert not found.pays


@given(st.integers(FEWEST, 10**6), st.floats(1.01, 200), st.floats(0, 1))
def test_it_pays_exactly_when_more_calls_are_saved_than_spent(
    asked: int, calls: float, part: float
) -> None:
    off_topic = int(asked * part)
    found = figures(asked=asked, off_topic=off_topic, calls=calls)
    balance = off_topic * (calls - 1) - asked
    if abs(balance) > 1e-3 * asked:
        assert found.pays == (balance > 0)


@pytest.mark.parametrize(("part", "text"), [(0.125, "12.5 %"), (0, "0.0 %"), (1, "100.0 %")])
def test_a_share_is_told_in_percent(part: float, text: str) -> None:
    assert percent(part) == text
