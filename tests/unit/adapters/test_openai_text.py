"""What a model repeats of the prompts' fence never reaches a person, in one piece or in many."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.adapters.openai_text import Unfencing, storable, unfenced
from chat.adapters.shapes import STANDALONE
from chat.agent.prompts.parts import data

# None of these becomes a mark when another one beside it is taken out.
marks = st.sampled_from(['<data kind="question">', "</data>", "<", "data", "< data", ">", " ", "a"])


def shown(pieces: list[str]) -> list[str]:
    fence = Unfencing()
    return [*(fence.feed(piece) for piece in pieces), fence.rest()]


@given(st.lists(marks, max_size=12).map("".join), st.integers(1, 9))
def test_pieces_of_any_size_show_what_one_piece_would(text: str, size: int) -> None:
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    assert "".join(shown(pieces)) == unfenced(text)


@given(st.text(max_size=40), st.integers(1, 9))
def test_text_without_marks_is_shown_as_it_came(text: str, size: int) -> None:
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    assert "".join(shown(pieces)) == text


@pytest.mark.parametrize("size", range(1, 40))
def test_a_repeated_region_shows_its_text_alone(size: int) -> None:
    text = f"You asked: {data('earlier exchange', 'Is 3 < 4?')} Yes."
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    assert "".join(shown(pieces)) == "You asked: \nIs 3 < 4?\n Yes."


def test_only_what_may_become_a_mark_waits() -> None:
    assert shown(["a <", " b <d", "iv> <data", ">"]) == ["a ", "< b ", "<div> ", "<data>", ""]
    assert shown(["the end <data kind"]) == ["the end ", "<data kind"]


def test_a_mark_that_never_ends_is_not_held_for_ever() -> None:
    first = shown(["<data " + "x" * 100, "y"])[0]
    assert first.startswith("<data x")


def test_structured_text_is_without_marks_too() -> None:
    given = data("newest message", "How long does a refund take?")
    assert STANDALONE.read({"question": given}) == "How long does a refund take?"
    assert unfenced("a < b") == "a < b"


def test_what_cannot_be_stored_is_replaced_or_left_out() -> None:
    assert storable("a\0b") == "ab"
    assert storable("é\ud83d\0") == "é\ufffd"
