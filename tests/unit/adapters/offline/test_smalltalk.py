"""What is said without a document: constants that fit and claim nothing."""

from __future__ import annotations

import pytest

from chat.adapters.offline import smalltalk
from chat.adapters.offline.answering import KINDLY
from chat.guardrails.claims import split
from chat.guardrails.courtesy import makes_claims


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("thanks a lot!", smalltalk.WELCOME),
        ("that was helpful, cheers", smalltalk.WELCOME),
        ("bye for now", smalltalk.GOODBYE),
        ("Hello there", smalltalk.HELLO),
        ("how are you today?", smalltalk.HELLO),
        ("what can you do?", smalltalk.ABILITIES),
        ("hello, what can you help me with", smalltalk.ABILITIES),
        ("Who are you?", smalltalk.WHO),
        ("what’s your name", smalltalk.WHO),
        ("are you a robot", smalltalk.WHO),
        ("I feel so lonely", smalltalk.KIND),
        ("how long is the trial", ""),
        ("tell me a joke", ""),
        ("", ""),
    ],
)
def test_small_talk_gets_words_that_fit_and_all_else_an_offer(text: str, reply: str) -> None:
    assert smalltalk.reply(text) == reply


@pytest.mark.parametrize("text", [*smalltalk.CONSTANTS, KINDLY])
def test_no_constant_claims_anything(text: str) -> None:
    assert not makes_claims(text)
    assert split(text) == ()


@pytest.mark.parametrize("text", [*smalltalk.CONSTANTS, KINDLY])
def test_constants_are_plain_and_long_enough_to_send(text: str) -> None:
    assert len(text) >= 10
    assert "!" not in text
    assert "sorry" not in text.lower()
