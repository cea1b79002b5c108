"""A word that points back stands for what was spoken of: a person, several, a place, a thing."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from chat.adapters.offline.followup_focus import Turn
from chat.adapters.offline.followup_pointers import after, resolved


def _past(*said: tuple[str, str]) -> list[Turn]:
    past: list[Turn] = []
    for question, answer in said:
        past.append(after(question, resolved(question, past), answer, past))
    return past


def _told(text: str, said: Sequence[tuple[str, str]]) -> str:
    return resolved(text, _past(*said))


@pytest.mark.parametrize(
    ("before", "text", "expected"),
    [
        ("When was Ada Finch born?", "where did she live?", "where did Ada Finch live?"),
        ("When was Ada Finch born?", "who was her teacher?", "who was Ada Finch's teacher?"),
        ("What do grey owls eat?", "where do they live?", "where do grey owls live?"),
        ("What do grey owls eat?", "what are their enemies?", "what are grey owls' enemies?"),
        ("Is the archive in Lisbon?", "what does a stay there cost?", "what does a stay in Lisbon "
         "cost?"),
        ("What is a reading card?", "does it expire?", "does a reading card expire?"),
        ("What are the symptoms of flu?", "how long does it last?", "how long does flu last?"),
        ("What was the purpose of the Arctic expedition?", "Who led the expedition?",
         "Who led the Arctic expedition?"),
        ("What is lung fever?", "What are the symptoms?", "What are the symptoms of lung fever?"),
        ("How do I renew a loan?", "can I do that by phone?", "can I renew a loan by phone?"),
    ],
)  # fmt: skip
def test_it_takes_the_thing_of_its_kind(before: str, text: str, expected: str) -> None:
    assert _told(text, [(before, "")]) == expected


def test_what_was_spoken_of_stays_while_other_things_pass_by() -> None:
    said = [("What is the reading card?", ""), ("How does age affect it?", "")]

    assert _told("what does it cost?", said) == "what does the reading card cost?"


def test_the_last_question_goes_before_what_its_answer_names() -> None:
    said = [("When was Ada Finch born?", "Her brother Tom Finch was born in 1901 [1].")]

    assert _told("where did she live?", said) == "where did Ada Finch live?"


def test_a_question_that_wanted_a_name_hands_on_the_one_it_was_given() -> None:
    who = [("Who founded Larkspur?", "Ada Finch founded it in 1999 [1].")]
    which = [("Which plan includes backups?", "The Pro plan includes backups [1].")]

    assert _told("where did she live?", who) == "where did Ada Finch live?"
    assert _told("what does it cost?", which) == "what does the Pro plan cost?"


def test_a_name_is_given_in_full_as_it_was_before() -> None:
    said = [("Who was Ada Finch?", ""), ("When did Finch move?", "")]

    assert _told("why did she go?", said) == "why did Ada Finch go?"


@pytest.mark.parametrize(
    "text",
    [
        "is it possible to pay later",
        "What is a loan and where is it kept?",
        "Are there any fees?",
        "Is there one that is free?",
        "Does the city archive lend its maps?",
        "how much does it cost to fix a book?",
        "Is it going to rain today?",
        "I know that the desk is closed.",
    ],
)
def test_what_points_at_nothing_before_stays(text: str) -> None:
    assert _told(text, [("How do I renew a card?", "By phone [1].")]) == text


def test_without_anything_before_nothing_is_put_in() -> None:
    assert resolved("what does it cost?", []) == "what does it cost?"
    assert _told("where did she go?", [("why?", "I cannot say.")]) == "where did she go?"
