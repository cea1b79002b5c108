"""Names of plans and laws, and paragraphs' numbers, that no source holds get a hedge, once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.guardrails.claims.hedges import HEDGE
from chat.guardrails.generation import hedged
from tests.unit.guardrails.claims.holding import RULES, passage

HELD = passage(
    "Section 3 says so. The Open Door Programme helps.\n\n## 4.2 Returns\n\n7. Clause seven.\n\n"
    "Under the Parcel Act 2011 it is free.",
    "Terms",
    "§ 12 Costs",
)


@pytest.mark.parametrize(
    ("text", "hedged_text"),
    [
        ("See § 9 [1].", "See § 9{} [1]."),
        ("Section 4.3 applies.", "Section 4.3{} applies."),
        ("By clause 8, it is free [2].", "By clause 8{}, it is free [2]."),
        ("Article 17 and Article 17 again.", "Article 17{} and Article 17 again."),
        ("Art. 6(1)(f) allows it.", "Art. 6(1)(f){} allows it."),
        ("The Fair Fees Act 2019 [1] says so.", "The Fair Fees Act 2019{} [1] says so."),
        (
            "Ask for the **Hardship Support Programme** now.",
            "Ask for the **Hardship Support Programme**{} now.",
        ),
        ("Under GDPR you may ask.", "Under GDPR{} you may ask."),
    ],
)
def test_what_no_source_names_gets_one_hedge(text: str, hedged_text: str) -> None:
    told = hedged(text, [HELD])

    assert (told.text, told.count) == (hedged_text.format(HEDGE), 1)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("The Branch Plan costs 24 euros.", 0),
        ("The Branch Office Plan costs 24 euros.", 1),
        ("The Bran Plan costs 24 euros.", 1),
        ("The Branch Programme costs 24 euros.", 1),
    ],
)
def test_a_plan_of_a_list_is_known_by_its_own_name(text: str, count: int) -> None:
    listed = passage("There are five. Branch costs 24 euros, Grove 120.", "Pricing", "Server plans")

    assert hedged(text, [listed]).count == count


@pytest.mark.parametrize(
    "text",
    [
        "See § 12 and section 12.",
        "Section 3 says so [1].",
        "Clause 7 is short, section 4.2 longer.",
        "The Open Door Programme helps.",
        "The Parcel Act 2011 holds.",
        "The Parcel Act holds.",
        "This Act is no name, and the Plan neither.",
        "Step 9 follows step 8, on page 77.",
        "`section 99` and [the Fair Fees Act](https://example.org/Act) stay.",
        "```\nsection 99 of the Fair Fees Act\n```",
        "https://example.org/section 3",
        "",
    ],
)
def test_what_a_source_names_and_what_is_code_or_a_link_stays(text: str) -> None:
    assert hedged(text, [HELD]) == hedged(text, [HELD]).__class__(text, 0)


def test_the_question_and_the_settings_may_name_it_too() -> None:
    text = "The Fair Fees Act and the Consumer Rights Act 2015 hold."

    assert hedged(text, [HELD]).count == 2
    assert hedged(text, [HELD], "What of the fair fees act?", RULES).text == text


@pytest.mark.parametrize(
    "text",
    [
        "See § 9 and § 9, then the Fair Fees Act and the Fair Fees Act.",
        "Under the **Fair Fees Act 2019** [1], clause 8 [2] and article 5.",
    ],
)
def test_a_second_run_changes_nothing(text: str) -> None:
    once = hedged(text, [HELD])

    assert hedged(once.text, [HELD]) == once
    assert once.text.replace(HEDGE, "") == text


def test_a_hedge_repeats_no_figure() -> None:
    assert not any(sign.isnumeric() for sign in HEDGE)


@given(
    st.lists(
        st.sampled_from(
            [
                "§ 9",
                "the Fair Fees Act",
                "[1]",
                "`section 5`",
                "clause 8.",
                "**Big Plan**",
                "word",
                "\n",
            ]
        ),
        max_size=12,
    )
)
def test_hedging_is_idempotent_and_only_adds(parts: list[str]) -> None:
    text = " ".join(parts)
    once = hedged(text, [HELD])

    assert hedged(once.text, [HELD]) == once
    assert once.text.replace(HEDGE, "") == text
    assert once.text.count(HEDGE) == once.count


@given(st.text(max_size=300))
def test_any_text_is_hedged_and_keeps_its_own_signs(text: str) -> None:
    told = hedged(text, [HELD])

    assert told.text.replace(HEDGE, "") == text.replace(HEDGE, "")
    assert hedged(told.text, [HELD]) == told
