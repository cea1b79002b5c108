"""A question is vague only where nothing in it can be searched; what may be meant is offered."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from chat.adapters.offline.asking import LONGEST, MOST, WHAT, WHICH, Headings, ambiguity
from chat.adapters.offline.corpus import Documents
from chat.adapters.offline.reading import Memory, Reader
from chat.contracts.tasks import Exchange
from chat.contracts.verdicts import AmbiguityVerdict, Clarity
from tests.unit.adapters.offline import library

Judge = Callable[..., AmbiguityVerdict]


@pytest.fixture(scope="module")
def headings(memory: Memory, documents: Documents) -> Headings:
    return Headings(memory, documents)


@pytest.fixture
def judged(reader: Reader, documents: Documents, headings: Headings) -> Judge:
    def judge(question: str, *before: str) -> AmbiguityVerdict:
        history = [Exchange(question=text, answer="It is so [1].") for text in before]
        return ambiguity(reader.question(question), history, reader, documents, headings)

    return judge


@pytest.mark.parametrize(
    "question",
    [
        "tell me about it",
        "what about that one?",
        "I have a question",
        "it doesn't work",
        "can you help me with something",
        "and?",
        "?",
        "something is wrong",
    ],
)
def test_what_names_nothing_is_vague(judged: Judge, question: str) -> None:
    assert judged(question).label is Clarity.VAGUE


@pytest.mark.parametrize(
    "question",
    [
        "late fees",
        "card",
        "renew?",
        "fee",
        "how long can I keep it, the book",
        "something is wrong with my card",
        "error E310",
        "4711",
        "ask about IBM",
        "what about Anna Brown",
        "Xyzzy",
        "what is lib.catalogue",
        "how do I lend a novel out",
    ],
)
def test_what_can_be_searched_is_specific(judged: Judge, question: str) -> None:
    verdict = judged(question)

    assert verdict.label is Clarity.SPECIFIC
    assert verdict.options == ()
    assert verdict.reason


def test_a_vague_question_is_answered_by_a_question(judged: Judge) -> None:
    assert judged("tell me about it").question in (WHICH, WHAT)
    assert judged("tell me about it").question.endswith(".")


def test_after_an_earlier_question_its_neighbours_are_offered(judged: Judge) -> None:
    verdict = judged("tell me about it", "what does it cost to be late with a book")

    assert verdict.question == WHICH
    assert "Late fees" in verdict.options


def test_options_are_few_short_and_headings(headings: Headings, memory: Memory) -> None:
    chips = headings.near(memory.row("I lost my card"))

    assert 0 < len(chips) <= MOST
    assert all(len(chip) <= LONGEST for chip in chips)
    assert chips[0] == "Returning a lost card"


def test_a_long_heading_is_cut_at_a_word(memory: Memory, documents: Documents) -> None:
    long = "Returning a membership card that somebody else has found in the street"
    other = Documents("other", (long,), ("text",), documents.vectors[:1])
    (chip,) = Headings(memory, other).near(memory.row("found a membership card"))

    assert len(chip) <= LONGEST
    assert chip.startswith("Returning a membership card")


def test_what_is_far_from_every_heading_offers_none(headings: Headings, memory: Memory) -> None:
    assert (
        headings.near(memory.row("zzz qqq 9")) == () or len(headings.near(memory.row("x"))) <= MOST
    )


def test_without_documents_nothing_is_offered(memory: Memory) -> None:
    reader = Reader(memory, library.NOTHING)
    verdict = ambiguity(
        reader.question("tell me about it"),
        (),
        reader,
        library.NOTHING,
        Headings(memory, library.NOTHING),
    )

    assert (verdict.label, verdict.options, verdict.question) == (Clarity.VAGUE, (), WHAT)
