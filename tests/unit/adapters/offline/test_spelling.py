"""Mending slips of the finger, and leaving alone what is only unknown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.adapters.offline.spelling import Speller, english_words

DOCUMENTS = ("library", "membership", "renew", "loan", "card", "fee", "whiteboard")


@pytest.fixture(scope="module")
def speller() -> Speller:
    return Speller(DOCUMENTS, english_words())


@pytest.mark.parametrize(
    ("typed", "mended"),
    [
        ("hwo do I renwe my laon", "how do I renew my loan"),
        ("lost my libary card", "lost my library card"),
        ("is there a whitebord", "is there a whiteboard"),
        ("see you tomorow", "see you tomorrow"),
        ("Memebrship", "membership"),
        ("my lona, my crad and a lon fee", "my loan, my card and a lon fee"),
    ],
)
def test_one_slip_is_mended(speller: Speller, typed: str, mended: str) -> None:
    assert speller.mended(typed) == mended


@pytest.mark.parametrize(
    "text",
    [
        "renewed loans and renewals",
        "a gpu with ssl",
        "kubernetes on terraform",
        "IBAN and HIPAA",
        "is 2fa on",
        "it's fine, don't worry",
        "the docker container",
    ],
)
def test_words_that_are_known_short_or_far_from_any_stay(speller: Speller, text: str) -> None:
    assert speller.mended(text) == text


def test_the_documents_words_are_enough_without_a_word_list() -> None:
    assert Speller(DOCUMENTS, {}).mended("membrship") == "membership"


@given(st.text(max_size=80))
def test_any_text_can_be_mended_and_is_then_left_alone(text: str) -> None:
    speller = Speller(DOCUMENTS, english_words())
    once = speller.mended(text)

    assert speller.mended(once) == once


def test_a_word_of_four_letters_may_have_lost_one_inside() -> None:
    speller = Speller(("money", "renew"), english_words())
    assert speller.mended("my mony back") == "my money back"
    assert speller.mended("renw a yaml") == "renew a yaml"
