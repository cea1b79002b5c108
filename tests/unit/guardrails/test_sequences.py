"""One phrase after another is told as a pattern of the whole would tell it, and soon."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.guardrails.sequences import is_sequence

PHRASE = re.compile(r"h+i(?: (?:all|there))?|hi hi|good (?:day|morning)(?: all)?|all|day(?: good)?")
WHOLE = re.compile(f"(?:(?:{PHRASE.pattern})(?: |$))+")
WORDS = st.sampled_from(["hi", "hhi", "all", "there", "good", "day", "morning", "x"])


@given(st.lists(WORDS, min_size=1, max_size=8))
def test_it_says_what_a_pattern_of_the_whole_says(words: list[str]) -> None:
    text = " ".join(words)
    assert is_sequence(PHRASE, text) == bool(WHOLE.fullmatch(text))


@pytest.mark.parametrize("text", ["hi", "hi all good day", "hi hi hi", "day good day"])
def test_phrases_in_a_row_are_one(text: str) -> None:
    assert is_sequence(PHRASE, text)


@pytest.mark.parametrize("text", ["", "x", "hi x", "x hi", "hi  hi", "hi ", "hihi", "good"])
def test_whatever_else_is_none(text: str) -> None:
    assert not is_sequence(PHRASE, text)


def test_a_text_that_ends_otherwise_is_not_cut_up_in_every_way() -> None:
    tried = 0

    class Counted:
        def fullmatch(self, text: str, start: int, end: int) -> re.Match[str] | None:
            nonlocal tried
            tried += 1
            return PHRASE.fullmatch(text, start, end)

    words = 30
    assert not is_sequence(Counted(), "hi " * (words - 1) + "x")  # type: ignore[arg-type]
    assert tried <= words * (words + 1) / 2
