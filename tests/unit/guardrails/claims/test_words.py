"""Words as they are compared: stems, near-synonyms, and the words that turn a sense."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.guardrails.claims.words import groups_of, read

GROUPS = groups_of((("net profit", "profit after tax", "NPAT", "net profit after tax"),))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Refunds are given", "a refund was given"),
        ("It was sent", "They send it"),
        ("the customer's plan", "plans of customers"),
        ("yearly fees", "a fee per year"),
        ("an e-mail", "emails"),
        ("Caf\u00e9 prices", "Cafe\u0301 cost"),
        ("the NPAT", "net profit after tax"),
    ],
)
def test_words_meet_in_their_stems_and_groups(one: str, other: str) -> None:
    assert set(read(one, GROUPS).content) == set(read(other, GROUPS).content)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("It isn't free", "It is not free"),
        ("It hasn't come", "It has not come"),
        ("It won\u2019t wait", "It will never wait"),
        ("Nobody pays", "None pays"),
    ],
)
def test_denials_are_one_word(one: str, other: str) -> None:
    assert read(one).turns == read(other).turns == ("not",)


@pytest.mark.parametrize("word", ["only", "if", "unless", "except", "may", "all", "some", "before"])
def test_a_word_that_turns_the_sense_is_kept_apart(word: str) -> None:
    said = read(f"Refunds come {word} today")

    assert said.turns == (word,)
    assert "refund" in said.content


@given(st.text(max_size=200))
def test_any_text_has_words_and_reads_the_same_twice(text: str) -> None:
    assert read(text, GROUPS) == read(text, GROUPS)
    assert all(word for word in read(text).content)
