"""A greeting by name greets; a greeting with a question in it does not."""

from __future__ import annotations

import pytest

from chat.adapters.offline.greetings import greets
from chat.adapters.offline.reading import Reader


@pytest.mark.parametrize(
    "text", ["hi Finch", "thanks Anna", "good morning dear team", "bye and thanks", "cheers buddy"]
)
def test_hello_and_goodbye_are_told(reader: Reader, text: str) -> None:
    assert greets(text, reader)


@pytest.mark.parametrize(
    "text",
    [
        "hi late fees",
        "hello membership card",
        "thanks, renewal failed",
        "good study room",
        "",
        "…",
        "hello there, this goes on for longer than any greeting does",
    ],
)
def test_a_thing_that_is_named_or_asked_is_no_greeting(reader: Reader, text: str) -> None:
    assert not greets(text, reader)
