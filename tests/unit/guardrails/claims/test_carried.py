"""Claims that one sentence or row carries, claims that it denies, and all between, for a judge."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chat.contracts.verdicts import Basis
from chat.guardrails.claims.support import in_order
from tests.unit.guardrails.claims.holding import only

FEES = (
    "The overseas transaction fee is 3.00 % of the amount. Refunds to a card arrive after 4 to 6 "
    "business days. You can cancel a yearly plan within 30 days. Refunds are not given for monthly "
    "plans. Backups of a server are kept for up to 14 days. Revenue was US$29,016 million in the "
    "year ended 30 June 2024. Underlying EBITDA was 120 million euros in 2023. The desk may open "
    "on Sundays if a holiday follows. Fern replaces Sprig for new customers."
)
TABLE = """Results, in US$M

| Metric | FY2024 | FY2023 |
|---|---|---|
| Revenue | 29,016 | 27,100 |
| Net profit | (1,234) | 900 |
| Margin ratio | 0.042 | 0.05 |"""
PLANS = """| plan | price a month | storage |
|---|---|---|
| Sprig | 6 € | 10 GB |
| Fern | 9 € | 50 GB |"""


@pytest.mark.parametrize(
    "claim",
    [
        "The fee for an overseas transaction is 3 % of the amount.",
        "For overseas transactions, the fee is 3.00% of the amount.",
        "Card refunds arrive after 4-6 business days.",
        "A server's backups are kept for up to two weeks.",
        "Turnover was about US$29 billion in FY2024.",
        "Sales revenue was US$29,016 million in FY24.",
        "EBITDA was 120 million euros in 2023.",
        "You can cancel your yearly plan within 30 days.",
    ],
)
def test_a_claim_is_carried_where_one_sentence_has_all_its_words_and_figures(claim: str) -> None:
    verdict = only(claim, "Another passage.", FEES)

    assert (verdict.supported, verdict.basis, verdict.by) == (True, Basis.SOURCE, "code")
    assert verdict.passages == (2,)


@pytest.mark.parametrize(
    "claim",
    [
        "The domestic transaction fee is 3 % of the amount.",  # a word that is not there
        "Refunds to a card arrive after 4 to 6 days.",  # business days are not days
        "Refunds to a card arrive within 4 to 6 business days.",  # after is not within
        "A yearly plan can be cancelled after 30 days.",
        "The desk opens on Sundays.",  # it may, if
        "The desk may open on Sundays.",
        "Sprig replaces Fern for new customers.",  # the other way round
        "Backups of a server are always kept for up to 14 days.",
        "Only a server's backups are kept for up to 14 days.",
        "Backups of a server are kept for 14 days.",
        "Backups of a server and of a database are kept for up to 14 days.",
        "Overseas transaction fee",  # says nothing
    ],
)
def test_what_differs_in_a_word_that_matters_is_left_to_a_judge(claim: str) -> None:
    assert only(claim, FEES).supported is None


def test_words_of_two_sentences_carry_nothing() -> None:
    claim = "The overseas transaction fee is given for monthly plans."

    assert only(claim, FEES).supported is None


def test_the_question_carries_nothing() -> None:
    claim = "The harbour office opens on Monday mornings."

    assert only(claim, FEES, question=claim).supported is None


@pytest.mark.parametrize(
    ("claim", "says"),
    [
        ("Refunds are given for monthly plans.", "opposite"),
        ("The overseas transaction fee is not 3 % of the amount.", "opposite"),
        ("Fern never replaces Sprig for new customers.", "opposite"),
        ("Backups of a server are kept for at least 14 days.", "opposite"),
    ],
)
def test_a_claim_is_denied_where_only_the_not_or_the_limit_differs(claim: str, says: str) -> None:
    verdict = only(claim, FEES)

    assert (verdict.supported, verdict.passages) == (False, (1,))
    assert says in verdict.reason


def test_what_one_sentence_denies_and_another_carries_is_carried() -> None:
    claim = "Refunds are given for monthly plans."

    assert only(claim, FEES, "For monthly plans, refunds are given.").supported is True


@pytest.mark.parametrize(
    "claim",
    [
        "Revenue was US$29,016 million in FY2024.",
        "Turnover was about US$29 billion in FY24.",
        "Net profit after tax was a loss of US$1,234 million in FY2024.",
        "The margin ratio was 4.2 % in FY2024.",
    ],
)
def test_a_row_carries_a_claim_with_the_unit_of_its_table(claim: str) -> None:
    verdict = only(claim, TABLE)

    assert (verdict.supported, verdict.basis) == (True, Basis.SOURCE)


@pytest.mark.parametrize("claim", ["Sprig costs 6 € a month.", "Fern has 50 GB of storage."])
def test_a_row_of_plans_carries_its_own_plan(claim: str) -> None:
    assert only(claim, PLANS).supported is True


@given(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=8, unique=True))
def test_words_are_in_order_with_themselves(words: list[str]) -> None:
    assert in_order(words, words)
    assert in_order(words[1:] + words[:1], words)  # one phrase may move


def test_words_far_apart_in_a_long_sentence_are_not_together() -> None:
    assert not in_order(["a", "b"], ["a", *map(str, range(20)), "b"])


@settings(max_examples=60)
@given(st.text(max_size=120), st.text(max_size=240))
def test_any_claim_is_held_against_any_text(claim: str, text: str) -> None:
    from chat.guardrails.generation import verify
    from tests.unit.guardrails.claims.holding import passage

    assert all(verdict.by == "code" for verdict in verify(claim, [passage(text)]))
