"""What is left of a heading is no claim, unless it is all that a draft says."""

from __future__ import annotations

import pytest

from chat.guardrails.generation import split


@pytest.mark.parametrize(
    ("draft", "claims"),
    [
        ("Notice. Either side may end it.", ("Either side may end it.",)),
        ("Paris.", ("Paris.",)),
        ("**Price**\n\nIt is 12 euros.", ("It is 12 euros.",)),
    ],
)
def test_a_heading_of_one_word_claims_nothing_beside_a_sentence(
    draft: str, claims: tuple[str, ...]
) -> None:
    assert split(draft) == claims
