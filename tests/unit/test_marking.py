"""Which words of a passage are marked: those that the answer says with the passage's marker."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from chat.marking import claims_of, marked

PASSAGE = "Refunds to a card arrive after 4 to 6 business days. Bank transfers take 8."


def carried(passage: str, *claims: str) -> list[str]:
    return [piece.text for piece in marked(passage, claims) if piece.carries]


def test_a_claim_is_the_text_between_the_marker_before_and_its_own() -> None:
    answer = "Cards take 6 days [1]; transfers take 8 [2]. Both are free [1][3]."
    assert claims_of(answer, 1) == ("Cards take 6 days", ". Both are free")
    assert claims_of(answer, 2) == ("; transfers take 8",)
    assert claims_of(answer, 3) == (". Both are free",)
    assert claims_of(answer, 4) == ()


def test_a_claim_does_not_reach_back_into_another_paragraph() -> None:
    assert claims_of("No marker here.\n\nCards take 6 days [1].", 1) == ("Cards take 6 days",)


def test_words_in_a_row_are_marked_and_case_does_not_matter() -> None:
    assert carried(PASSAGE, "refunds TO a card arrive") == ["Refunds to a card arrive"]


def test_one_or_two_shared_words_are_not_marked() -> None:
    assert carried(PASSAGE, "Money goes to a friend") == []


def test_a_claim_of_two_words_may_be_marked_by_both() -> None:
    assert carried(PASSAGE, "Business days") == ["business days"]


def test_marks_of_several_claims_grow_together() -> None:
    claims = ("arrive after 4 to", "6 business days")
    assert carried(PASSAGE, *claims) == ["arrive after 4 to 6 business days"]


WORDS = st.lists(st.sampled_from(["a", "card", "Card", "4", "days", ".", "\n", "é"]), max_size=30)
TEXTS = WORDS.map(" ".join)


@given(passage=TEXTS | st.text(max_size=60), claims=st.lists(TEXTS | st.text(max_size=20)))
def test_the_pieces_always_add_up_to_the_passage(passage: str, claims: list[str]) -> None:
    pieces = marked(passage, tuple(claims))
    assert "".join(piece.text for piece in pieces) == passage
    assert all(piece.text for piece in pieces)


@given(text=TEXTS)
def test_a_passage_that_repeats_the_claim_is_marked_from_its_first_word_to_its_last(
    text: str,
) -> None:
    words = text.strip(" .\n")
    assert carried(text, text) == ([words] if words else [])
