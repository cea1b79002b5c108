"""A question is asked back only where no word in it can be looked up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.contracts.verdicts import Clarity
from chat.guardrails.questions.vagueness import QUESTION, clarity

EMPTY = """\
tell me about it
help
it does not work
It doesn't work!
I have a problem
can you help me?
I need help
please help me with this
I have a question
what about it?
how does it work?
what is this
something is wrong
why is it not working
I don't understand
can someone explain this to me please
is there any way to fix it
???

i want to know more
it's broken"""

NAMING = """\
refund times
refund
price
40P01
fields.E310
500
error 500
Segmentation fault (core dumped)
how do I cancel?
my server is down
I need help with my invoice
how long does a refund take
it says connection refused
what is Watson Assistant?
can I export my data
tell me about backups
https://example.com/x fails
¿cuánto tarda el reembolso?
你好吗
почему не работает
error limits"""

OPEN = """\
how long does it take?
how much does it cost?
it crashed
is it safe?
when does it expire
what are the limits of this
will they change it soon"""


@pytest.mark.parametrize("text", EMPTY.split("\n"))
def test_nothing_in_it_can_be_looked_up(text: str) -> None:
    assert clarity(text, has_history=False) is Clarity.VAGUE


@pytest.mark.parametrize("text", NAMING.split("\n"))
@pytest.mark.parametrize("history", [False, True])
def test_a_word_that_names_a_thing_is_enough(text: str, history: bool) -> None:
    assert clarity(text, has_history=history) is Clarity.SPECIFIC


@pytest.mark.parametrize("text", OPEN.split("\n"))
def test_code_cannot_say_where_only_the_aspect_is_named(text: str) -> None:
    assert clarity(text, has_history=False) is None


@pytest.mark.parametrize("text", OPEN.split("\n"))
def test_with_a_history_the_same_question_points_at_something(text: str) -> None:
    assert clarity(text, has_history=True) is Clarity.SPECIFIC


@pytest.mark.parametrize(
    "text",
    ["tell me about it", "it does not work", "tell me more", "yes please", "and then?", "why?",
     "what is the issue?", "what else can I do", "go on", "the second one"],
)  # fmt: skip
def test_a_continuation_is_specific_with_a_history(text: str) -> None:
    assert clarity(text, has_history=True) is Clarity.SPECIFIC


@pytest.mark.parametrize(
    "text", ["help", "I have another problem", "can you help me?", "I have a question", ""]
)
def test_a_plea_points_at_nothing_even_with_a_history(text: str) -> None:
    assert clarity(text, has_history=True) in (Clarity.VAGUE, None)


@pytest.mark.parametrize("plan", ["", " for the smallest plan", " in Europe"])
def test_refund_times_is_never_vague_for_lack_of_a_plan(plan: str) -> None:
    assert clarity(f"refund times{plan}", has_history=False) is Clarity.SPECIFIC


@given(
    plea=st.sampled_from([text for text in EMPTY.split("\n") if text]),
    thing=st.sampled_from(["invoice", "export", "ERR_TIMEOUT", "4711", "snapshot"]),
    history=st.booleans(),
)
def test_naming_a_thing_lifts_any_plea(plea: str, thing: str, history: bool) -> None:
    assert clarity(f"{plea} {thing}", has_history=history) is Clarity.SPECIFIC


@given(st.text(max_size=300), st.booleans())
def test_any_text_gets_a_verdict_or_none(text: str, history: bool) -> None:
    assert clarity(text, has_history=history) in (Clarity.SPECIFIC, Clarity.VAGUE, None)


@given(st.sampled_from(EMPTY.split("\n")), st.sampled_from(["?", "!", " ...", "\n"]))
def test_marks_and_case_do_not_matter(text: str, mark: str) -> None:
    assert clarity(text.upper() + mark, has_history=False) is Clarity.VAGUE


def test_the_question_back_is_one_plain_line() -> None:
    assert "\n" not in QUESTION
    assert "!" not in QUESTION
    assert "?" in QUESTION
