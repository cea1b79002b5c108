"""Dates, fiscal years, times of day and durations, in their writings."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.guardrails.claims.figures import Figure, Kind
from chat.guardrails.claims.quantities import find
from chat.guardrails.claims.tolerance import fits, near


def one(text: str) -> Figure:
    (figure,) = find(text)
    return figure


@pytest.mark.parametrize(
    "text",
    [
        "30 June 2024",
        "30th June 2024",
        "the 30th of June 2024",
        "June 30, 2024",
        "June 30th, 2024",
        "Jun 30 2024",
        "30 Jun 2024",
        "2024-06-30",
        "30/06/2024",
        "30.06.2024",
        "06/30/2024",
    ],
)
def test_a_date_is_the_same_in_every_writing(text: str) -> None:
    assert one(text).kind is Kind.DATE
    assert (2024, 6, 30) in one(text).days


def test_a_date_with_two_readings_keeps_both() -> None:
    assert set(one("03/04/2025").days) == {(2025, 3, 4), (2025, 4, 3)}


@pytest.mark.parametrize(
    ("claim", "held", "fit"),
    [
        ("in June 2024", "on 30 June 2024", True),
        ("on 30 June 2024", "in June 2024", False),
        ("on 30 June", "on 30 June 2024", True),
        ("in 2024", "on 30 June 2024", True),
        ("on 30 June 2023", "on 30 June 2024", False),
        ("FY2024", "the year ended 30 June 2024", True),
        ("FY24", "fiscal year 2024", True),
        ("FY2024", "financial year 2023-24", True),
        ("FY2023/24", "FY2024", True),
        ("FY2023", "the year ended 30 June 2024", False),
        ("the twelve months to 31 December 2023", "FY2023", True),
        ("at 5 pm", "at 17:00", True),
        ("at 9:30 a.m.", "at 09:30", True),
        ("at 5 am", "at 17:00", False),
    ],
)
def test_a_time_fits_what_says_at_least_as_much(claim: str, held: str, fit: bool) -> None:
    assert fits(one(claim), one(held)) is fit


@pytest.mark.parametrize(
    ("claim", "held", "fit"),
    [
        ("7 days", "one week", True),
        ("7 days", "a seven-day trial", True),
        ("one day", "24 hours", True),
        ("12 months", "1 year", True),
        ("one and a half years", "18 months", True),
        ("a fortnight", "two weeks", False),  # `a fortnight` alone is no figure
        ("within a day", "within 24 hours", True),
        ("within 7 days", "up to 7 days", True),
        ("within 7 days", "7 days", False),
        ("5 days", "5 business days", False),
        ("5 working days", "five business days", True),
        ("30 days", "one month", False),
        ("4 to 6 days", "4-6 days", True),
        ("4 to 6 days", "4 to 9 days", False),
        ("five (5) days", "5 days", True),
    ],
)
def test_durations_meet_in_their_base(claim: str, held: str, fit: bool) -> None:
    claimed, there = find(claim), find(held)

    assert bool(claimed and there and fits(claimed[-1], there[-1])) is fit


@pytest.mark.parametrize(
    ("claim", "held"),
    [
        ("30 days", "one month"),
        ("5 days", "5 business days"),
        ("4 days", "4 to 6 business days"),
        ("365 days", "1 year"),
        ("FY2024", "2024"),
        ("2024", "FY2024"),
    ],
)
def test_what_may_be_meant_is_near_and_no_more(claim: str, held: str) -> None:
    assert near(one(claim), one(held))
    assert not fits(one(claim), one(held))


@pytest.mark.parametrize(
    ("claim", "held"),
    [
        ("45 days", "30 days"),
        ("10 days", "5 business days"),
        ("7 days", "7 weeks"),
        ("1 May", "2 May"),
        ("2023", "2024"),
    ],
)
def test_another_time_is_not_even_near(claim: str, held: str) -> None:
    assert not near(one(claim), one(held))


@pytest.mark.parametrize("text", ["6 euros a month", "once a year", "You may 2 times"])
def test_a_rate_and_a_verb_are_no_time(text: str) -> None:
    assert not any(figure.is_time for figure in find(text))


_FORMATS = ("%d %B %Y", "%B %d, %Y", "%Y-%m-%d", "%d/%m/%Y", "%d %b %Y", "%d.%m.%Y")


@given(
    st.dates(date(1900, 1, 1), date(2099, 12, 31)),
    st.sampled_from(_FORMATS),
    st.sampled_from(_FORMATS),
)
def test_a_date_fits_itself_in_any_two_writings(day: date, one_way: str, other: str) -> None:
    assert fits(one(f"by {day:{one_way}}"), one(f"until {day:{other}}"))


@given(st.dates(date(1950, 1, 1), date(2050, 1, 1)), st.integers(1, 400))
def test_two_days_do_not_fit(day: date, later: int) -> None:
    other = day + timedelta(days=later)

    assert not fits(one(f"{day:%d %B %Y}"), one(f"{other:%d %B %Y}"))


@given(st.integers(1, 50))
def test_weeks_are_seven_days(weeks: int) -> None:
    assert fits(one(f"{weeks} weeks"), one(f"{weeks * 7} days"))
    assert fits(one(f"{weeks * 7} days"), one(f"{weeks} weeks"))
