"""When two figures say the same: strictly, to carry a claim, and loosely, to clear it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.guardrails.claims.figures import Figure
from chat.guardrails.claims.quantities import find
from chat.guardrails.claims.tolerance import fits, near


def one(text: str) -> Figure:
    (figure,) = find(text)
    return figure


@pytest.mark.parametrize(
    ("claim", "held"),
    [
        ("1,000 euros", "1000 euros"),
        ("$5", "US$5"),
        ("US$29 billion", "US$29,016 million"),
        ("about US$29 billion", "US$29,016 million"),
        ("about US$30 billion", "US$29,016 million"),
        ("nearly 30 million people", "29.2 million people"),
        ("over 29 million people", "29.2 million people"),
        ("under 30 million people", "29.2 million people"),
        ("3 %", "3.00 %"),
        ("4.2 %", "0.042"),
        ("0.40 %", "40 bps"),
        ("more than 5 people", "over 5 people"),
        ("twenty people", "20 people"),
        ("3.5 million people", "3,500,000 people"),
    ],
)
def test_the_same_figure_in_another_writing_fits(claim: str, held: str) -> None:
    assert fits(one(claim), one(held))


@pytest.mark.parametrize(
    ("claim", "held"),
    [
        ("US$5", "A$5"),
        ("5 euros", "5 dollars"),
        ("5 euros", "5 people"),
        ("US$28 billion", "US$29,016 million"),
        ("30 people", "29 people"),
        ("5 %", "5.4 %"),
        ("nearly 29 million people", "29.2 million people"),
        ("over 30 million people", "29.2 million people"),
        ("5 people", "about 5 people"),
        ("5 people", "up to 5 people"),
        ("up to 5 people", "at least 5 people"),
        ("5 people", "5 to 10 people"),
        ("5 to 10 people", "5 to 12 people"),
        ("-5 people", "5 people"),
        ("2023", "2024"),
        ("3 %", "3 people"),
    ],
)
def test_another_figure_does_not_fit(claim: str, held: str) -> None:
    assert not fits(one(claim), one(held))


@pytest.mark.parametrize(
    ("claim", "held"),
    [
        ("5 %", "5.4 %"),
        ("US$29,016 million", "29,016"),
        ("29,016", "US$29,016 million"),
        ("5 people", "5 to 10 people"),
        ("5 euros", "5 people"),
        ("about 30 people", "28 people"),
        ("5 people", "-5 people"),
        ("the 1960s", "1964"),
        ("MR200", "200"),
    ],
)
def test_what_may_be_the_same_is_near(claim: str, held: str) -> None:
    assert near(one(claim), one(held))


@pytest.mark.parametrize(
    ("claim", "held"),
    [
        ("5 euros", "5 dollars"),
        ("US$28 billion", "US$31,016 million"),
        ("6 %", "5 %"),
        ("7 people", "5 to 10 people"),
        ("5 to 12 people", "5 to 10 people"),
        ("2.0.1", "2.0.2"),
        ("the 1970s", "1964"),
    ],
)
def test_what_is_another_is_not_near(claim: str, held: str) -> None:
    assert not near(one(claim), one(held))


_WRITTEN = st.sampled_from(["{} people", "€{}", "{} %", "{} days", "about {} people", "{} million"])


@given(st.integers(1, 10**6), _WRITTEN)
def test_every_figure_fits_and_is_near_itself(number: int, written: str) -> None:
    figure = one(f"It is {written.format(number)}.")

    assert fits(figure, figure)
    assert near(figure, figure)


@given(st.integers(1, 10**6), st.integers(1, 10**6), _WRITTEN)
def test_nearness_does_not_depend_on_the_side_where_both_are_exact(
    number: int, other: int, written: str
) -> None:
    figure, there = one(written.format(number)), one(written.format(other))

    assert near(figure, there) == near(there, figure)


@given(st.text(max_size=60), st.text(max_size=60))
def test_what_fits_is_near_and_nothing_fails(claim: str, held: str) -> None:
    for figure in find(claim):
        for there in find(held):
            assert near(figure, there) or not fits(figure, there)


@given(st.integers(1_000_000, 10**11))
def test_a_figure_rounded_to_millions_fits_its_exact_one(number: int) -> None:
    rounded = one(f"about {number / 1e6:.1f} million people")

    assert fits(rounded, one(f"{number:,} people"))
