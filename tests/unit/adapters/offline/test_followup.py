"""A follow-up takes what it leaves out from the question before it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.adapters.offline.followup import standalone
from chat.adapters.offline.reading import Memory
from chat.contracts.tasks import Exchange
from tests.growth import assert_linear

WORDS = "it he they there that the plan plans Ada Finch how what about and yes ? . [1] or is for"
TEXT = st.lists(st.one_of(st.sampled_from(WORDS.split()), st.text(max_size=6)), max_size=8).map(
    " ".join
)


def _asked(*questions: str) -> list[Exchange]:
    return [Exchange(question=question, answer="It says so [1].") for question in questions]


@pytest.mark.parametrize(
    ("before", "question", "expected"),
    [
        ("How long is a loan?", "and for films?", "How long is a loan for films?"),
        ("How long is a loan?", "ok, and for films", "How long is a loan for films?"),
        ("fine for late books", "what about films", "fine for late films?"),
        ("Is the fee lower for Anna?", "or Ben?", "Is the fee lower for Ben?"),
        ("how do I renew a loan", "how long does it take", "how long does renewing a loan take"),
        ("what does a new card cost", "where do I get it?", "where do I get a new card?"),
        ("is there a study room", "can i book that", "can i book a study room"),
        ("how do I renew a loan", "tell me more", "how do I renew a loan"),
        ("how do I renew a loan", "how much?", "how much: renew a loan"),
        ("how do I renew a loan", "go on", "how do I renew a loan"),
        ("how do I renew a loan", "yes please", "how do I renew a loan"),
        ("how do I renew a loan", "where?", "Where do I renew a loan?"),
        ("Can I renew a loan?", "how?", "How can I renew a loan?"),
        ("Is the desk open on Sunday?", "why not?", "Why is the desk open on Sunday?"),
        ("No, when is the desk open?", "and on Sunday?", "when is the desk open on Sunday?"),
        ("can I pay by card", "and Maestro?", "can I pay by card for Maestro?"),
    ],
)
def test_it_is_folded_into_one_question(
    memory: Memory, before: str, question: str, expected: str
) -> None:
    assert standalone(question, _asked(before), memory) == expected


@pytest.mark.parametrize(
    "question",
    [
        "which floors are quiet?",
        "is it possible that a loan is refused",
        "I know that the desk is closed",
        "what does a new membership card cost",
        "is there a fee for children",
        "which book is the one that is free?",
        "no thanks",
        "thanks",
        "When a book is late, is it fined?",
        "what  does a “card” cost",
        "",
    ],
)
def test_a_question_that_stands_by_itself_is_left_alone(memory: Memory, question: str) -> None:
    assert standalone(question, _asked("how do I renew a loan"), memory) == question


def test_a_follow_up_of_a_follow_up_still_knows_the_thing(memory: Memory) -> None:
    history = _asked("how do I renew a loan", "how long does it take")

    assert standalone("is it free?", history, memory) == "is renewing a loan free?"


def test_a_long_aspect_says_itself_what_it_is_about(memory: Memory) -> None:
    long = "what about the major exhibitions of old maps shown by the city archive?"

    assert standalone(long, _asked("how do I renew a loan"), memory) == long


def test_only_the_last_five_exchanges_count(memory: Memory) -> None:
    history = _asked("what does a study room cost", *["go on"] * 4)
    assert "study room" in standalone("where is it?", history, memory)

    history = _asked("what does a study room cost", *["thanks"] * 5)
    assert "study room" not in standalone("where is it?", history, memory)


@given(st.lists(st.tuples(TEXT, TEXT), max_size=7), TEXT)
def test_whatever_is_typed_it_ends_and_gives_a_text(
    memory: Memory, said: list[tuple[str, str]], question: str
) -> None:
    history = [Exchange(question=asked, answer=answer) for asked, answer in said]

    assert isinstance(standalone(question, history, memory), str)


@pytest.mark.parametrize("filler", ["ok ", "yes, ", "the ", "A ", ". ", "? ", "do it ", "it "])
def test_the_time_grows_with_the_length_and_not_faster(memory: Memory, filler: str) -> None:
    def merged(run: str) -> str:
        return standalone(f"{run}!", [Exchange(question=run, answer=f"{run}?")], memory)

    assert_linear(merged, filler * 300)


def test_a_first_question_is_left_alone(memory: Memory) -> None:
    assert standalone("and for films?", [], memory) == "and for films?"
