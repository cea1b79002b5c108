"""The claims of a draft: which sentences are any, what each is called, and what code can say."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.contracts.passages import Passage
from chat.contracts.verdicts import Basis, ClaimVerdict
from chat.guardrails.generation import (
    CAVEATS,
    LONGEST_LABEL,
    NO_SOURCE,
    caveat_of,
    label_of,
    split,
    verify,
)

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
        ("Refunds to a card arrive after 4 to 9 business days [1].", "4 to 9 business days"),
        ("Refunds over 2,000 euros are looked at again.", "2,000 euros"),
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


def test_a_list_in_one_line_is_read_as_its_items() -> None:
    draft = "To begin: 1. Open the page. 2. Choose a plan 3. Pay for it."

    assert split(draft) == ("Open the page.", "Choose a plan", "Pay for it.")


@pytest.mark.parametrize(
    "sentence",
    [
        "| Sprig | 6 euros | one core |",
        "1. Sprig: 6 €/month, ½ core",
        "- Sprig costs twenty-nine euros, the second cheapest",
        "Revenue of US$29bn (4.2 %) in FY2024",
    ],
)
def test_a_label_of_a_row_or_an_item_holds_no_figure(sentence: str) -> None:
    label = label_of(sentence)

    assert 1 <= len(label.split()) <= LONGEST_LABEL
    assert not any(sign.isnumeric() for sign in label)
    assert not {"one", "twenty-nine", "second", "|"} & set(label.split())


@pytest.mark.parametrize(
    ("basis", "beginning"),
    [
        (Basis.CALCULATION, "Computed from the sources"),
        (Basis.INTERPOLATION, "Concluded from the sources"),
        (Basis.GENERAL_KNOWLEDGE, "General knowledge, in no source"),
        (Basis.NONE, "No source was found for"),
    ],
)
def test_a_caveat_says_why_and_names_the_thing_without_its_figure(
    basis: Basis, beginning: str
) -> None:
    verdict = ClaimVerdict(
        text="The Sprig plan costs 72 euros a year.",
        label="The Sprig plan costs 72 euros a year",
        basis=basis,
        supported=False,
        by="judge",
    )

    assert caveat_of(verdict) == f"{CAVEATS[basis]}: The Sprig plan costs euros a year."
    assert caveat_of(verdict).startswith(beginning)


@given(st.text(max_size=80), st.sampled_from(list(Basis)))
def test_no_caveat_repeats_a_figure(label: str, basis: Basis) -> None:
    verdict = ClaimVerdict(text="x", label=label, basis=basis, supported=False, by="judge")

    assert not any(sign.isnumeric() for sign in caveat_of(verdict))


def test_the_beginnings_of_the_caveats_are_told_apart() -> None:
    assert len(set(CAVEATS.values())) == len(CAVEATS)
    assert CAVEATS[Basis.NONE] == NO_SOURCE


def test_a_verdict_names_every_passage_that_it_rests_on() -> None:
    other = TIMING.model_copy(update={"chunk": "other", "text": "Nothing of it."})
    (verdict,) = verify("The desk in Dublin answers within two days [3].", [other, TIMING, TIMING])

    assert (verdict.basis, verdict.passages) == (Basis.QUOTATION, (2, 3))


def test_code_in_a_draft_claims_no_figure_and_no_name() -> None:
    verdict = only('Ask for it with `{"age": 30, "name": "Hemsworth"}` in Billing.')

    assert verdict.supported is None


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
