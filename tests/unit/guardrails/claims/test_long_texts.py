"""Long and odd texts: read in a time that grows with their length, not with its square."""

from __future__ import annotations

import pytest

from chat.guardrails.generation import fits_entity, hedged, label_of, verify
from tests.growth import assert_linear
from tests.unit.guardrails.claims.holding import passage

LENGTH = 10_000  # characters


@pytest.mark.parametrize(
    "piece",
    [
        *("1,234,", "1 234 ", "1-", "1.2.3.", "12", "( 1 ", "$ ", "US$", "5 to 6 to "),
        *("| ", "|-", "a b | 1 ", "\t", " ", "-- ", "one hundred and ", "between 5 and "),
        *("§ 1 ", "A Act ", "The Big of the ", "Under AAA ", "year ended ", "30 June "),
        *("*", "`", "[", "[a](", "'", "Aa ", "\n1. a 2. b", "a:", "no more than "),
    ],
)
def test_the_time_for_a_heap_of_one_thing_grows_with_its_length_alone(piece: str) -> None:
    def read(heap: str) -> None:
        verify("The fee is 12 euros within 7 days in Berlin.", [passage(heap)])
        verify(heap, [passage("The fee is 12 euros.")])
        hedged(heap, [passage("Nothing.")])
        fits_entity(heap, passage("Nothing."), [passage(heap)])
        label_of(heap)

    assert_linear(read, piece * (LENGTH // len(piece)))
