"""Does what a claim names fit the passage that it cites?"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.contracts.passages import Passage
from chat.guardrails.generation import fits_entity
from tests.unit.guardrails.claims.holding import passage

BUSINESS = passage("The fee is 12 euros a month.", "Accounts", "Business account fees")
PERSONAL = passage("The fee is 3 euros a month.", "Accounts", "Personal account fees")
SPRIG = passage("A small plan. People choose Sprig for a blog.", "Plans", "Sprig")
FERN = passage("A larger plan. People choose Fern for a shop.", "Plans", "Fern")
REFUNDS = passage("Money comes back after 5 days.", "Billing", "When refunds arrive")


@pytest.mark.parametrize(
    ("sentence", "cited", "other"),
    [
        ("The business account costs 3 euros a month [1].", PERSONAL, BUSINESS),
        ("A personal account has a fee of 12 euros.", BUSINESS, PERSONAL),
        ("Sprig is a larger plan [1].", FERN, SPRIG),
        ("For a shop, Sprig is enough.", FERN, SPRIG),
    ],
)
def test_a_claim_of_another_passages_thing_does_not_fit(
    sentence: str, cited: Passage, other: Passage
) -> None:
    assert not fits_entity(sentence, cited, [other, REFUNDS])
    assert fits_entity(sentence, other, [cited, REFUNDS])


@pytest.mark.parametrize(
    ("sentence", "cited", "others"),
    [
        ("The fee is 12 euros a month.", PERSONAL, [BUSINESS]),  # names neither
        ("Sprig is smaller than Fern.", FERN, [SPRIG]),  # names the cited one too
        ("A refund takes 5 days.", BUSINESS, [REFUNDS]),  # no name, no contrast
        ("Accounts have fees.", PERSONAL, [BUSINESS]),  # all are of accounts
        ("The business account costs 3 euros.", PERSONAL, []),
        ("The business account costs 3 euros.", PERSONAL, [PERSONAL]),
    ],
)
def test_in_doubt_it_fits(sentence: str, cited: Passage, others: list[Passage]) -> None:
    assert fits_entity(sentence, cited, others)


def test_a_passage_that_mentions_the_thing_fits() -> None:
    both = passage("For a business account it is 12 euros.", "Accounts", "Personal account fees")

    assert fits_entity("The business account costs 12 euros.", both, [BUSINESS])


@given(st.text(max_size=80), st.text(max_size=60), st.text(max_size=60))
def test_a_passage_that_holds_the_whole_sentence_always_fits(
    sentence: str, title: str, other: str
) -> None:
    cited = passage(sentence, title)

    assert fits_entity(sentence, cited, [passage(other, other, sentence)])
