"""What a person wants is told by code: to go on, to look up, to have done, or to ask."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.contracts.verdicts import Intent
from chat.guardrails.questions.intents import (
    intent,
    is_continuation,
    is_follow_up,
    wanted_tools,
    wants_a_person,
)

CONTINUATIONS = """\
yes please
Yes, please!
tell me more
go on
and then?
ok
sure
no, the other one
the second one
more details please
why?
what do you mean?
anything else?
can you explain that?
yes that one
continue
please go on
what about the others
No thanks
give me an example
yes do it
I'd like to know more about it
okay then"""

NEW = """\
How long does a refund take?
ok but how do I export my data
yes, and how much does the largest plan cost?
tell me more about backups
the second invoice of March
why is my server down
sure thing is my invoice number 4411
go on holiday mode
what about refunds?

no connection to the server
more storage"""

HINTS = (
    ("search_directory", ("office", "support partner", "partners near")),
    ("open_ticket", ("ticket", "open a case", "talk to a human")),
)


@pytest.mark.parametrize("text", CONTINUATIONS.split("\n"))
def test_a_continuation_holds_nothing_but_a_pointer(text: str) -> None:
    assert is_continuation(text)


@pytest.mark.parametrize("text", NEW.split("\n"))
def test_a_text_that_names_something_new_is_none(text: str) -> None:
    assert not is_continuation(text)


@pytest.mark.parametrize(
    "text",
    ["and for teams?", "what about refunds?", "is it free?", "how long does that take?",
     "does he have to pay", "but in Europe?", "which of these is cheaper", "So I can cancel it?"],
)  # fmt: skip
def test_a_short_text_that_points_back_is_a_follow_up(text: str) -> None:
    assert is_follow_up(text)
    assert intent(text, has_history=True) is Intent.FOLLOW_UP
    assert intent(text, has_history=False) is Intent.QUESTION


@pytest.mark.parametrize(
    "text",
    ["How long do refunds take?", "my server is down", "",
     "I was told by the support last week that after the end of a month it would all be gone"],
)  # fmt: skip
def test_a_question_that_stands_alone_is_no_follow_up(text: str) -> None:
    assert not is_follow_up(text)
    assert intent(text, has_history=True) is Intent.QUESTION


@pytest.mark.parametrize(
    "text",
    ["open a ticket", "Please open a ticket for my invoice", "can you open a ticket for me?",
     "I want to open a ticket", "ticket please"],
)  # fmt: skip
def test_a_request_for_an_irreversible_tool_is_an_action(text: str) -> None:
    assert intent(text, has_history=False, wants_action=True) is Intent.ACTION


@pytest.mark.parametrize(
    "text",
    ["how do I open a ticket?", "what happens when I open a ticket", "can I open a ticket by mail?",
     "is there a fee for a ticket"],
)  # fmt: skip
def test_asking_how_something_is_done_wants_no_action(text: str) -> None:
    assert intent(text, has_history=False, wants_action=True) is Intent.QUESTION


def test_a_hint_of_another_tool_is_a_lookup_even_in_a_question() -> None:
    question = "which office is near Leeds?"
    assert intent(question, has_history=False, wants_lookup=True) is Intent.LOOKUP
    assert intent(question, has_history=True, wants_lookup=True) is Intent.LOOKUP


def test_an_action_comes_before_a_lookup_and_a_continuation_before_both() -> None:
    both = {"wants_action": True, "wants_lookup": True}
    assert intent("open a ticket with the office", has_history=False, **both) is Intent.ACTION
    assert intent("yes please", has_history=True, **both) is Intent.FOLLOW_UP


def test_without_a_history_there_is_nothing_to_continue() -> None:
    assert intent("tell me more", has_history=False) is Intent.QUESTION


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which office is near Leeds?", ("search_directory",)),
        ("Offices in Leeds", ("search_directory",)),
        ("I need a support  partner, and then open a case", ("search_directory", "open_ticket")),
        ("can I talk to a human?", ("open_ticket",)),
        ("how long does a refund take", ()),
        ("the officer said so", ()),
        ("", ()),
    ],
)
def test_the_tools_whose_hints_a_question_uses_are_wanted(
    question: str, names: tuple[str, ...]
) -> None:
    assert wanted_tools(question, HINTS) == names


@pytest.mark.parametrize(
    "question",
    [
        "can I talk to a human",
        "Can I please speak with a real person?",
        "could we talk to someone about our bill",
        "may I speak to your staff now please",
    ],
)
def test_to_ask_for_a_person_is_a_request(question: str) -> None:
    assert wants_a_person(question)
    assert intent(question, has_history=False, wants_action=True) is Intent.ACTION


@pytest.mark.parametrize(
    "question", ["can I talk to a human on Sundays?", "can my app talk to a database", "can I pay"]
)
def test_a_rule_about_talking_is_no_request(question: str) -> None:
    assert not wants_a_person(question)


def test_a_tool_without_hints_is_never_wanted() -> None:
    assert wanted_tools("anything at all", [("quiet", ()), ("blank", ("", " "))]) == ()


@given(st.text(max_size=200), st.booleans(), st.booleans(), st.booleans())
def test_any_text_has_an_intent_that_code_may_say(
    text: str, history: bool, action: bool, lookup: bool
) -> None:
    found = intent(text, has_history=history, wants_action=action, wants_lookup=lookup)
    assert found in (Intent.FOLLOW_UP, Intent.ACTION, Intent.LOOKUP, Intent.QUESTION)
    if not history:
        assert found is not Intent.FOLLOW_UP
