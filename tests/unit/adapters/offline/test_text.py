"""Reading text: whole sentences, words that meet in their stems, and hasty spelling in full."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.adapters.offline.text import clipped, content, meant, plain, sentences, spelt_out, stems

PROSE = st.text("abcdeABC 0123.,!?;:'\"()-\n#*[]’é", max_size=200)


def _texts(text: str) -> list[str]:
    return [sentence.text for sentence in sentences(text)]


def test_sentences_are_told_apart_at_their_full_stops() -> None:
    text = "Books are lent for 21 days. Films go for 7! Is that enough? Yes, says Dr. Vane."

    assert _texts(text) == [
        "Books are lent for 21 days.",
        "Films go for 7!",
        "Is that enough?",
        "Yes, says Dr. Vane.",
    ]


def test_prices_versions_and_short_forms_end_no_sentence() -> None:
    text = "A card costs 2.40 euros, e.g. for Version 3.1 of it. It is yours."

    assert _texts(text) == ["A card costs 2.40 euros, e.g. for Version 3.1 of it.", "It is yours."]


def test_lines_of_one_paragraph_are_one_text() -> None:
    assert _texts("A loan starts\non the day itself.") == ["A loan starts on the day itself."]


def test_items_of_a_list_are_sentences_of_their_own() -> None:
    found = sentences("A room holds:\n\n- a table\n  for eight\n- a screen\n1. a lamp")

    assert [(s.text, s.listed) for s in found] == [
        ("A room holds:", False),
        ("a table for eight", True),
        ("a screen", True),
        ("a lamp", True),
    ]


def test_rows_of_a_table_are_sentences_of_their_own() -> None:
    found = sentences("Prices:\n\n| what | price |\n|---|---|\n| card | 5 euros |\n\nThat is all.")

    assert [(s.text, s.listed) for s in found] == [
        ("Prices:", False),
        ("what | price", True),
        ("card | 5 euros", True),
        ("That is all.", False),
    ]


def test_headings_and_rules_are_no_sentences() -> None:
    assert _texts("# Loans\n\n---\nBooks are lent.\n```\n") == ["Books are lent."]


@given(PROSE)
def test_sentences_hold_words_of_the_text_in_their_order(text: str) -> None:
    rest = plain(text)
    for sentence in sentences(text):
        first, _, _ = sentence.text.partition(" ")
        assert first in rest
        rest = rest[rest.index(first) + len(first) :]


@given(PROSE)
def test_no_sentence_is_without_a_word(text: str) -> None:
    assert all(any(char.isalnum() for char in sentence.text) for sentence in sentences(text))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("renewing loans", "renewed loan"),
        ("the library's cards", "library card"),
        ("payment kept", "pay keeping"),
        ("a frozen screen", "freezing screens"),
    ],
)
def test_forms_of_a_word_meet_in_its_stem(one: str, other: str) -> None:
    assert stems(one) == stems(other)


def test_words_that_only_join_are_left_out() -> None:
    assert content("How long can I keep the book, please?") == ["long", "keep", "book"]


def test_numbers_prices_and_ratios_stay_one_word() -> None:
    assert content("2.40 euros on 24/7 with c++ and 192.168.0.1") == [
        *("2.40", "euros", "24/7", "c++", "192.168.0.1"),
    ]


@pytest.mark.parametrize(
    ("typed", "full"),
    [
        ("can u help pls", "can you help please"),
        ("cant renew b4 2moro", "can't renew before tomorrow"),
        ("pay w/ card w/o fee", "pay with card without fee"),
        ("it’s open 3 hrs", "it's open 3 hours"),
        ("user.w and a/u stay", "user.w and a/u stay"),
    ],
)
def test_hasty_spelling_is_written_in_full(typed: str, full: str) -> None:
    assert spelt_out(typed) == full


@given(PROSE)
def test_writing_in_full_twice_changes_nothing_more(text: str) -> None:
    once = spelt_out(text)

    assert spelt_out(once) == once


def test_a_saying_brings_the_word_that_it_stands_for() -> None:
    assert "outage" in meant("what if the lift goes down")
    assert "refund" in meant("I want my money back")
    assert meant("walk down the stairs") == ["walk", "stairs"]


def test_a_long_text_is_clipped_at_a_word() -> None:
    assert clipped("Books are lent for 21 days", 18) == "Books are lent …"
    assert clipped("Books are lent", 18) == "Books are lent"


def test_a_numbered_clause_of_a_contract_is_a_paragraph() -> None:
    clause = (
        "1. Fees. The member gives 12 euros a year. It is due in March.\n2. Law. The law of Cork."
    )
    found = sentences(clause)
    assert [sentence.text for sentence in found] == [
        "Fees. The member gives 12 euros a year.",
        "It is due in March.",
        "Law. The law of Cork.",
    ]
    assert [sentence.listed for sentence in found] == [False, False, True]


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("my website is down", "my site and app cannot be reached"),
        ("our server went offline", "our server cannot be reached"),
        ("is my data safe?", "is my data encrypted?"),
        ("the price is down to 5 euros", "the price is down to 5 euros"),
        ("is a backup safe?", "is a backup safe?"),
    ],
)
def test_what_people_say_is_read_with_the_plainer_word(said: str, read: str) -> None:
    assert spelt_out(said) == read
