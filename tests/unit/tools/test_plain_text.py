"""What a model writes into arguments is cleaned before a person sees it or a table keeps it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.tools.base import one_line, plain


@pytest.mark.parametrize(
    ("given_", "kept"),
    [
        ("  two words  ", "two words"),
        ("a\x00b", "ab"),
        ("a\ud800b", "ab"),
        ("pay \u202e001\u202c now", "pay 001 now"),
        ("a\u2066b\u2069", "ab"),
        ("first\nsecond\tthird", "first\nsecond\tthird"),
        ("bell\x07 and escape\x1b[31m", "bell and escape[31m"),
        ("família 👩\u200d👧", "família 👩\u200d👧"),
    ],
)
def test_only_what_shows_is_kept(given_: str, kept: str) -> None:
    assert plain(given_) == kept


def test_one_line_is_one_line() -> None:
    assert one_line(" a\n\n b\t c\u2028d ") == "a b c d"


@given(st.text(st.characters()))
def test_what_is_left_can_be_stored_and_cleaning_again_changes_nothing(text: str) -> None:
    cleaned = plain(text)
    assert "\0" not in cleaned
    cleaned.encode()
    assert plain(cleaned) == cleaned
    assert one_line(one_line(text)) == one_line(text)
