"""The same length, weight or size in two units."""

from __future__ import annotations

import pytest

from chat.guardrails.claims.conversions import converts
from chat.guardrails.claims.quantities import find


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("2,341 miles (3,767 km)", True),
        ("6 feet (1.83 m)", True),
        ("10 kg or 22 lb", True),
        ("10 pounds, which is 4.54 kg", True),
        ("2 GB is 2,000 MB", True),
        ("100 miles (200 km)", False),
        ("10 kg or 10 km", False),
        ("10 km and 10 km", False),
        ("10 apples and 10 pears", False),
        ("100 square miles (259 km)", False),
    ],
)
def test_two_figures_are_one_in_two_units(text: str, same: bool) -> None:
    one, other = find(text)

    assert converts(text, one, other) is same
    assert converts(text, other, one) is same
