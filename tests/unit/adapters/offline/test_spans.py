"""What a sentence holds, and the difference between how long it takes and how long one may."""

from __future__ import annotations

import pytest

from chat.adapters.offline.expectation import Kind, expected
from chat.adapters.offline.spans import answers_in_time, holds


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        (Kind.DURATION, "Books are lent for 21 days."),
        (Kind.DURATION, "It arrives after 3 to 5 working days."),
        (Kind.DURATION, "A copy is made every night."),
        (Kind.DURATION, "It is done at once."),
        (Kind.MONEY, "Each day costs 0.30 euros."),
        (Kind.MONEY, "It costs $5."),
        (Kind.MONEY, "Anyone can join free of charge."),
        (Kind.MONEY, "A tenth, or 10 per cent, is kept."),
        (Kind.QUANTITY, "There are six rooms."),
        (Kind.QUANTITY, "Up to 25 titles may be out."),
        (Kind.TIME, "We open on Mondays at 09:00."),
        (Kind.TIME, "It was built in 1904."),
        (Kind.TIME, "It starts on the next billing day."),
        (Kind.PLACE, "Food is left in the lockers on the Ground Floor."),
        (Kind.WAY, "Sign in, open My loans and press Renew."),
        (Kind.WAY, "It is renewed by calling the desk."),
        (Kind.REASON, "They are kept here because many people need them."),
        (Kind.OUTCOME, "If it is late, a fee is due."),
        (Kind.PERSON, "It was founded by Ada Finch."),
        (Kind.PERSON, "Write to desk@library.example."),
        (Kind.CHOICE, "Pay in cash, by card or by transfer."),
        (Kind.MEANING, "A short loan is one of seven days."),
    ],
)
def test_a_sentence_holds_the_kind(kind: Kind, sentence: str) -> None:
    assert holds(sentence, frozenset({kind}))


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        (Kind.DURATION, "Only the owner can ask for it."),
        (Kind.MONEY, "Books are lent for 21 days."),
        (Kind.QUANTITY, "Food is left in the lockers."),
        (Kind.WAY, "The floor is quiet."),
    ],
)
def test_a_sentence_without_the_kind_does_not_hold_it(kind: Kind, sentence: str) -> None:
    assert not holds(sentence, frozenset({kind}))


@pytest.mark.parametrize("kind", [Kind.ANY, Kind.YES_NO])
def test_a_yes_or_no_may_be_in_any_sentence(kind: Kind) -> None:
    assert holds("The floor is quiet.", frozenset({kind}))


LIMIT = "Money that is owed to you can be claimed within 60 days."
LENGTH = "The money arrives after 3 to 5 working days."


def _answers(question: str, sentence: str) -> bool:
    return answers_in_time(question, expected(question), sentence)


def test_a_limit_does_not_say_how_long_something_takes() -> None:
    assert not _answers("how long does a claim take", LIMIT)
    assert _answers("how long does a claim take", LENGTH)


@pytest.mark.parametrize(
    "question", ["how long do i have to claim", "deadline for claims", "how long can i wait"]
)
def test_a_limit_says_how_long_one_may_wait(question: str) -> None:
    assert _answers(question, LIMIT)


def test_limits_matter_to_no_other_kind() -> None:
    assert _answers("how much can be claimed", LIMIT)
