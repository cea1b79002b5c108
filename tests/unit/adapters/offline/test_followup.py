"""A follow-up takes what it leaves out from the question before it."""

from __future__ import annotations

import pytest

from chat.adapters.offline.followup import standalone
from chat.adapters.offline.reading import Memory
from chat.contracts.tasks import Exchange


def _asked(*questions: str) -> list[Exchange]:
    return [Exchange(question=question, answer="It says so [1].") for question in questions]


@pytest.mark.parametrize(
    ("before", "question", "expected"),
    [
        ("How long is a loan?", "and for films?", "How long is a loan for films?"),
        ("How long is a loan?", "ok, and for films", "How long is a loan for films?"),
        ("fine for late books", "what about films", "fine for late films?"),
        ("Is the fee lower for Anna?", "or Ben?", "Is the fee lower for Ben?"),
        ("how do I renew a loan", "how long does it take", "how long does renew a loan take"),
        ("what does a new card cost", "where do I get it?", "where do I get new card?"),
        ("is there a study room", "can i book that", "can i book study room"),
        ("how do I renew a loan", "tell me more", "how do I renew a loan"),
        ("how do I renew a loan", "how much?", "how much: renew a loan"),
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
    ],
)
def test_a_question_that_stands_by_itself_is_left_alone(memory: Memory, question: str) -> None:
    assert standalone(question, _asked("how do I renew a loan"), memory) == question


def test_a_follow_up_of_a_follow_up_still_knows_the_thing(memory: Memory) -> None:
    history = _asked("how do I renew a loan", "how long does it take")

    assert standalone("is it free?", history, memory) == "is renew a loan free?"


def test_a_first_question_is_left_alone(memory: Memory) -> None:
    assert standalone("and for films?", [], memory) == "and for films?"
