"""The rows of the sheet: every answer that can be stored, each with its digit, in plain words."""

from __future__ import annotations

from typing import Any

import pytest

from admin_tracing.models import GroundednessLabel, RoutingLabel
from admin_tracing.queue_words import ROWS, check_in_words, said_in_words, word_of
from admin_tracing.queueing.agreement import FIELDS
from chat.contracts.events import Claim

STORED: dict[str, Any] = {
    "needed": RoutingLabel.Needed,
    "grounded": GroundednessLabel.Grounded,
    "correct": GroundednessLabel.Correct,
}


@pytest.mark.parametrize("name", FIELDS)
def test_every_stored_answer_has_a_row_and_a_digit_in_their_order(name: str):
    choices = ROWS[name].choices
    assert [choice.value for choice in choices] == STORED[name].values
    assert [choice.digit for choice in choices] == list(range(1, len(choices) + 1))


def test_the_digits_are_those_of_the_sheet():
    digits = {choice.value: choice.digit for choice in ROWS["needed"].choices}
    assert digits == {
        **{"direct": 1, "single_shot": 2, "iterative": 3, "clarify": 4, "off_topic": 5},
        **{"cannot_tell": 6, "needs_expert": 7},
    }


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({}, ""),
        ({"needed": "single_shot"}, "needed single shot"),
        ({"grounded": "partly", "correct": "cannot_tell"}, "held partly, right cannot tell"),
        (
            {"needed": "direct", "grounded": "yes", "correct": "no"},
            "needed direct; held yes, right no",
        ),
    ],
)
def test_what_somebody_said_is_one_line(said: dict[str, str], words: str):
    assert said_in_words(said) == words


def test_a_word_that_is_no_answer_stays_as_it_is():
    assert word_of("needed", "greeting") == "greeting"


def claim(supported: bool | None) -> Claim:
    return Claim(id="c", label="x", basis="source", supported=supported, by="judge")


@pytest.mark.parametrize(
    ("held", "line"),
    [
        ((True, True, True), "The check said: supported 3 of 3."),
        ((True, False), "The check said: supported 1 of 2."),
        ((True, None), "The check said: supported 1 of 2, 1 not checked."),
        ((), "The check said nothing of this answer."),
    ],
)
def test_the_check_is_quoted(held: tuple[bool | None, ...], line: str):
    assert check_in_words([claim(one) for one in held], holds_answer=True) == line


def test_without_an_answer_there_is_nothing_to_quote():
    assert check_in_words([], holds_answer=False) == ""
