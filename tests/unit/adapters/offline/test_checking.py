"""Claims against passages: code decides what it can, the words of both decide the rest."""

from __future__ import annotations

import pytest

from chat.adapters.offline import answering
from chat.adapters.offline.checking import check
from chat.adapters.offline.reading import Reader
from chat.contracts.tasks import AnswerTask, CheckTask
from chat.contracts.verdicts import Basis, ClaimVerdict, Mode
from tests.unit.adapters.offline import library

HEADINGS = [heading for _, heading in library.SECTIONS]
FEES, LOANS = library.passage("Late fees"), library.passage("Loan periods")


def _checked(reader: Reader, draft: str, question: str = "late fee") -> tuple[ClaimVerdict, ...]:
    return check(CheckTask(question=question, draft=draft, passages=(FEES, LOANS)), reader)


def test_a_quotation_is_supported_by_code(reader: Reader) -> None:
    (verdict,) = _checked(reader, "Children under 14 pay no late fees [1].")

    assert (verdict.supported, verdict.basis, verdict.by) == (True, Basis.QUOTATION, "code")


@pytest.mark.parametrize(
    "draft",
    ["An item that is late costs 0.30 euros a day [1].", "Films are lent for 7 days [2]."],
)
def test_the_same_in_other_order_is_supported_by_its_source(reader: Reader, draft: str) -> None:
    (verdict,) = _checked(reader, draft)

    assert (verdict.supported, verdict.basis, verdict.by) == (True, Basis.SOURCE, "judge")
    assert "of its words stand in" in verdict.reason


@pytest.mark.parametrize(
    "draft",
    ["Wheelchairs are kept beside the entrance.", "The roof garden opens when the sun shines."],
)
def test_what_no_passage_speaks_of_is_not_supported(reader: Reader, draft: str) -> None:
    (verdict,) = _checked(reader, draft)

    assert (verdict.supported, verdict.basis, verdict.by) == (False, Basis.NONE, "judge")


def test_all_figures_have_to_stand_in_one_passage(reader: Reader) -> None:
    (verdict,) = _checked(reader, "Each day that a film is late costs 0.30 euros after 7 days.")

    assert verdict.supported is False


def test_a_figure_in_words_counts_as_one(reader: Reader) -> None:
    (verdict,) = _checked(reader, "Each day that an item is late costs sixty euros.")

    assert verdict.supported is False


def test_a_figure_of_the_question_is_not_enough(reader: Reader) -> None:
    draft = "Each day that an item is late costs 45 euros."
    (verdict,) = _checked(reader, draft, "does each late day cost 45 euros?")

    assert (verdict.supported, verdict.by) == (False, "judge")


def test_without_passages_nothing_is_supported(reader: Reader) -> None:
    (verdict,) = check(CheckTask(question="fee", draft="Fees are low.", passages=()), reader)

    assert verdict.supported is False
    assert verdict.reason == "there is no passage to hold it against"


def test_courtesies_and_gaps_are_not_judged(reader: Reader) -> None:
    assert _checked(reader, "You are welcome.\n\nThe documents do not say: what it costs.") == ()


@pytest.mark.parametrize("mode", [Mode.STANDARD, Mode.DETAILED, Mode.SUPPORTIVE])
@pytest.mark.parametrize(
    "question",
    [
        "how long can i keep a book",
        "what are the late fees and how do I book a study room",
        "what is in a study room",
        "can I phone on the second floor",
        "how do I get money back for a lost card",
    ],
)
def test_an_answer_of_the_passages_own_sentences_is_fully_supported(
    reader: Reader, question: str, mode: Mode
) -> None:
    passages = tuple(map(library.passage, HEADINGS))
    task = AnswerTask(question=question, passages=passages, gaps=("the weather?",), mode=mode)
    draft = answering.draft(task, reader).text
    verdicts = check(CheckTask(question=question, draft=draft, passages=passages), reader)

    assert verdicts
    assert [verdict for verdict in verdicts if verdict.supported is not True] == []
