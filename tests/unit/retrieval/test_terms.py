"""The documents' own words near a question."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.retrieval.terms import WordFact, best, near_words, rarity, weigh, words_of


def test_words_are_lower_case_and_have_three_letters() -> None:
    found = words_of("The bank’s PayPal-refund is on 5 e-mails, ok?")

    assert found == {"the", "bank", "paypal-refund", "e-mails"}


def test_a_word_is_as_near_as_the_passages_that_hold_it() -> None:
    weights = near_words([("Refund by card", 0.75), ("card card", 0.25)])

    assert weights == {"refund": 0.75, "card": 1.0}


def test_the_questions_own_words_do_not_come_back_in_any_form() -> None:
    facts = [
        WordFact("refund", "refund", 3),
        WordFact("refunds", "refund", 3),
        WordFact("bank", "bank", 2),
    ]

    assert list(weigh({"refunds": 2.0, "bank": 1.0}, facts, {"refund"}, 50)) == ["bank"]


def test_a_stem_comes_once_and_stop_words_never() -> None:
    facts = [WordFact("paying", "pay", 4), WordFact("pays", "pay", 4)]

    weights = weigh({"paying": 1.0, "pays": 2.0, "the": 9.0}, facts, set(), 50)

    assert list(weights) == ["pays"]


def test_a_rare_word_weighs_more_than_a_common_one_as_near() -> None:
    facts = [WordFact("often", "often", 40), WordFact("outage", "outag", 2)]

    assert list(weigh({"often": 1.0, "outage": 1.0}, facts, set(), 50)) == ["outage", "often"]


def test_a_words_own_meaning_decides_and_opposites_are_left_out() -> None:
    weights = {"often": 3.0, "outage": 2.0, "penguin": 9.0}

    assert best(weights, {"often": 0.1, "outage": 0.6, "penguin": -0.1}) == ("outage", "often")


@given(st.integers(0, 1000), st.integers(0, 1000))
def test_rarity_is_never_negative_and_falls_with_every_holder(holding: int, chunks: int) -> None:
    assert rarity(holding, chunks) > 0
    if holding < chunks:
        assert rarity(holding, chunks) > rarity(holding + 1, chunks)


def test_a_word_of_every_chunk_says_nearly_nothing() -> None:
    assert rarity(1000, 1000) == pytest.approx(0, abs=0.001)
