"""What is said without a document: constants that fit and claim nothing."""

from __future__ import annotations

import pytest

from chat.adapters.offline import smalltalk
from chat.adapters.offline.answering import KINDLY
from chat.guardrails.drafts.courtesy import makes_claims
from chat.guardrails.generation import split


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


@pytest.mark.parametrize(
    "text",
    [
        "thank you, that was nice of you",
        "who are you?",
        "what can you do?",
        "are you a robot",
        "goodbye then",
        "i am a bit tired today",
    ],
)
def test_talk_with_the_assistant_is_small_talk(text: str) -> None:
    assert smalltalk.is_small_talk(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "How long does a refund take?",
        "thanks, what's the weather like?",
        "thanks, can you name a good pizza place",
        "I am tired of servers that go down every night and lose all the data of my shop",
        "tell me a joke",
    ],
)
def test_what_asks_for_something_is_none(text: str) -> None:
    assert not smalltalk.is_small_talk(text)
