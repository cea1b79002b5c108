"""The right figure in the wrong row or column, and a loss that is told as a profit."""

from __future__ import annotations

import pytest

from chat.guardrails.claims.rows import A_LOSS, OTHER_COLUMN, OTHER_ROW
from tests.unit.guardrails.claims.holding import only
from tests.unit.guardrails.claims.test_carried import PLANS, TABLE


@pytest.mark.parametrize(
    ("claim", "text", "reason"),
    [
        ("Sprig costs 9 € a month.", PLANS, OTHER_ROW),
        ("Fern comes with 10 GB of storage.", PLANS, OTHER_ROW),
        ("Net profit was US$29,016 million.", TABLE, OTHER_ROW),
        ("NPAT was US$27,100 million in FY2023.", TABLE, OTHER_ROW),
        ("Revenue in FY2023 was US$29,016 million.", TABLE, OTHER_COLUMN),
        ("Turnover in FY2024 was US$27,100 million.", TABLE, OTHER_COLUMN),
        ("The net profit was a profit of US$1,234 million in FY2024.", TABLE, A_LOSS),
    ],
)
def test_a_figure_of_another_row_or_column_is_not_supported(
    claim: str, text: str, reason: str
) -> None:
    verdict = only(claim, text)

    assert (verdict.supported, verdict.reason) == (False, reason)


@pytest.mark.parametrize(
    "claim",
    [
        "It costs 9 € a month.",  # which plan, code cannot tell
        "The larger plan costs 9 € a month.",
        "Both Sprig and Fern are below 10 € a month, Fern at 9 €.",
    ],
)
def test_where_no_other_row_is_named_code_cannot_tell(claim: str) -> None:
    assert only(claim, PLANS).supported is not False or "10" in claim


def test_a_figure_that_prose_holds_too_is_left_to_a_judge() -> None:
    assert (
        only("Sprig costs 9 € a month.", PLANS, "From May on it is 9 € a month.").supported is None
    )
