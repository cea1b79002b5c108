"""What the settings never flag: terms, well-known steps, named statutes; never with a figure."""

from __future__ import annotations

import pytest

from chat.contracts.site_rules import SiteRules
from chat.guardrails.claims.exempt import PROCEDURE, STATUTE, TERM
from tests.unit.guardrails.claims.holding import only

TEXT = "Refunds are described here, with a fee of 5 euros."


@pytest.mark.parametrize(
    ("claim", "why"),
    [
        ("A sprint is a short period of work.", TERM),
        ("The **grace period** means the time in which nothing is charged.", TERM),
        ("Sprints are short periods of work.", TERM),
        ("First, log in and check your inbox.", PROCEDURE),
        ("You can log in.", PROCEDURE),
        ("This falls under the Consumer Rights Act 2015.", STATUTE),
        ("Refunds are covered by the Consumer Rights Act 2015.", STATUTE),
    ],
)
def test_a_claim_that_the_settings_name_is_exempt(claim: str, why: str) -> None:
    verdict = only(claim, TEXT)

    assert (verdict.exempt, verdict.supported, verdict.unheld) == (why, None, ())


@pytest.mark.parametrize(
    "claim",
    [
        "A sprint is 14 days long.",
        "The sprint ends when the desk closes.",
        "A quarter is a period of work.",
        "Log in and wait 7 days.",
        "Log in and pay the desk.",
        "Check the price first.",
        "Under the Consumer Rights Act 2015 you have 30 days.",
        "The Consumer Rights Act 2015 forbids parking in Leeds.",
        "This falls under the Fair Fees Act.",
    ],
)
def test_a_claim_with_a_figure_or_with_more_than_that_is_not(claim: str) -> None:
    assert only(claim, TEXT).exempt == ""


def test_without_settings_nothing_is_exempt() -> None:
    verdict = only("This falls under the Consumer Rights Act 2015.", TEXT, rules=SiteRules())

    assert (verdict.exempt, verdict.supported) == ("", False)


def test_what_stands_in_a_source_is_a_quotation_and_not_exempt() -> None:
    claim = "A sprint is a short period of work."

    assert (only(claim, claim).exempt, only(claim, claim).supported) == ("", True)
