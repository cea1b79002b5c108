"""Claims that code left open against passages: the words of both decide, and in which order."""

from __future__ import annotations

import pytest

from chat.adapters.offline import answering
from chat.adapters.offline.checking import ENOUGH, check, support
from chat.adapters.offline.reading import Reader
from chat.contracts.passages import Passage
from chat.contracts.tasks import AnswerTask, CheckTask
from chat.contracts.verdicts import Basis, ClaimVerdict, Mode
from chat.guardrails import bands, generation
from tests.unit.adapters.offline import library

HEADINGS = [heading for _, heading in library.SECTIONS]
FEES, LOANS = library.passage("Late fees"), library.passage("Loan periods")
CARDS, FLOORS = library.passage("Returning a lost card"), library.passage("Quiet floors")
SHELF = (FEES, LOANS, CARDS, FLOORS)


def _task(*claims: str, question: str = "late fee", passages: tuple[Passage, ...]) -> CheckTask:
    return CheckTask(question=question, draft=" ".join(claims), claims=claims, passages=passages)


def _checked(reader: Reader, *claims: str, question: str = "late fee") -> tuple[ClaimVerdict, ...]:
    return check(_task(*claims, question=question, passages=SHELF), reader)


@pytest.mark.parametrize(
    ("claim", "passages"),
    [
        ("An item that is late costs 0.30 euros each day.", (1,)),
        ("Films are lent for 7 days.", (2,)),
        ("A new membership card costs 5 euros.", (3,)),
        ("The second floor and the third floor are quiet.", (4,)),
    ],
)
def test_the_same_in_other_words_is_supported_by_the_passage_it_stands_in(
    reader: Reader, claim: str, passages: tuple[int, ...]
) -> None:
    (verdict,) = _checked(reader, claim)

    assert (verdict.supported, verdict.basis, verdict.by) == (True, Basis.SOURCE, "judge")
    assert verdict.passages == passages
    assert "alike to" in verdict.reason


@pytest.mark.parametrize(
    "claim",
    [
        "Wheelchairs are kept beside the entrance.",
        "The roof garden opens when the sun shines.",
        "Visitors may bring small dogs into every room.",
    ],
)
def test_what_no_passage_speaks_of_is_not_supported(reader: Reader, claim: str) -> None:
    (verdict,) = _checked(reader, claim)

    assert (verdict.supported, verdict.basis, verdict.by) == (False, Basis.NONE, "judge")
    assert verdict.passages == ()


def test_words_that_stand_there_in_another_order_are_worth_less(reader: Reader) -> None:
    same, turned = support(
        _task(
            "Children under 14 pay no late fees.",
            "No fees under pay 14 late children.",
            passages=SHELF,
        ),
        reader,
    )
    assert same > turned


def test_all_figures_have_to_stand_in_one_passage(reader: Reader) -> None:
    (verdict,) = _checked(reader, "Each day that a film is late costs 0.30 euros after 7 days.")

    assert (verdict.supported, verdict.reason) == (False, "its figures stand in no one passage")


@pytest.mark.parametrize(
    ("claim", "question"),
    [
        ("Each day that an item is late costs 45 euros.", "does each late day cost 45 euros?"),
        ("Each day that an item is late costs sixty euros.", "are sixty euros right?"),
    ],
)
def test_a_figure_that_only_the_question_brought_is_not_believed(
    reader: Reader, claim: str, question: str
) -> None:
    (verdict,) = _checked(reader, claim, question=question)

    assert verdict.supported is False
    assert verdict.reason.startswith("only the question says")


def test_what_is_denied_where_nothing_is_denied_is_not_believed(reader: Reader) -> None:
    task = _task("A new card doesn't cost 5 euros.", passages=(CARDS,))
    (verdict,) = check(task, reader)

    assert (verdict.supported, verdict.reason) == (
        False,
        "it denies something, and no passage does",
    )


def test_without_passages_nothing_is_supported(reader: Reader) -> None:
    (verdict,) = check(_task("Fees are low.", passages=()), reader)

    assert verdict.supported is False
    assert verdict.reason == "there is no passage to hold it against"


def test_without_claims_there_is_nothing_to_say(reader: Reader) -> None:
    assert check(_task(passages=SHELF), reader) == ()
    assert check(_task(passages=()), reader) == ()


def test_every_claim_gets_one_verdict_in_its_place(reader: Reader) -> None:
    claims = ("Films are lent for 7 days.", "It rains.", "Films are lent for 7 days.", "?")
    verdicts = _checked(reader, *claims)

    assert [verdict.text for verdict in verdicts] == list(claims)
    assert [verdict.supported for verdict in verdicts[:3]] == [True, False, True]


def test_what_it_weighs_is_what_it_decides_by(reader: Reader) -> None:
    claims = ("Films are lent for 7 days.", "A card is printed.", "It rains.", "It costs 45 euros.")
    task = _task(*claims, question="45?", passages=SHELF)
    weights = support(task, reader)

    assert all(0 <= weight <= 1 for weight in weights)
    assert [verdict.supported for verdict in check(task, reader)] == [
        weight >= ENOUGH for weight in weights
    ]


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
def test_an_answer_of_the_passages_own_sentences_is_fully_supported_by_code_and_judge(
    reader: Reader, question: str, mode: Mode
) -> None:
    passages = tuple(map(library.passage, HEADINGS))
    task = AnswerTask(question=question, passages=passages, gaps=("the weather?",), mode=mode)
    draft = answering.draft(task, reader).text
    proved = generation.verify(draft, passages, question)
    left = tuple(claim.text for claim in bands.undecided(proved))
    judged = check(
        CheckTask(question=question, draft=draft, claims=left, passages=passages), reader
    )

    assert proved
    assert bands.unsupported((*proved, *judged)) == ()
