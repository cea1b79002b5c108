"""An answer is made of whole sentences of the passages, each with its marker, the best first."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chat.adapters.offline.composing import MOST, NOTHING, compose
from chat.adapters.offline.reading import Reader
from chat.adapters.offline.text import sentences
from chat.contracts.passages import Passage
from chat.contracts.tasks import AnswerTask
from tests.unit.adapters.offline import library

HEADINGS = [heading for _, heading in library.SECTIONS]
CITED = re.compile(r"(?:^|\s|- )([^\[\]]+?) \[(\d+)\]([.!?]?)")


def _answer(reader: Reader, question: str, *headings: str, gaps: tuple[str, ...] = ()) -> str:
    passages = tuple(map(library.passage, headings))
    return compose(AnswerTask(question=question, passages=passages, gaps=gaps), reader)


def _sentences(answer: str) -> list[tuple[str, int]]:
    """The sentences of an answer, whole, with the passage that each names."""
    lines = answer.replace("\n- ", "\n").removeprefix("- ")
    return [(text.strip() + end, int(marker)) for text, marker, end in CITED.findall(lines)]


def test_the_direct_answer_comes_first(reader: Reader) -> None:
    answer = _answer(reader, "how much does a new card cost", "Returning a lost card")

    assert answer.startswith("A new card costs 5 euros [1].")


def test_a_yes_or_no_starts_with_what_the_passage_says(reader: Reader) -> None:
    answer = _answer(reader, "can a loan be renewed twice", "Renewing a loan")

    assert answer.startswith("A loan can be renewed up to three times [1].")


def test_how_long_it_takes_is_not_answered_with_a_limit(reader: Reader) -> None:
    answer = _answer(reader, "how long does it take to get money back", "Getting money back")

    assert answer.startswith("Once a claim is approved, the money arrives")


def test_a_sentence_that_leans_on_the_one_before_it_does_not_come_alone(reader: Reader) -> None:
    answer = _answer(reader, "can I renew when somebody else waits", "Renewing a loan")
    found = [text for text, _ in _sentences(answer)]
    at = next(place for place, text in enumerate(found) if text.startswith("It cannot"))

    assert found[at - 1] == "A loan can be renewed up to three times."


def test_a_list_stays_a_list(reader: Reader) -> None:
    answer = _answer(reader, "is there a whiteboard in a study room", "Booking a study room")

    assert "\n- a whiteboard [1]" in answer or answer.startswith("- a whiteboard [1]")
    assert answer.count("\n- ") + answer.startswith("- ") == 3


def test_a_number_in_brackets_in_the_document_is_no_marker(reader: Reader) -> None:
    passage = library.passage("Late fees").model_copy(
        update={"text": "A late fee is due [2] [^3]."}
    )
    answer = compose(AnswerTask(question="late fee", passages=(passage,)), reader)

    assert answer == "A late fee is due (2) (^3) [1]."


def test_passages_are_not_mixed(reader: Reader) -> None:
    answer = _answer(reader, "late fees and lost cards, what do they cost", *HEADINGS[2:5])
    markers = [marker for _, marker in _sentences(answer)]

    assert markers == sorted(markers, key=markers.index)
    assert len(set(markers)) > 1


def test_what_two_passages_say_alike_is_said_once(reader: Reader) -> None:
    one = library.passage("Late fees")
    other = one.model_copy(update={"chunk": "copy"})
    answer = compose(AnswerTask(question="what is the late fee", passages=(one, other)), reader)

    assert "[2]" not in answer


def test_a_gap_is_said_plainly(reader: Reader) -> None:
    answer = _answer(reader, "late fee", "Late fees", gaps=("what a book costs?",))

    assert answer.endswith("\n\nThe documents do not say: what a book costs.")


def test_without_passages_it_says_that_there_is_nothing(reader: Reader) -> None:
    assert _answer(reader, "late fee") == NOTHING


def test_the_same_task_gives_the_same_answer(reader: Reader) -> None:
    assert _answer(reader, "late fee", *HEADINGS) == _answer(reader, "late fee", *HEADINGS)


@pytest.mark.parametrize("question", ["how long", "late fee", "?", "where is the desk"])
@settings(max_examples=20)
@given(headings=st.lists(st.sampled_from(HEADINGS), min_size=1, max_size=4, unique=True))
def test_every_sentence_is_one_of_the_passage_that_it_names(
    reader: Reader, question: str, headings: list[str]
) -> None:
    passages = [library.passage(heading) for heading in headings]
    found = _sentences(_answer(reader, question, *headings))

    assert found
    for text, marker in found:
        assert text in _whole(passages[marker - 1])


@settings(max_examples=20)
@given(headings=st.lists(st.sampled_from(HEADINGS), min_size=1, max_size=5, unique=True))
def test_an_answer_is_short_and_says_nothing_twice(reader: Reader, headings: list[str]) -> None:
    found = _sentences(_answer(reader, "what does it cost to be late", *headings))

    assert len(found) <= MOST + 3  # the items of the one list come together
    assert len(set(found)) == len(found)


def _whole(passage: Passage) -> set[str]:
    return {sentence.text for sentence in sentences(passage.text)}
