"""A citation supports what is said when code can prove it: a quotation, sentence by sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.contracts.passages import Passage
from chat.contracts.verdicts import Grade, GradeLabel, Supports
from chat.guardrails.evidence import accepts, bind_citations

REFUNDS = Passage(
    chunk="refunds",
    document="billing",
    version=1,
    title="Refund timing",
    text="## Refund timing\n\nRefunds reach the card within **5 to 10** business days. You cannot\n"
    "get a refund after 30 days, e.g. for annual plans. Setup costs 4.50 € at -5 °C.\n\n"
    "- Ask in the [billing page](https://x.example/b)\n- Wait for the `refund` mail\n\n"
    "| plan | days |\n|---|---|\n| small plan | 5 days |\n",
)
EXPORT = Passage(
    chunk="export",
    document="account",
    version=1,
    title="Export",
    text="You can export your data for 30 days.",
)


def supports(draft: str) -> list[Supports]:
    return [c.supports for c in bind_citations(draft, [REFUNDS, EXPORT]).citations]


@pytest.mark.parametrize(
    "draft",
    [
        "Refunds reach the card within 5 to 10 business days [1].",
        "refunds reach the card, within 5 to 10 **business days**! [1]",
        "Sure. Refunds reach the card within 5 to 10 business days.[1] Anything else?",
        "Refunds reach the card within\n5 to 10 business days.\n[1]",
        "- Refunds reach the card within 5 to 10 business days [1]",
        "You cannot get a refund after 30 days, e.g. for annual plans [1].",
        "Setup costs 4.50 € at –5 °C [1].",
        "Ask in the billing page [1]",
        "Wait for the `refund` mail [1].",
        "small plan | 5 days [1]",
        "Refunds reach the card within 5 to 10 business days [1]. Setup costs 4.50 € at -5 °C [1].",
    ],
)
def test_a_whole_sentence_of_the_passage_is_proven(draft: str) -> None:
    assert supports(draft) == [Supports.YES]


@pytest.mark.parametrize(
    "draft",
    [
        "Refunds take 5 to 10 days [1].",
        "Get a refund after 30 days, e.g. for annual plans [1].",  # the line's end cut off "cannot"
        "Refunds reach the card within 5 to 10 business days after you ask [1].",
        "Refunds reach the card within 510 business days [1].",
        "Setup costs 450 € at -5 °C [1].",
        "Setup costs 4.50 € at 5 °C [1].",
        "Setup costs 4.50 $ at -5 °C [1].",
        "Refunds reach the card within 5 to 10 business days? [1]",
        "Refund timing [1]",  # too short to prove anything
        "You can export your data for 30 days [1].",  # the other passage says it
        "Refunds reach the card within 5 to 10 business days [1]. Always [1].",
        "Refunds reach the card within 5 to 10 business days, and so on [1].",
        "[1]",
    ],
)
def test_anything_less_than_a_quotation_stays_unchecked(draft: str) -> None:
    assert supports(draft) == [Supports.UNCHECKED]


def test_each_citation_of_a_sentence_is_proven_by_itself() -> None:
    assert supports("You can export your data for 30 days [1][2].") == [
        Supports.UNCHECKED,
        Supports.YES,
    ]


def test_a_marker_in_code_proves_and_disproves_nothing() -> None:
    draft = "You can export your data for 30 days [2].\n\nUse `x[1]` twice."
    assert supports(draft) == [Supports.YES]


@given(
    st.lists(
        st.sampled_from(["alpha", "beta", "12.5", "GB", "not", "plan-b"]), min_size=4, max_size=12
    )
)
def test_every_quoted_sentence_is_proven_and_none_that_lost_a_word(words: list[str]) -> None:
    sentence = " ".join(words) + "."
    passage = Passage(
        chunk="p", document="d", version=1, title="t", text=f"Before it. {sentence} After."
    )

    def verdict(text: str) -> Supports:
        return bind_citations(text, [passage]).citations[0].supports

    assert verdict(f"{sentence} [1]") is Supports.YES
    assert verdict(f"{' '.join(words[1:])}. [1]") is Supports.UNCHECKED
    assert verdict(f"{' '.join(words[:-1])}. [1]") is Supports.UNCHECKED


@pytest.mark.parametrize("label", list(GradeLabel))
def test_only_what_answers_or_could_not_be_graded_is_evidence(label: GradeLabel) -> None:
    assert accepts(Grade(label=label)) is (label in (GradeLabel.ANSWERS, GradeLabel.UNGRADED))
