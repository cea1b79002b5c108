"""That a marker resolves is one verdict, that its passage carries the sentence is another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from chat.contracts.passages import Passage
from chat.contracts.verdicts import Basis, ClaimVerdict, Supports
from chat.guardrails.evidence import Bound, bind_citations, held_against
from tests.factories import passage

FEES = passage("plans#fees", "The small plan is nine euros a month.")
REFUNDS = passage("refunds#timing", "A refund takes five to ten business days to arrive.")
BOTH = (FEES, REFUNDS)


def verdict(text: str, supported: bool | None, *numbers: int) -> ClaimVerdict:
    return ClaimVerdict(
        text=text,
        label="it",
        basis=Basis.SOURCE,
        supported=supported,
        by="judge",
        passages=numbers,
    )


def fits(_sentence: str, _passage: Passage, _others: Sequence[Passage]) -> bool:
    return True


def held(draft: str, *verdicts: ClaimVerdict, check: Any = fits) -> Bound:
    return held_against(bind_citations(draft, BOTH), verdicts, BOTH, check)


def supports(bound: Bound) -> list[Supports]:
    return [citation.supports for citation in bound.citations]


PRICE = "You pay about nine euros each month."
WAIT = "Money comes back in a week or two."


@pytest.mark.parametrize(
    ("draft", "verdicts", "expected"),
    [
        (f"{PRICE} [1]", (verdict(PRICE, True, 1),), [Supports.YES]),
        (f"{PRICE} [1]", (verdict(PRICE, False),), [Supports.NO]),
        (f"{PRICE} [1]", (verdict(PRICE, None),), [Supports.UNCHECKED]),
        (f"{PRICE} [1]", (), [Supports.UNCHECKED]),
        (f"{PRICE} [2]", (verdict(PRICE, True, 1),), [Supports.NO]),
        (f"{PRICE} [1]", (verdict(PRICE, True),), [Supports.UNCHECKED]),
        (f"{PRICE} [1] [2]", (verdict(PRICE, True, 1),), [Supports.YES, Supports.UNCHECKED]),
        (
            f"{PRICE} [1] {WAIT} [2]",
            (verdict(PRICE, True, 1), verdict(WAIT, False)),
            [Supports.YES, Supports.NO],
        ),
        (
            f"{PRICE} [1] {WAIT} [1]",
            (verdict(PRICE, True, 1), verdict(WAIT, False)),
            [Supports.NO],
        ),
        (
            f"{PRICE} [1] {WAIT} [1]",
            (verdict(PRICE, True, 1), verdict(WAIT, None)),
            [Supports.UNCHECKED],
        ),
    ],
)
def test_a_citation_is_as_good_as_the_worst_sentence_that_carries_it(
    draft: str, verdicts: Sequence[ClaimVerdict], expected: list[Supports]
) -> None:
    assert supports(held(draft, *verdicts)) == expected


def test_markers_are_told_by_their_passage_whatever_their_number_became() -> None:
    bound = held(f"{WAIT} [2] {PRICE} [1]", verdict(WAIT, True, 2), verdict(PRICE, False))
    assert [(c.marker, c.chunk, c.supports) for c in bound.citations] == [
        (1, REFUNDS.chunk, Supports.YES),
        (2, FEES.chunk, Supports.NO),
    ]


def test_a_quotation_stays_proven_where_the_check_said_nothing_of_it() -> None:
    assert supports(held(f"{REFUNDS.text} [2]")) == [Supports.YES]


def test_a_sentence_that_names_another_thing_than_its_source_is_not_carried() -> None:
    asked: list[tuple[str, str, list[str]]] = []

    def wrong(sentence: str, cited: Passage, others: Sequence[Passage]) -> bool:
        asked.append((sentence, cited.chunk, [other.chunk for other in others]))
        return False

    assert supports(held(f"{PRICE} [1]", verdict(PRICE, True, 1), check=wrong)) == [Supports.NO]
    assert asked == [(PRICE, FEES.chunk, [REFUNDS.chunk])]


def test_what_resolved_stays_and_what_did_not_is_named() -> None:
    bound = held(f"{PRICE} [1] [7]", verdict(PRICE, True, 1))
    assert [c.marker for c in bound.citations] == [1]
    assert list(map(str, bound.removed)) == ["7"]
