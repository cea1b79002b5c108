"""Only an answer that passed its checks goes into the history of the next question."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from chat import turns
from chat.contracts.events import Answer
from chat.contracts.verdicts import Confidence, Termination
from chat.identity import Person
from chat.models import Message, Turn
from tests import factories

pytestmark = pytest.mark.django_db

KEPT = (Termination.ANSWERED, Termination.ANSWERED_WITH_CAVEAT)
GAP = Answer(text="It is three weeks [1].", gaps=("the fee",), confidence=Confidence.HIGH)
UNSUPPORTED = Answer(
    text="It is three weeks [1]. Films are free.",
    caveats=("No source was found for: Films are free.",),
    confidence=Confidence.MEDIUM,
)


@pytest.fixture
def visitor() -> Person:
    return Person(visitor=uuid4())


@pytest.fixture
def talk(visitor: Person) -> Any:
    return factories.conversation(visitor=visitor.visitor)


def _said(talk: Any, question: str, termination: Termination, answer: Answer | None = None) -> Turn:
    """A turn that ended, with its answer as the conversation's leaf."""
    turn: Turn = factories.turn(
        talk, question, status=Turn.Status.FINISHED, termination=termination
    )
    given = answer or Answer(text=f"About {question}")
    factories.store(factories.events([given], turn=turn.pk))
    talk.selected_leaf = Message.objects.create(
        conversation=talk,
        parent=turn.question,
        author=Message.Author.AGENT,
        text=given.text,
        turn=turn,
    )
    talk.save()
    return turn


def _history(talk: Any, visitor: Person) -> list[str]:
    begun = turns.start(visitor, talk.pk, "And for films?", uuid4())
    return [exchange.question for exchange in begun.history]


@pytest.mark.parametrize("termination", [end for end in Termination if end not in KEPT])
def test_an_answer_that_did_not_pass_goes_into_no_history(
    talk: Any, visitor: Person, termination: Termination
) -> None:
    _said(talk, "How long is a loan?", Termination.ANSWERED)
    _said(talk, "Is it free?", termination)

    assert _history(talk, visitor) == ["How long is a loan?"]


def test_an_answer_whose_caveat_is_only_a_gap_is_history(talk: Any, visitor: Person) -> None:
    _said(talk, "How long is a loan, and the fee?", Termination.ANSWERED_WITH_CAVEAT, GAP)

    assert _history(talk, visitor) == ["How long is a loan, and the fee?"]


def test_an_answer_with_claims_that_nothing_supports_is_no_history(
    talk: Any, visitor: Person
) -> None:
    _said(talk, "How long is a loan?", Termination.ANSWERED_WITH_CAVEAT, UNSUPPORTED)

    assert _history(talk, visitor) == []


@pytest.mark.parametrize("confidence", [Confidence.MEDIUM, Confidence.LOW])
def test_a_doubt_that_was_not_shown_keeps_an_answer_out_too(
    talk: Any, visitor: Person, confidence: Confidence
) -> None:
    """Somebody in distress is shown no caveat, but the next question must not build on it."""
    unsure = GAP.model_copy(update={"confidence": confidence})
    _said(talk, "How long is a loan?", Termination.ANSWERED_WITH_CAVEAT, unsure)

    assert _history(talk, visitor) == []


def test_a_turn_that_never_answered_is_no_history(talk: Any, visitor: Person) -> None:
    _said(talk, "How long is a loan?", Termination.ANSWERED)
    factories.turn(talk, "Is it free?", status=Turn.Status.FINISHED)

    assert _history(talk, visitor) == ["How long is a loan?"]


def test_the_history_is_the_last_five_oldest_first(talk: Any, visitor: Person) -> None:
    for number in range(7):
        _said(talk, f"Question {number}?", Termination.ANSWERED)

    assert _history(talk, visitor) == [f"Question {number}?" for number in range(2, 7)]


def test_a_long_conversation_without_answers_costs_no_more_queries(
    talk: Any, visitor: Person, django_assert_max_num_queries: Any
) -> None:
    """Small talk and failures go into no history, and are not fetched one by one."""
    for number in range(20):
        _said(talk, f"Hello {number}", Termination.GREETED)
    with django_assert_max_num_queries(25):
        assert _history(talk, visitor) == []
