"""A reply to the assistant's own question is merged with what was asked before."""

from __future__ import annotations

import pytest

from chat.adapters.offline.followup import standalone
from chat.adapters.offline.followup_replies import is_question, is_yes, merged, question_in
from chat.adapters.offline.reading import Memory
from chat.contracts.tasks import Exchange
from chat.guardrails.output import UNSURE_TOPIC
from chat.guardrails.questions.vagueness import QUESTION as NAME_IT

TERM = "How long is a loan?"


@pytest.mark.parametrize(
    ("before", "asked", "reply", "expected"),
    [
        (TERM, "What is it for?", "films", "How long is a loan for films?"),
        (TERM, "What is it for?", "For films, please.", "How long is a loan For films?"),
        (TERM, "Which branch is it in?", "Old Harbour", "How long is a loan in Old Harbour?"),
        (TERM, "When does it begin?", "Monday", "How long is a loan on Monday?"),
        (TERM, "When does it begin?", "3pm", "How long is a loan at 3pm?"),
        (TERM, "When does it begin?", "tomorrow", "How long is a loan tomorrow?"),
        (TERM, "Which card is it?", "I'm on the family card", "How long is a loan for the family "
         "card?"),
        (TERM, "Is it for a book or a film?", "the second one", "How long is a loan for a film?"),
        (TERM, "Do you mean a book, a map or a film?", "the last", "How long is a loan for a "
         "film?"),
        (TERM, "Which plan are you on?", "Family", "How long is a loan on Family?"),
        (TERM, "Did you mean a film loan?", "yes", "How long is a loan for a film loan?"),
        ("book a room", "On which day?", "Monday at 3pm", "book a room on Monday at 3pm"),
        ("loan", "What of it?", "renewing a loan", "renewing a loan"),
    ],
)  # fmt: skip
def test_a_detail_goes_into_the_question(
    before: str, asked: str, reply: str, expected: str
) -> None:
    assert merged(reply, before, asked) == expected


@pytest.mark.parametrize("asked", [NAME_IT, UNSURE_TOPIC])
@pytest.mark.parametrize(
    ("before", "reply", "expected"),
    [
        ("tell me about it", "loans", "tell me about loans"),
        ("help", "loans", "Tell me about loans"),
        ("it does not work", "my card", "my card does not work"),
        ("how long does it take?", "a renewal", "how long does a renewal take?"),
        ("I have a problem", "my card is lost", "my card is lost"),
        ("tell me about it", "How long is a loan?", "How long is a loan?"),
        ("tell me about it", "yes", "tell me about it"),
    ],
)
def test_a_question_that_says_nothing_is_carried_by_the_reply(
    memory: Memory, asked: str, before: str, reply: str, expected: str
) -> None:
    assert standalone(reply, [Exchange(question=before, answer=asked)], memory) == expected


@pytest.mark.parametrize(
    ("offer", "taken"),
    [
        ("Would you like to know how fines work?", "How fines work?"),
        ("Would you like to know more about fines?", "Tell me about fines"),
        ("Shall I open a ticket for you?", "open a ticket"),
        ("Do you want the opening hours too?", "the opening hours"),
        ("Is there anything else?", TERM),
    ],
)
@pytest.mark.parametrize("reply", ["yes please", "Yes.", "ok, go ahead", "sure, thanks"])
def test_a_yes_takes_what_the_answer_offered(
    memory: Memory, offer: str, taken: str, reply: str
) -> None:
    answer = f"A loan is three weeks [1]. {offer}"

    assert standalone(reply, [Exchange(question=TERM, answer=answer)], memory) == taken


def test_a_no_takes_nothing_and_stays(memory: Memory) -> None:
    answer = "A loan is three weeks [1]. Would you like to know how fines work?"

    assert standalone("no thanks", [Exchange(question=TERM, answer=answer)], memory) == "no thanks"


def test_a_question_of_its_own_is_no_reply() -> None:
    assert merged("Where is the desk?", TERM, "What is it for?") == ""
    assert merged("why", TERM, "What is it for?") == ""


def test_an_answer_that_asks_nothing_is_replied_to_by_nothing() -> None:
    assert merged("films", TERM, "Three weeks [1].") == ""
    assert merged("films", TERM, "") == ""


def test_a_reply_that_is_long_stands_beside_the_question() -> None:
    reply = "films and maps and the old prints that the archive in Old Harbour keeps below the hall"

    assert merged(reply, TERM, "What is it for?") == f"How long is a loan: {reply}"


def test_an_answer_asks_with_its_last_sentence_or_its_first() -> None:
    assert question_in("Three weeks [1]. Anything more?") == "Anything more?"
    assert question_in(NAME_IT) == "What is it about?"
    assert question_in("Why three weeks? Because the rules say so [1].") == ""


def test_a_yes_is_only_a_yes() -> None:
    assert is_yes("Yes please, thanks for your help.")
    assert not is_yes("yes, the films")


def test_two_words_are_no_question_of_their_own() -> None:
    assert is_question("how long is it")
    assert not is_question("refund times?")
