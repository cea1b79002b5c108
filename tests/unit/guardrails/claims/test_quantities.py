"""Figures in a text: their value, unit, bound and range, in every writing that people use."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.guardrails.claims.figures import Bound, Figure, Kind
from chat.guardrails.claims.quantities import find, has_worded


def one(text: str) -> Figure:
    (figure,) = find(text)
    return figure


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,234 items", 1_234),
        ("1 234 items", 1_234),
        ("1\u00a0234 items", 1_234),
        ("1'234 items", 1_234),
        ("1,234,567 items", 1_234_567),
        ("1.234.567 items", 1_234_567),
        ("1,234.5 items", 1_234.5),
        ("1.234,5 items", 1_234.5),
        ("0.042 of it", 0.042),
        ("4,5 items", 4.5),
        ("29k items", 29_000),
        ("2bn people", 2e9),
        ("29 billion people", 29e9),
        ("3.5 million people", 3.5e6),
        ("3.5M people", 3.5e6),
        ("twenty-nine items", 29),
        ("two hundred and five items", 205),
        ("three million people", 3e6),
        ("a dozen eggs", 12),
        ("two dozen eggs", 24),
        ("a hundred people", 100),
        ("-5 degrees", -5),
    ],
)
def test_a_number_is_worth_the_same_in_every_writing(text: str, value: float) -> None:
    assert one(text).kind is Kind.NUMBER
    assert one(text).value == pytest.approx(value)


def test_one_group_behind_a_full_stop_may_be_decimals_or_thousands() -> None:
    assert one("1.234 items").values == (1.234, 1_234.0)


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("$5", 5, "$"),
        ("US$29,016 million", 29_016e6, "USD"),
        ("A$53.6bn", 53.6e9, "AUD"),
        ("€1.5m", 1.5e6, "EUR"),
        ("6 euros", 6, "EUR"),
        ("6 €", 6, "EUR"),
        ("EUR 6", 6, "EUR"),
        ("GBP6", 6, "GBP"),
        ("20 dollars", 20, "$"),
        ("50 cents", 0.5, ""),
    ],
)
def test_money_has_its_currency(text: str, value: float, unit: str) -> None:
    figure = one(text)

    assert (figure.kind, figure.unit) == (Kind.MONEY, unit)
    assert figure.value == pytest.approx(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3 %", 3),
        ("3.00%", 3),
        ("4.2 per cent", 4.2),
        ("4.2 percent", 4.2),
        ("40 bps", 0.4),
        ("40 basis points", 0.4),
        ("2 percentage points", 2),
    ],
)
def test_a_percentage_is_counted_in_points(text: str, value: float) -> None:
    assert one(text).kind is Kind.PERCENT
    assert one(text).value == pytest.approx(value)


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("about 29 people", Bound.ABOUT),
        ("approximately 29 people", Bound.ABOUT),
        ("~29 people", Bound.ABOUT),
        ("29 people or so", Bound.EXACT),
        ("nearly 29 people", Bound.NEARLY),
        ("more than 29 people", Bound.OVER),
        ("over $29", Bound.OVER),
        ("under 29 people", Bound.UNDER),
        ("less than 29 people", Bound.UNDER),
        ("up to 29 people", Bound.MOST),
        ("no more than 29 people", Bound.MOST),
        ("within 29 days", Bound.MOST),
        ("at least 29 people", Bound.LEAST),
        ("no less than 29 people", Bound.LEAST),
        ("29+ people", Bound.LEAST),
        ("29 or more people", Bound.LEAST),
        ("29 people", Bound.EXACT),
        ("discover 29 people", Bound.EXACT),
    ],
)
def test_the_word_beside_a_figure_says_how_far_it_reaches(text: str, bound: Bound) -> None:
    assert one(text).bound is bound


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("5 to 10 people", 5, 10),
        ("5-10 people", 5, 10),
        ("5–10 people", 5, 10),
        ("between 5 and 10 people", 5, 10),
        ("€5 to 10 million", 5e6, 10e6),
        ("$5-$10", 5, 10),
        ("3 to 5 %", 3, 5),
    ],
)
def test_two_ends_make_a_range(text: str, low: float, high: float) -> None:
    figure = one(text)

    assert (figure.value, figure.upto) == pytest.approx((low, high))


def test_a_change_from_one_to_another_is_no_range() -> None:
    assert [figure.upto for figure in find("It rose from 10 to 12 percent.")] == [None, None]


@pytest.mark.parametrize("text", ["MR200", "COVID-19", "version 2.0.1", "24/7", "192.168.1.10"])
def test_names_and_versions_are_no_numbers(text: str) -> None:
    assert [figure.kind for figure in find(text)] in ([Kind.CODE], [Kind.CODE] * 2)


@pytest.mark.parametrize("text", ["", "One of them is red.", "No figure at all", "second to none"])
def test_a_text_without_a_figure_has_none(text: str) -> None:
    assert find(text) == ()


def test_a_number_too_long_to_be_one_is_a_code() -> None:
    assert one("9" * 60).kind is Kind.CODE


@given(st.integers(0, 10**9), st.sampled_from(",'\u00a0\u2009 "))
def test_any_thousands_separator_gives_the_number_back(number: int, separator: str) -> None:
    written = f"{number:,}".replace(",", separator)

    assert number in (
        value for figure in find(f"It holds {written} items.") for value in figure.values
    )


@given(st.decimals(0, 10**6, places=2))
def test_decimals_come_back_with_full_stop_and_with_comma(number: object) -> None:
    for written in (f"{number}", f"{number}".replace(".", ",")):
        assert one(f"It weighs {written} tonnes.").value == pytest.approx(float(str(number)))


@given(st.text(max_size=300))
def test_any_text_is_read_and_every_figure_stands_in_it(text: str) -> None:
    figures = find(text)

    assert all(0 <= figure.start < figure.end <= len(text) for figure in figures)
    assert [figure.start for figure in figures] == sorted(figure.start for figure in figures)


@given(st.text(alphabet="0123456789.,:/-%$€ kmand to", max_size=60))
def test_any_heap_of_signs_is_read(text: str) -> None:
    assert all(figure.text for figure in find(text))


@given(st.text(max_size=120))
def test_a_text_that_seems_to_have_no_words_for_numbers_has_none(text: str) -> None:
    if not has_worded(text):
        assert find(text) == find(text, worded=False)


def test_a_heap_of_words_for_numbers_is_no_number() -> None:
    assert find("one hundred and " * 200) == ()


def test_a_figure_inside_a_date_is_not_read_twice() -> None:
    assert [figure.text for figure in find("On 30 June 2024 it was 5 euros.")] == [
        "30 June 2024",
        "5 euros",
    ]
