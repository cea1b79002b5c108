"""A judge's claims: lenient in form, strict where they would be believed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.adapters.check_shape import MOST_CLAIMS, check_of, short_label
from chat.adapters.shapes import Unusable
from chat.contracts.verdicts import Basis, ClaimVerdict

DRAFT = "A refund takes 5 days [1]."
ENTRY = {
    "text": "A refund takes 5 days [1].",
    "label": "Length of a refund",
    "basis": "SOURCE",
    "supported": "YES",
    "reason": "5 days",
}


def read(**changes: Any) -> ClaimVerdict:
    return check_of(DRAFT).read({"claims": [ENTRY | changes]})[0]


def test_a_claim_is_read_whole() -> None:
    assert read() == ClaimVerdict(
        text="A refund takes 5 days [1].",
        label="Length of a refund",
        basis=Basis.SOURCE,
        supported=True,
        by="judge",
        reason="5 days",
    )


@pytest.mark.parametrize(
    ("given", "supported"),
    [("YES", True), (" yes", True), (True, True), ("true", True)]
    + [("No ", False), (False, False), ("UNCLEAR", None), (None, None), ("null", None)],
)
def test_support_is_a_label_or_the_value_that_means_the_same(
    given: Any, supported: bool | None
) -> None:
    assert read(supported=given).supported is supported


@pytest.mark.parametrize("given", ["maybe", "", "partly", 1, ["YES"], {}])
def test_any_other_support_is_unusable(given: Any) -> None:
    with pytest.raises(Unusable, match="supported"):
        read(supported=given)


def test_a_verdict_that_is_left_out_is_not_taken_for_unclear() -> None:
    entry = {key: value for key, value in ENTRY.items() if key != "supported"}
    with pytest.raises(Unusable, match="supported"):
        check_of(DRAFT).read({"claims": [entry]})


@pytest.mark.parametrize("basis", ["General knowledge", "general-knowledge", "GENERAL_KNOWLEDGE "])
def test_a_basis_may_be_spelled_in_other_dress(basis: str) -> None:
    assert read(basis=basis, supported="NO").basis is Basis.GENERAL_KNOWLEDGE


@pytest.mark.parametrize("basis", ["passage", "", None, 3])
def test_any_other_basis_is_unusable(basis: Any) -> None:
    with pytest.raises(Unusable, match="basis"):
        read(basis=basis)


@pytest.mark.parametrize("basis", ["NONE", "GENERAL_KNOWLEDGE"])
def test_what_no_passage_carries_is_not_supported_whatever_stands_beside_it(basis: str) -> None:
    assert read(basis=basis, supported="YES").supported is False
    assert read(basis=basis, supported="UNCLEAR").supported is None


@pytest.mark.parametrize(
    "claims", [None, "none", {}, [7], [{}], [{"text": ""}], [ENTRY] * (MOST_CLAIMS + 1)]
)
def test_a_list_that_cannot_be_read_is_unusable(claims: Any) -> None:
    with pytest.raises(Unusable, match="claims"):
        check_of(DRAFT).read({"claims": claims})


def test_a_draft_that_cites_and_has_no_claims_was_not_checked() -> None:
    with pytest.raises(Unusable, match="list them"):
        check_of(DRAFT).read({"claims": []})


def test_a_courtesy_has_no_claims() -> None:
    assert check_of("You are welcome.").read({"claims": []}) == ()


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("Refund within 5 days", "Refund within days"),
        ("a b c d e f g h i j", "a b c d e f g h"),
        ("30-day limit of €5", "limit of"),
        ("5 € 10 %", "Costs a month"),
        ("", "Costs a month"),
        ("½ ² ٣ price", "price"),
    ],
)
def test_a_label_has_eight_words_at_most_and_no_figure(label: str, expected: str) -> None:
    assert short_label(label, "Costs 5 € a month") == expected


@given(st.text(), st.text())
def test_no_text_makes_a_long_label_or_one_with_a_figure(label: str, claim: str) -> None:
    made = short_label(label, claim)
    assert 1 <= len(made.split()) <= 8
    assert not any(char.isnumeric() for char in made)
