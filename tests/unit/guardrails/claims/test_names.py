"""Names that no source holds, and capitals that name nothing."""

from __future__ import annotations

import pytest

from chat.contracts.verdicts import Unheld
from tests.unit.guardrails.claims.holding import only

TEXT = (
    "The desk in Dublin answers within two days. African customers call the U.S. office. "
    "Larkspur keeps the papers of every customer."
)


@pytest.mark.parametrize(
    ("claim", "name"),
    [
        ("The desk is in Toronto and answers.", "Toronto"),
        ("The desk of Larkspur belongs to Bramble.", "Bramble"),
        ("The papers are kept by (Toronto) people.", "Toronto"),
        ("Papers are kept for **Bramble** customers.", "Bramble"),
    ],
)
def test_a_name_that_no_source_holds_is_told(claim: str, name: str) -> None:
    verdict = only(claim, TEXT)

    assert (verdict.supported, verdict.unheld) == (False, (Unheld.NAME,))
    assert f"“{name}”" in verdict.reason


@pytest.mark.parametrize(
    "claim",
    [
        "The desk of Larkspur's is in Dublin.",
        "Customers in Africa call an office in the United States.",
        "Office Support And Bramble Papers: the desk keeps the papers.",
        "**Bramble Support**: the desk keeps the papers.",
        "The desk keeps papers. See: Bramble",
        "The desk keeps papers of “Customers” and others.",
        "The desk keeps `Bramble` papers.",
        "Bramble Papers And Toronto Papers Kept Here",
    ],
)
def test_other_capitals_are_no_reason_to_reject(claim: str) -> None:
    from chat.guardrails.generation import verify
    from tests.unit.guardrails.claims.holding import passage

    assert all(verdict.supported is not False for verdict in verify(claim, [passage(TEXT)]))


def test_a_name_of_the_question_is_held() -> None:
    assert only("The desk is in Toronto.", TEXT, question="Is it in Toronto?").supported is None
