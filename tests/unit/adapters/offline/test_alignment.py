"""Claims laid beside sentences: which two hold most of them, and in which order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.adapters.offline.alignment import best_pair, common, in_order, line

NOTHING = frozenset[str]()
LINES = [
    line(text)
    for text in (
        "Books are lent for 21 days and films for 7 days.",
        "A loan starts on the day on which you take the item home.",
        "New magazines are read in the building.",
    )
]


def test_one_sentence_that_holds_all_of_it_stands_alone() -> None:
    pair = best_pair(line("Films are lent for 7 days."), LINES, NOTHING)
    assert (pair.places, pair.share) == ((0,), 1.0)


def test_the_second_sentence_is_the_one_that_adds_most() -> None:
    pair = best_pair(line("New magazines and films are lent in the building."), LINES, NOTHING)
    assert (pair.places, pair.share) == ((0, 2), 1.0)


def test_what_a_heading_says_counts_as_held() -> None:
    claim = line("Films of the library are lent.")
    assert best_pair(claim, LINES, NOTHING).share < 1
    assert best_pair(claim, LINES, line("The library").stems).share == 1.0


def test_a_claim_without_a_word_that_speaks_is_held() -> None:
    assert best_pair(line("It is so."), LINES, NOTHING).share == 1.0


@pytest.mark.parametrize(
    ("claim", "share"),
    [
        ("Books are lent for 21 days", 1.0),
        ("Films are lent for 21 days", 5 / 6),
        ("days 21 for lent are Books", 1 / 3),
        ("", 1.0),
        ("Wheelchairs rust", 0.0),
    ],
)
def test_the_order_of_the_words_is_measured_in_one_sentence(claim: str, share: float) -> None:
    assert in_order(line(claim), LINES) == pytest.approx(share)


WORDS = st.lists(st.sampled_from("abc"), max_size=8)


@given(WORDS, WORDS)
def test_a_common_series_is_no_longer_than_either_and_the_same_both_ways(
    one: list[str], other: list[str]
) -> None:
    length = common(one, other)
    assert length == common(other, one) <= min(len(one), len(other))
    assert common(one, one) == len(one)
    assert common(one, [*other, *one]) == len(one)
