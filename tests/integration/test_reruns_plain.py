"""A re-run without a change of whatever a person asked calls nothing and flips nothing."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import pytest

from chat import wiring
from chat.files import File, digest
from chat.models import Rerun
from chat.reruns.making import facts_of
from chat.retrieval.attached_text import PREFIX
from tests.corpus import take_in_the_handbook
from tests.rerunning import again, asked, models

pytestmark = pytest.mark.django_db(transaction=True)

QUESTIONS = (
    "How long does a refund take?",
    "hi there",
    "What is the weather like in Lisbon?",
    "my serverr is down pls help ERR_CONNECTION_REFUSED",
    "How do I export my data after cancelling, and what does a backup cost?",
    "Do you give a discount to students?",
    "What is DNS?",
    "I was charged twice, should I sue my bank?",
)


@pytest.fixture(autouse=True)
def handbook() -> Iterator[None]:
    take_in_the_handbook()
    wiring.router().prepare()  # what ran out of time has nothing to give again
    yield


@pytest.mark.parametrize("question", QUESTIONS)
def test_nothing_is_called_and_nothing_comes_out_otherwise(question: str) -> None:
    source = asked(question)
    rerun = again(source)
    assert (rerun.flips, rerun.called) == ([], 0)
    assert models(rerun, reused=True) == source.model_calls
    assert rerun.turn is not None
    assert rerun.turn.question.text == source.question.text


def test_what_was_said_before_is_heard_again() -> None:
    talk = uuid4()
    asked("How long does a refund take?", where=talk)
    source = asked("And how do I ask for one?", where=talk)
    asked("Thank you", where=talk)
    rerun = again(source)
    assert (rerun.flips, rerun.called) == ([], 0)


def test_a_question_back_is_answered_at_once_from_the_record() -> None:
    source = asked("How long does it take?", "A refund to my card")
    assert source.asked_back == 1
    rerun = again(source)
    assert (rerun.flips, rerun.called) == ([], 0)
    assert rerun.turn is not None
    assert rerun.turn.status == "finished"


def test_a_file_that_came_with_the_question_is_searched_again() -> None:
    text = "The notice period of this contract is four weeks to the end of a month."
    file = File("document", "plan.txt", "text/plain", len(text), digest(text.encode()), text=text)
    source = asked("What is the notice period in my contract?", files=[file])
    rerun = again(source)
    assert (rerun.flips, rerun.called) == ([], 0)
    wider = again(source, retrieval="lexical")
    assert any(chunk.startswith(PREFIX) for chunk in _found(wider))


def _found(rerun: Rerun) -> list[str]:
    assert rerun.turn is not None
    passes = facts_of(rerun.turn)["passes"]
    return [hit["chunk"] for each in passes for hit in each["chunks"]]
