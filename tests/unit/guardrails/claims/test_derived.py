"""Figures that no source holds: computed from two that do, guessed on a trend, or from nowhere."""

from __future__ import annotations

import pytest

from chat.contracts.verdicts import Basis, Unheld
from tests.unit.guardrails.claims.holding import only
from tests.unit.guardrails.claims.test_carried import PLANS, TABLE

PROSE = (
    "Revenue was 200 million euros in 2022. Revenue was 250 million euros in 2023. "
    "The Sprig plan costs 6 euros a month. A domain costs 12 euros a year. "
    "The setup fee is 40 euros. The support fee is 25 euros."
)


@pytest.mark.parametrize(
    ("claim", "text", "operation"),
    [
        ("Revenue grew by 25 % from 2022 to 2023.", PROSE, "a percentage change"),
        ("Revenue grew by 7.1 % from FY2023 to FY2024.", TABLE, "a percentage change"),
        ("Revenue rose by 50 million euros from 2022 to 2023.", PROSE, "a difference"),
        ("The setup fee and the support fee are 65 euros in total.", PROSE, "a sum"),
        ("The difference of the setup fee and the support fee is 15 euros.", PROSE, "a difference"),
        ("The Sprig plan costs 72 euros a year.", PROSE, "twelve months of it"),
        ("A domain costs 1 euro a month.", PROSE, "a twelfth of it"),
        ("Sprig costs 72 € a year.", PLANS, "twelve months of it"),
        ("Fern costs 3 € more than Sprig.", PLANS, "a difference"),
        ("Three Sprig plans cost 18 € a month in total.", PLANS, "it times a count"),
        ("Revenue for FY2024 and FY2023 together was US$56,116 million.", TABLE, "a sum"),
    ],
)
def test_what_follows_from_held_figures_is_a_calculation(
    claim: str, text: str, operation: str
) -> None:
    verdict = only(claim, "Another passage.", text)

    assert (verdict.basis, verdict.supported, verdict.passages) == (Basis.CALCULATION, True, (2,))
    assert operation in verdict.reason
    assert not any(sign.isdecimal() for sign in verdict.reason)


def test_a_calculation_over_two_passages_names_both() -> None:
    verdict = only(
        "The setup fee and the support fee are 65 euros in total.",
        "The setup fee is 40 euros.",
        "The support fee is 25 euros.",
    )

    assert (verdict.supported, set(verdict.passages)) == (True, {1, 2})


@pytest.mark.parametrize(
    "claim",
    [
        "Sprig costs 3 € more than Fern.",  # it is the other way round
        "Revenue fell by 25 % from 2022 to 2023.",
        "Revenue grew by 25 % thanks to the harbour.",  # a word that nothing holds
    ],
)
def test_a_reckoning_whose_words_do_not_hold_is_left_to_a_judge(claim: str) -> None:
    verdict = only(claim, PLANS, PROSE)

    assert (verdict.basis, verdict.supported) == (Basis.CALCULATION, None)


@pytest.mark.parametrize(
    "claim",
    [
        "The Sprig plan costs 65 euros a year.",  # a sum of two other things
        "Revenue was 450 million euros in 2023.",  # a sum that nobody speaks of
        "Revenue grew by 26 % from 2022 to 2023.",
        "The setup fee is 15 euros.",
    ],
)
def test_a_figure_that_only_chance_gives_is_not_supported(claim: str) -> None:
    assert only(claim, PROSE).supported is False


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Revenue was US$28,000 million in FY2025.", TABLE),
        ("Turnover was US$31,000 million in FY2025.", TABLE),
        ("Revenue was 300 million euros in 2024.", PROSE),
        ("Revenue was 225 million euros in the middle of 2022.", PROSE),
    ],
)
def test_a_guess_along_a_series_is_an_interpolation(claim: str, text: str) -> None:
    verdict = only(claim, text)

    assert (verdict.basis, verdict.supported) == (Basis.INTERPOLATION, False)


@pytest.mark.parametrize(
    ("claim", "basis"),
    [
        ("Revenue was 900 million euros.", Basis.NONE),
        ("Wolves hunt in packs of 14 animals.", Basis.GENERAL_KNOWLEDGE),
    ],
)
def test_a_figure_of_the_matter_lacks_a_source_and_another_is_general_knowledge(
    claim: str, basis: Basis
) -> None:
    assert (only(claim, PROSE).basis, only(claim, PROSE).supported) == (basis, False)


def test_common_knowledge_without_a_figure_is_left_to_a_judge() -> None:
    assert only("Wolves hunt in packs.", PROSE).supported is None


def test_a_length_in_another_unit_is_a_calculation_for_a_judge() -> None:
    verdict = only("The river is 2,341 miles (3,767 km) long.", "It runs for 2,341 miles.")

    assert (verdict.basis, verdict.supported) == (Basis.CALCULATION, None)


@pytest.mark.parametrize(
    ("claim", "unheld"),
    [
        ("The setup fee is due within 45 days.", (Unheld.DEADLINE,)),
        ("The setup fee is due on 3 May 2024.", (Unheld.DEADLINE,)),
        ("The setup fee is due by 5 pm.", (Unheld.DEADLINE,)),
        ("The setup fee goes to Toronto.", (Unheld.NAME,)),
        ("The setup fee falls under the Fair Fees Act.", (Unheld.NAME,)),
        ("The setup fee falls under section 4.2.", (Unheld.PARAGRAPH,)),
        ("The setup fee is 99 euros.", ()),
        ("The setup fee is 40 euros.", ()),
    ],
)
def test_what_no_source_holds_is_counted_by_its_kind(
    claim: str, unheld: tuple[Unheld, ...]
) -> None:
    verdict = only(claim, PROSE)

    assert verdict.unheld == unheld
    assert not unheld or verdict.supported is False


def test_a_deadline_of_the_question_is_held() -> None:
    claim = "The setup fee is due within 45 days."

    assert only(claim, PROSE, question="Is it due within 45 days?").unheld == ()


@pytest.mark.parametrize(
    "claim", ["There are two fees: setup and support.", "Fees are of three kinds."]
)
def test_a_small_count_in_words_needs_no_source(claim: str) -> None:
    assert only(claim, PROSE).supported is not False
