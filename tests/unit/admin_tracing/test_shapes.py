"""Questions that differ in figures, quotations and case have one shape; bursts stand out."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from admin_tracing.bursts import shape_bursts
from admin_tracing.shapes import Group, phrase, shape

HOUR = datetime(2026, 11, 29, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Where is order 1234?", "where is order #"),
        ("WHERE is order 98-76?", "where is order # #"),
        ("What does “error 5” mean?", "what does … mean"),
        ('What does "disk full" mean?', "what does … mean"),
        ("Is `rm -rf` safe", "is … safe"),
        ("  two   spaces\n", "two spaces"),
        ("Größe?", "grösse"),
        ("", ""),
        ("?!", ""),
        ('one "quote', "one quote"),
    ],
)
def test_a_question_is_folded_to_its_shape(question: str, expected: str) -> None:
    assert shape(question) == expected


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_figures_make_no_difference(one: int, other: int) -> None:
    assert shape(f"order {one} is late") == shape(f"order {other} is late")


@given(st.text(max_size=400))
def test_a_shape_has_no_figure_and_no_doubled_space(text: str) -> None:
    found = shape(text)
    assert "  " not in found and found == found.strip()
    assert not any(sign in found for sign in "0123456789")


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Where is order 1234 of last week?", "Where is order"),
        ("Why “this” and 5 of the other things?", "of the other things?"),
        ("How long does it take?", "How long does it take?"),
        ("123", ""),
    ],
)
def test_the_phrase_is_the_longest_part_that_all_have(question: str, expected: str) -> None:
    assert phrase(question) == expected


@pytest.mark.parametrize(
    ("n", "of_day", "is_burst"),
    [
        (9, 9, False),  # too few whatever is usual
        (10, 10, True),
        (10, 10 + 23 * 2, True),
        (10, 10 + 23 * 3, False),  # three an hour are usual
        (15, 15 + 23 * 3, True),
        (40, 40 * 24, False),
    ],
)
def test_a_burst_is_many_times_what_is_usual_on_that_day(
    n: int, of_day: int, is_burst: bool
) -> None:
    assert Group(HOUR, "key", n, of_day).is_burst is is_burst


def test_questions_of_one_shape_are_counted_together_by_the_hour() -> None:
    asked = [(HOUR, f"Where is order {n}?", uuid4()) for n in range(12)]
    asked += [(HOUR, "Where is my bill?", uuid4())] * 3
    (burst,) = shape_bursts(asked)
    assert (burst.who, burst.n, burst.words) == ("where is order #", 12, "Where is order")
    assert set(burst.turns) == {turn for _, _, turn in asked[:12]}


def test_a_question_that_is_asked_all_day_is_no_burst() -> None:
    hours = [HOUR.replace(hour=hour) for hour in range(24)]
    day = [(hour, "Where is order 5?", uuid4()) for hour in hours for _ in range(12)]
    assert shape_bursts(day) == []


def test_the_largest_burst_comes_first_and_days_are_apart() -> None:
    next_day = HOUR + timedelta(days=1)
    asked = [(at, "one thing", uuid4()) for at in (*[HOUR] * 10, *[next_day] * 14)]
    assert [(burst.hour, burst.n, burst.usual) for burst in shape_bursts(asked)] == [
        (next_day, 14, 0.0),
        (HOUR, 10, 0.0),
    ]
