"""The iterative path by rule: search what is missing, never the same twice, then answer."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chat.adapters.offline.reading import Reader
from chat.adapters.offline.stepping import MOST, next_step
from chat.adapters.offline.text import words
from chat.contracts.tasks import StepTask
from tests.unit.adapters.offline import library

FEES, CARD = "what are the late fees", "what does a new card cost"
BOTH = f"{FEES} and {CARD}"
FOUND = (library.passage("Late fees"),)


def test_the_first_step_searches_every_item(reader: Reader) -> None:
    step = next_step(StepTask(question=BOTH, missing=(FEES, CARD)), reader)

    assert step.queries == (FEES, CARD)
    assert step.confidence is None
    assert step.why


def test_a_first_step_without_items_searches_the_question(reader: Reader) -> None:
    assert next_step(StepTask(question=FEES), reader).queries == (FEES,)


@pytest.mark.parametrize("text", ["hello", "thanks a lot!", "who are you?", "hi Finch"])
def test_only_small_talk_is_answered_without_a_search(reader: Reader, text: str) -> None:
    step = next_step(StepTask(question=text, missing=(text,)), reader)

    assert step.queries == ()
    assert step.confidence is not None
    assert step.confidence >= 0.85


@pytest.mark.parametrize("text", ["thanks, and what are the late fees", "card", "hi, lost card"])
def test_thanks_with_a_question_are_searched(reader: Reader, text: str) -> None:
    assert next_step(StepTask(question=text, missing=(text,)), reader).queries == (text,)


def test_nothing_missing_is_answered_surely(reader: Reader) -> None:
    step = next_step(StepTask(question=FEES, tried=(FEES,), found=FOUND), reader)

    assert (step.queries, step.confidence) == ((), 1.0)


def test_what_is_missing_is_searched_in_the_words_that_were_suggested(reader: Reader) -> None:
    task = StepTask(
        question=BOTH,
        tried=(FEES, CARD),
        found=FOUND,
        missing=(CARD,),
        suggested=("replacement card price",),
    )

    assert next_step(task, reader).queries == ("replacement card price",)


def test_a_query_that_was_tried_is_not_tried_again_in_other_dress(reader: Reader) -> None:
    task = StepTask(
        question=CARD,
        tried=(CARD, "new card price"),
        missing=(CARD,),
        suggested=("New  card price?", "what does a NEW card cost", "card fee"),
    )

    assert next_step(task, reader).queries == ("card fee",)


def test_when_all_was_tried_other_words_are_found(reader: Reader) -> None:
    task = StepTask(question=CARD, tried=(CARD,), missing=(CARD,))
    (query,) = next_step(task, reader).queries

    assert words(query) != words(CARD)
    assert set(words(query)) & set(words(CARD))


QUERIES = st.lists(st.sampled_from((FEES, CARD, "card fee", "renew", "", "?")), max_size=5)


@settings(max_examples=40)
@given(tried=QUERIES, missing=QUERIES, suggested=QUERIES)
def test_a_step_is_small_new_and_the_same_each_time(
    reader: Reader, tried: list[str], missing: list[str], suggested: list[str]
) -> None:
    task = StepTask(
        question=BOTH, tried=tuple(tried), missing=tuple(missing), suggested=tuple(suggested)
    )
    step = next_step(task, reader)
    said = [" ".join(words(query)) for query in step.queries]

    assert step == next_step(task, reader)
    assert len(said) <= MOST
    assert len(set(said)) == len(said)
    assert not set(said) & {" ".join(words(query)) for query in tried}
    assert step.queries or step.confidence is not None
