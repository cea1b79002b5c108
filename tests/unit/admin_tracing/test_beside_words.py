"""Two answers as one text with what is gone and what is new."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from admin_tracing.beside_words import MOST, Piece, is_apart, pieces

TEXTS = st.lists(st.sampled_from(["refund", "5", "days", " ", "\n", "[1]", ".", "é"]), max_size=30)


def read(found: list[Piece], side: str) -> str:
    return "".join(piece.text for piece in found if piece.kind in ("both", side))


@given(TEXTS, TEXTS)
@settings(max_examples=80)
def test_each_side_reads_as_its_own_text(left: list[str], right: list[str]):
    one, other = "".join(left), "".join(right)
    found = pieces(one, other)
    assert read(found, "left") == one
    assert read(found, "right") == other


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_text_is_kept_letter_for_letter(left: str, right: str):
    found = pieces(left, right)
    assert (read(found, "left"), read(found, "right")) == (left, right)


def test_words_that_changed_are_marked_whole():
    found = pieces("It takes 5 days [1].", "It takes 10 business days [1].")
    assert found == [
        Piece("both", "It takes "),
        Piece("left", "5"),
        Piece("right", "10 business"),
        Piece("both", " days [1]."),
    ]


def test_a_space_between_two_changes_does_not_cut_them():
    assert pieces("one two end", "three four end") == [
        Piece("left", "one two"),
        Piece("right", "three four"),
        Piece("both", " end"),
    ]


def test_equal_texts_are_one_piece():
    assert pieces("The same.", "The same.") == [Piece("both", "The same.")]


def test_an_answer_beside_none_is_all_new():
    assert pieces("", "Ten days.") == [Piece("right", "Ten days.")]


def test_very_long_texts_are_shown_whole_side_by_side():
    long = "word " * MOST
    assert pieces(long, long + "more") == [Piece("left", long), Piece("right", long + "more")]


def test_texts_with_little_in_common_stand_one_after_the_other():
    one = "An outage is noticed within 60 seconds and the machine is restarted on another host."
    other = "The documents hold no answer to this. Try naming the product or the step."
    found = pieces(one, other)
    assert found == [Piece("left", one), Piece("right", other)]
    assert is_apart(found)
    assert not is_apart(pieces("It takes 5 days.", "It takes 10 days."))
