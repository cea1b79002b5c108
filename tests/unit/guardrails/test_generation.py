"""The claims of a draft: which sentences are any, what each is called, and what code can say."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.contracts.passages import Passage
from chat.contracts.verdicts import Basis, ClaimVerdict
from chat.guardrails.generation import LONGEST_LABEL, label_of, split, verify

TIMING = Passage(
    chunk="refunds#timing",
    document="refunds",
    version=1,
    title="Refunds at Larkspur",
    heading="Refund timing",
    text="Refunds to a card arrive after 4 to 6 business days. Refunds over 1,000 euros need a "
    "second look. The desk in Dublin answers within two days.\n\n- ask in **Billing**\n"
    "| plan | days |\n|---|---|\n| Small plan for one | 5 |",
)


def only(draft: str) -> ClaimVerdict:
    (verdict,) = verify(draft, [TIMING])
    return verdict


def test_a_draft_is_split_into_its_sentences_without_their_markers() -> None:
    draft = "Refunds take 4 days [1]. They go to the card [1][2].\n\n- by mail [3]\n- by phone"

    assert split(draft) == (
        *("Refunds take 4 days.", "They go to the card."),
        *("by mail", "by phone"),
    )


@pytest.mark.parametrize(
    "line",
    [
        "# Refund timing",
        "## What 5 plans cost",
        "What would you like to know?",
        "You are welcome.",
        "I can look that up in the documents if you like.",
        "That sounds stressful, and it is good that you asked.",
        "The documents do not say: what a book costs.",
        "The documents hold no answer to this.",
        "The handbook does not mention a student discount.",
        "Nothing was found about a student discount.",
        "I could not find anything about that.",
        "The ticket was not opened.",
        "The directory could not be searched.",
        "It can be tried again in a moment.",
        "The directory lists no record that fits.",
        "What a room holds:",
        "---",
        "[1]",
        "",
    ],
)
def test_what_claims_nothing_of_the_matter_is_no_claim(line: str) -> None:
    assert split(line) == ()


@pytest.mark.parametrize(
    "sentence",
    [
        "It has no limit.",
        "Nothing is charged for the trial.",
        "No document is needed to sign up.",
        "It is not given to minors.",
        "The documents do not say it, but the fee is low.",
        "The handbook does not name a fee of 5 euros.",
        "Plans cost 5 euros each:",
        "Refunds are never given.",
    ],
)
def test_a_denial_about_the_matter_is_a_claim(sentence: str) -> None:
    assert split(sentence) == (sentence,)


def test_what_is_said_twice_is_one_claim() -> None:
    assert split("Refunds are quick [1]. Refunds are quick [2].") == ("Refunds are quick.",)


def test_a_label_has_eight_words_and_no_figure() -> None:
    label = label_of(
        "Sprig costs 6 euros ($7) a month for 1 core, two GB of **memory** and disk [1]."
    )

    assert label == "Sprig costs euros a month for core GB"


def test_a_figure_alone_still_has_a_label() -> None:
    assert label_of("42 %") == "a figure alone"


@given(st.text(max_size=200))
def test_no_label_holds_a_digit_or_is_long(sentence: str) -> None:
    label = label_of(sentence)

    assert label
    assert not any(character.isdecimal() for character in label)
    assert len(label.split()) <= LONGEST_LABEL


@pytest.mark.parametrize(
    "draft",
    [
        "Refunds to a card arrive after 4 to 6 business days [1].",
        "refunds to a card arrive after **4 to 6** business days.",
        "- Small plan for one | 5 [1]",
    ],
)
def test_a_sentence_of_a_passage_is_supported_as_a_quotation(draft: str) -> None:
    verdict = only(draft)

    assert (verdict.supported, verdict.basis, verdict.by) == (True, Basis.QUOTATION, "code")


@pytest.mark.parametrize(
    ("draft", "lack"),
    [
        ("Refunds to a card arrive after 4 to 9 business days [1].", "9"),
        ("Refunds over 2,000 euros are looked at again.", "2,000"),
        ("The refund comes on 12/03/2025.", "12/03/2025"),
        ("Refunds come from Toronto.", "Toronto"),
        ("The desk is in Dublin, not in New Haven.", "New"),
    ],
)
def test_a_figure_or_a_name_that_no_passage_holds_is_not_supported(draft: str, lack: str) -> None:
    verdict = only(draft)

    assert (verdict.supported, verdict.basis, verdict.by) == (False, Basis.NONE, "code")
    assert f"“{lack}”" in verdict.reason


@pytest.mark.parametrize(
    "draft",
    [
        "A card refund is there in 4 days or a little later.",
        "Above 1000 euros somebody looks again.",
        "The desk answers in 2 days.",
        "Larkspur has a desk in Dublin.",
        "Everybody in Dublin's desk answers quickly.",
        "Money comes back soon.",
    ],
)
def test_what_code_cannot_tell_is_left_undecided(draft: str) -> None:
    verdict = only(draft)

    assert (verdict.supported, verdict.basis, verdict.by) == (None, Basis.NONE, "code")


def test_without_passages_no_figure_is_supported() -> None:
    assert [v.supported for v in verify("It costs 5 euros. It is quick.", [])] == [False, None]


def test_a_claim_keeps_its_sentence_and_has_a_label() -> None:
    verdict = only("The desk in Dublin answers within two days [1].")

    assert verdict.text == "The desk in Dublin answers within two days."
    assert verdict.label == "The desk in Dublin answers within days"


@given(st.text(max_size=300), st.text(max_size=300))
def test_any_draft_is_held_against_any_passage(draft: str, text: str) -> None:
    passage = TIMING.model_copy(update={"text": text})
    verdicts = verify(draft, [passage])

    assert [verdict.text for verdict in verdicts] == list(split(draft))


def test_a_figure_of_any_length_is_read() -> None:
    assert only(f"It is {'9' * 6_000} long.").supported is False


def test_what_the_question_brought_is_no_reason_to_reject() -> None:
    draft = "A refund to Toronto takes 4 days after 27 May."
    (alone,), (asked,) = (
        verify(draft, [TIMING]),
        verify(draft, [TIMING], "I paid on 27 May, when is the refund in Toronto?"),
    )

    assert alone.supported is False
    assert asked.supported is None
