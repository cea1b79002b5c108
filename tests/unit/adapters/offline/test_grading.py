"""A passage answers when it holds what is asked for, about the thing that is asked about."""

from __future__ import annotations

import pytest

from chat.adapters.offline.grading import ANSWERS, SUPPORTS, grade
from chat.adapters.offline.reading import Reader
from chat.contracts.verdicts import Grade, GradeLabel
from tests.unit.adapters.offline import library


def _grade(reader: Reader, question: str, heading: str) -> Grade:
    read = reader.passage(library.passage(heading))
    return grade(reader, reader.question(question), read)


@pytest.mark.parametrize(
    ("question", "heading"),
    [
        ("How long can I keep a book?", "Loan periods"),
        ("how do i renew a loan", "Renewing a loan"),
        ("late fee per day", "Late fees"),
        ("is it free to join", "Joining the library"),
        ("lost my membership card", "Returning a lost card"),
        ("what is in a study room", "Booking a study room"),
        ("which floors are quiet", "Quiet floors"),
        ("hwo do i renwe a laon", "Renewing a loan"),
    ],
)
def test_the_passage_that_answers_is_told(reader: Reader, question: str, heading: str) -> None:
    assert _grade(reader, question, heading).label is GradeLabel.ANSWERS


@pytest.mark.parametrize(
    ("question", "heading"),
    [
        ("How long can I keep a book?", "Quiet floors"),
        ("late fee per day", "Booking a study room"),
        ("do you sell coffee", "Quiet floors"),
        ("who won the football match", "Loan periods"),
    ],
)
def test_a_passage_about_something_else_is_irrelevant(
    reader: Reader, question: str, heading: str
) -> None:
    assert _grade(reader, question, heading).label is GradeLabel.IRRELEVANT


@pytest.mark.parametrize(
    ("question", "heading"),
    [
        ("membership discount for pensioners", "Joining the library"),
        ("can i borrow a laptop", "Loan periods"),
        ("do study rooms have a piano", "Booking a study room"),
    ],
)
def test_a_near_miss_without_the_deciding_word_is_no_answer(
    reader: Reader, question: str, heading: str
) -> None:
    assert _grade(reader, question, heading).label is not GradeLabel.ANSWERS


def test_how_long_one_may_claim_is_not_how_long_the_money_takes(reader: Reader) -> None:
    passage = library.passage("Getting money back")
    claims_only = passage.model_copy(update={"text": passage.text.split(". ")[0] + "."})
    question = reader.question("How long does it take to get money back?")

    verdict = grade(reader, question, reader.passage(claims_only))

    assert verdict.label is GradeLabel.SUPPORTS
    assert "length of time" in verdict.reason
    assert grade(reader, question, reader.passage(passage)).label is GradeLabel.ANSWERS


def test_a_price_is_not_answered_by_a_passage_without_one(reader: Reader) -> None:
    verdict = _grade(reader, "what does renewing a loan cost", "Renewing a loan")

    assert verdict.label is GradeLabel.SUPPORTS
    assert verdict.reason == "It is about this, but holds no price for it."


def test_a_reason_names_the_word_that_is_missing(reader: Reader) -> None:
    verdict = _grade(reader, "membership discount for pensioners", "Joining the library")

    assert "pensioners" in verdict.reason


def test_a_reason_quotes_the_sentence_that_answers(reader: Reader) -> None:
    verdict = _grade(reader, "How long can I keep a book?", "Loan periods")

    assert "lent for 21 days" in verdict.reason


@pytest.mark.parametrize(
    "question", ["", "?!", "how and why", "a " * 300, "本をどのくらい借りられますか"]
)
def test_any_question_gets_a_verdict_that_fits_its_score(reader: Reader, question: str) -> None:
    verdict = _grade(reader, question, "Loan periods")

    assert verdict.score is not None
    assert 0 <= verdict.score <= 1
    assert (verdict.label is GradeLabel.ANSWERS) == (verdict.score >= ANSWERS)
    assert (verdict.label is GradeLabel.IRRELEVANT) == (verdict.score < SUPPORTS)


def test_a_passage_without_a_sentence_is_graded_all_the_same(reader: Reader) -> None:
    empty = library.passage("Loan periods").model_copy(update={"text": "—"})

    verdict = grade(reader, reader.question("how long are loans"), reader.passage(empty))

    assert verdict.label is not GradeLabel.ANSWERS


TERMS = (
    "Terms of the reading circle. The circle meets on Mondays. Each member pays 12 euros a year, "
    "due in March. Coffee is included."
)


@pytest.mark.parametrize("question", ["what do I have to pay", "What does this document say?"])
def test_a_file_of_the_person_is_what_their_question_is_about(
    reader: Reader, question: str
) -> None:
    passage = library.passage("Late fees").model_copy(
        update={"text": TERMS, "title": "terms.txt", "heading": ""}
    )
    own = passage.model_copy(update={"document": "attachment:1", "chunk": "attachment:1#1"})
    asked = reader.question(question)

    assert grade(reader, asked, reader.passage(own)).label is GradeLabel.ANSWERS
    assert grade(reader, asked, reader.passage(passage)).label is not GradeLabel.ANSWERS


def test_a_file_of_the_person_does_not_answer_everything(reader: Reader) -> None:
    own = library.passage("Late fees").model_copy(
        update={"text": TERMS, "title": "terms.txt", "document": "attachment:1"}
    )
    verdict = grade(reader, reader.question("who won the football match"), reader.passage(own))
    assert verdict.label is not GradeLabel.ANSWERS


@pytest.mark.parametrize(
    "question", ["What does this file say?", "Summarise this document", "can you explain my letter"]
)
def test_a_question_for_all_of_a_file_is_answered_by_the_file_alone(
    reader: Reader, question: str
) -> None:
    page = library.passage("Quiet floors")
    own = page.model_copy(update={"document": "attachment:1"})
    asked = reader.question(question)
    assert grade(reader, asked, reader.passage(own)).label is GradeLabel.ANSWERS
    assert grade(reader, asked, reader.passage(page)).label is not GradeLabel.ANSWERS
