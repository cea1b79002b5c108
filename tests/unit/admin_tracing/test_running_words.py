"""The words that a question is about."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from admin_tracing.running.words import EMPTY, MOST, as_written, stem
from tests.growth import assert_linear


def content_words(text: str) -> set[str]:
    return set(as_written(text))


def test_what_every_question_has_is_left_out():
    assert content_words("Do you have a discount for students, please?") == {"discount", "student"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("refund", "refunds"),
        ("refund", "refunded"),
        ("cancel", "cancelling"),
        ("policy", "policies"),
        ("charge", "charges"),
        ("charge", "charged"),
        ("Café", "cafe"),
        ("server’s", "servers"),
    ],
)
def test_forms_of_a_word_are_one(one: str, other: str):
    assert content_words(one) == content_words(other)


@pytest.mark.parametrize("word", ["status", "address", "analysis", "dns", "red", "4"])
def test_what_only_looks_like_an_ending_stays(word: str):
    assert as_written(word) == {stem(word): word}
    assert stem(word).startswith(word[:3])


def test_a_single_letter_says_nothing_and_a_figure_does():
    assert content_words("plan b 2") == {"plan", "2"}


def test_each_word_keeps_how_it_was_written_first():
    assert as_written("Refunds? A refund!") == {"refund": "refunds"}


@given(st.text())
def test_any_text_gives_few_words_none_of_them_empty(text: str):
    words = content_words(text)
    assert len(words) <= MOST
    assert all(words)
    assert not words & EMPTY or all(word in EMPTY for word in words & EMPTY)


@given(st.text(max_size=80))
def test_case_and_signs_around_do_not_matter(text: str):
    assert content_words(text) == content_words(f" «{text}» ")


def test_the_time_grows_with_the_length_and_not_faster():
    assert_linear(content_words, "a'" * 500_000)
