"""The band follows from a count, by what each unsupported claim rests on, and from nothing else."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.contracts.verdicts import Basis, ClaimVerdict, Confidence, Unheld
from chat.guardrails import bands


def claim(supported: bool | None, basis: Basis = Basis.NONE, exempt: str = "") -> ClaimVerdict:
    return ClaimVerdict(
        text="It is so.",
        label="it is so",
        basis=basis,
        supported=supported,
        by="code",
        exempt=exempt,
    )


HELD, WRONG, OPEN = claim(True, Basis.SOURCE), claim(False), claim(None)
EXEMPT = claim(None, exempt="a term of the domain")
FLAGGED_EXEMPT = claim(False, exempt="a statute")

verdicts = st.lists(st.sampled_from([HELD, WRONG, OPEN, EXEMPT, FLAGGED_EXEMPT]), max_size=8)


@pytest.mark.parametrize(
    ("wrong", "band"),
    [
        (0, Confidence.HIGH),
        (1, Confidence.MEDIUM),
        (2, Confidence.MEDIUM),
        (3, Confidence.MEDIUM),
        (4, Confidence.LOW),
        (9, Confidence.LOW),
    ],
)
def test_none_is_high_up_to_three_medium_and_more_low(wrong: int, band: Confidence) -> None:
    assert bands.band([HELD, *[WRONG] * wrong], was_checked=True) is band


def test_what_nobody_checked_has_no_band() -> None:
    assert bands.band([HELD], was_checked=False) is Confidence.NONE


def test_nothing_to_count_has_no_band() -> None:
    assert bands.band([], was_checked=True) is Confidence.NONE
    assert bands.band([EXEMPT], was_checked=True) is Confidence.NONE


def test_a_claim_that_nobody_could_decide_makes_it_low() -> None:
    assert bands.band([HELD, OPEN], was_checked=True) is Confidence.LOW


def test_what_is_never_flagged_changes_no_band() -> None:
    assert bands.band([HELD, EXEMPT, FLAGGED_EXEMPT], was_checked=True) is Confidence.HIGH


def test_a_heavier_basis_lowers_the_band_sooner(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(bands.WEIGHTS, Basis.GENERAL_KNOWLEDGE, 4)
    invented = claim(False, Basis.GENERAL_KNOWLEDGE)
    computed = claim(False, Basis.CALCULATION)
    assert bands.band([HELD, computed], was_checked=True) is Confidence.MEDIUM
    assert bands.band([HELD, invented], was_checked=True) is Confidence.LOW


def test_unsupported_claims_are_counted_by_what_they_rest_on() -> None:
    found = [claim(False, Basis.CALCULATION), WRONG, claim(False, Basis.CALCULATION), HELD, EXEMPT]
    assert bands.by_basis(found) == {Basis.CALCULATION: 2, Basis.NONE: 1}


@pytest.mark.parametrize(
    ("claims", "again"),
    [
        ((HELD, WRONG), False),
        ((HELD, WRONG, WRONG), True),
        ((WRONG,), True),
        ((WRONG, OPEN), True),
        ((HELD,), False),
        ((OPEN,), False),
        ((), False),
        ((HELD, FLAGGED_EXEMPT, FLAGGED_EXEMPT), False),
    ],
)
def test_a_draft_is_written_again_from_two_on_or_where_it_holds_nothing_else(
    claims: tuple[ClaimVerdict, ...], again: bool
) -> None:
    assert bands.needs_retry(claims) is again


def test_deadlines_names_and_paragraphs_are_counted() -> None:
    both = WRONG.model_copy(update={"unheld": (Unheld.DEADLINE, Unheld.NAME)})
    late = WRONG.model_copy(update={"unheld": (Unheld.DEADLINE,)})
    assert bands.unheld([HELD, both, late]) == {"deadline": 2, "name": 1}


@given(verdicts)
def test_one_more_unsupported_claim_never_raises_the_band(claims: list[ClaimVerdict]) -> None:
    order = [Confidence.HIGH, Confidence.MEDIUM, Confidence.LOW]
    before = bands.band([HELD, *claims], was_checked=True)
    after = bands.band([HELD, *claims, WRONG], was_checked=True)
    assert order.index(after) >= order.index(before)


@given(verdicts)
def test_the_order_of_claims_does_not_matter(claims: list[ClaimVerdict]) -> None:
    found = {
        bands.band(order, was_checked=True)
        for order in itertools.islice(itertools.permutations(claims), 6)
    }
    assert len(found) <= 1
