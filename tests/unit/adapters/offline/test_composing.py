"""An answer is made of whole sentences of the passages, each with its marker, the best first."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chat.adapters.offline.answering import KINDLY, draft
from chat.adapters.offline.composing import MOST, MOST_DETAILED, NOTHING, compose
from chat.adapters.offline.reading import Reader
from chat.adapters.offline.text import sentences
from chat.contracts.passages import Passage
from chat.contracts.tasks import AnswerTask
from chat.contracts.verdicts import Mode, Supports
from chat.guardrails.evidence import bind_citations
from chat.guardrails.generation import split
from chat.guardrails.untrusted.sentences import MARK
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


TWO = "how much are late fees and how do I book a study room?"


def test_each_thing_that_was_asked_for_gets_its_sentences(reader: Reader) -> None:
    answer = _answer(reader, TWO, "Late fees", "Booking a study room", "Quiet floors")
    first, *others = answer.split("\n\n")

    assert "0.30 euros" in first
    assert any("can be booked under Rooms" in paragraph for paragraph in others)


def test_things_in_one_passage_are_told_one_after_the_other(reader: Reader) -> None:
    question = "how long are films lent? are new magazines lent?"
    answer = _answer(reader, question, "Loan periods")

    assert answer.index("films for 7 days") < answer.index("New magazines")
    assert answer.count("New magazines") == 1


def test_a_thing_that_was_not_found_is_a_gap_and_gets_no_sentence(reader: Reader) -> None:
    gap = "how do I book a study room?"
    answer = _answer(reader, TWO, "Late fees", "Quiet floors", gaps=(gap,))

    assert "Telephones" not in answer
    assert answer.endswith("The documents do not say: how do I book a study room.")


def test_a_claim_that_nothing_supports_is_left_out_of_the_next_draft(reader: Reader) -> None:
    passages = (library.passage("Late fees"),)
    first = compose(AnswerTask(question="what is the late fee", passages=passages), reader)
    wrong = split(first)[:1]
    task = AnswerTask(question="what is the late fee", passages=passages, wrong=wrong)

    assert wrong[0] in split(first)
    assert wrong[0] not in split(compose(task, reader))


def test_when_all_is_wrong_it_says_that_there_is_nothing(reader: Reader) -> None:
    passages = (library.passage("Late fees"),)
    everything = split(passages[0].text)
    task = AnswerTask(question="what is the late fee", passages=passages, wrong=everything)

    assert compose(task, reader) == NOTHING


def test_what_leaned_on_a_wrong_sentence_does_not_break_the_answer(reader: Reader) -> None:
    passages = (library.passage("Renewing a loan"),)
    wrong = ("A loan can be renewed up to three times.",)
    question = "can I renew when somebody else waits"
    answer = compose(AnswerTask(question=question, passages=passages, wrong=wrong), reader)

    assert wrong[0].rstrip(".") not in answer
    assert "[1]" in answer


def test_a_detailed_answer_says_more(reader: Reader) -> None:
    passages = tuple(map(library.passage, HEADINGS))
    short, detailed = (
        _sentences(compose(AnswerTask(question="loans", passages=passages, mode=mode), reader))
        for mode in (Mode.STANDARD, Mode.DETAILED)
    )

    assert len(short) < len(detailed) <= MOST_DETAILED + 3


def test_somebody_in_distress_gets_one_kind_sentence_first(reader: Reader) -> None:
    passages = (library.passage("Late fees"),)
    task = AnswerTask(question="what is the late fee", passages=passages, mode=Mode.SUPPORTIVE)
    text = draft(task, reader).text
    bound = bind_citations(text, passages)

    assert text == f"{KINDLY}\n\n{compose(task, reader)}"
    assert bound.text == text
    assert [citation.supports for citation in bound.citations] == [Supports.YES]
    assert not any(KINDLY in claim for claim in split(text))


def test_a_passage_that_is_skipped_keeps_its_number(reader: Reader) -> None:
    passages = (library.passage("Quiet floors"), library.passage("Late fees"))
    task = AnswerTask(question="what is the late fee", passages=passages)
    answer = compose(task, reader, skip={passages[0].chunk})

    assert {marker for _, marker in _sentences(answer)} == {2}


def test_one_that_is_the_most_of_all_is_told_alone(reader: Reader) -> None:
    rooms = library.passage("Booking a study room").model_copy(
        update={
            "text": "The Nook is the cheapest room: it costs 2 euros an hour. The Hall costs 9 "
            "euros an hour. The Attic costs 5 euros an hour. The Cellar costs 4 euros an hour."
        }
    )

    def said(question: str, mode: Mode = Mode.STANDARD) -> str:
        return compose(AnswerTask(question=question, passages=(rooms,), mode=mode), reader)

    assert said("what does the cheapest room cost") == (
        "The Nook is the cheapest room: it costs 2 euros an hour [1]."
    )
    assert "Attic" in said("what does the cheapest room cost", Mode.DETAILED)
    assert "Attic" in said("what do the rooms cost")


def test_who_asks_for_all_of_a_file_gets_it_from_its_beginning(reader: Reader) -> None:
    page = library.passage("Quiet floors")
    own = library.passage("Late fees").model_copy(update={"document": "attachment:1"})
    asked = AnswerTask(question="What does this file say?", passages=(page, own))

    said = _sentences(compose(asked, reader))

    first = [sentence.text.rstrip(".!?") for sentence in sentences(own.text)][:MOST]
    assert [text.rstrip(".!?") for text, _ in said] == first
    assert {marker for _, marker in said} == {2}


def test_who_asks_for_all_without_a_file_gets_what_the_pages_say(reader: Reader) -> None:
    page = library.passage("Quiet floors")
    asked = AnswerTask(question="What does this document say?", passages=(page,))
    assert {marker for _, marker in _sentences(compose(asked, reader))} == {1}


def test_where_an_instruction_was_taken_out_nothing_is_cited(reader: Reader) -> None:
    own = library.passage("Late fees").model_copy(
        update={"document": "attachment:1", "text": f"Notes.\n\n{MARK}\n\nThe fee is 3 euros."}
    )
    asked = AnswerTask(question="What does this file say?", passages=(own,))
    assert compose(asked, reader) == "Notes [1]. The fee is 3 euros [1]."
