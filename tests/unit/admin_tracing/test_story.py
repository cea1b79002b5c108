"""What happened in three plain sentences: no node, no verdict, and always three of them."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from admin_tracing.story import ENDINGS, path, story
from admin_tracing.topology import boundaries
from chat.contracts.events import (
    Body,
    Clarification,
    Event,
    HitLine,
    QuestionRead,
    Retrieval,
    Tokens,
    Tool,
    TurnFinished,
    TurnStarted,
)
from chat.contracts.verdicts import Control, Termination
from tests import factories
from tests.told import STORIES
from tests.traces import QUESTION, REWRITE, refund_with_one_rewrite

VERDICTS = re.compile(
    r"confiden|caveat|support|held|judge|irrelevant|ungrounded|grade|check|verdict", re.I
)


def told(*bodies: Body) -> list[Event]:
    return factories.events(bodies)


def by_name(name: str) -> list[Event]:
    async def run() -> list[Event]:
        return list(await STORIES[name]())

    return asyncio.run(run())


def end(termination: Termination = Termination.ANSWERED) -> TurnFinished:
    return TurnFinished(
        termination=termination, ms=1.0, passes=0, model_calls=0, tokens=Tokens(), cost=0.0
    )


def asked(question: str = QUESTION) -> TurnStarted:
    return TurnStarted(question=question, message=uuid4(), kind="ask")


def search(number: int, query: str, *chunks: str) -> Retrieval:
    hits = tuple(HitLine(chunk=chunk, document="d", score=1.0) for chunk in chunks)
    return Retrieval.model_validate(
        {"pass": number, "query": query, "asked": 6, "hits": hits, "ms": 1.0}
    )


def test_a_search_with_a_rewrite_is_told():
    assert story(refund_with_one_rewrite()).sentences == (
        "The question was taken as it stands.",
        f"It searched the documents twice, first for “{QUESTION}”, then for “{REWRITE}”, "
        "which brought five passages.",
        "It answered and named one passage of Refunds.",
    )


@pytest.mark.parametrize("name", STORIES)
def test_every_told_turn_is_three_sentences_without_a_verdict_or_a_node(name: str):
    sentences = story(by_name(name)).sentences
    assert len(sentences) == 3
    assert all(one[0].isupper() and one.endswith(".") for one in sentences)
    assert not VERDICTS.search(" ".join(sentences))
    assert not any(node in " ".join(sentences) for node in boundaries())


def test_a_question_with_parts_names_them():
    body = QuestionRead(standalone="both", items=("the fee", "the time"))
    assert story(told(asked(), body)).read == (
        "The question was taken as two things: “the fee” and “the time”."
    )


def test_a_follow_up_is_told_as_it_was_read():
    body = QuestionRead(standalone="How long does a refund by card take?", items=("x",))
    assert story(told(asked("and by card?"), body)).read == (
        "With what was said before, the question was read as "
        "“How long does a refund by card take?”."
    )
    same = QuestionRead(standalone="and by  CARD", items=("x",))
    assert story(told(asked("and by card?"), same)).read == "The question was taken as it stands."


def test_a_question_back_is_told_with_the_reply():
    sentences = story(by_name("a question back")).sentences
    assert sentences[0].startswith("It asked the person: “What is it about?”. They answered")


def test_a_question_back_without_a_reply_is_told():
    body = Clarification(question="Which plan?", expires_at=datetime(2026, 1, 1, tzinfo=UTC))
    found = story(told(asked(), body, end(Termination.CLARIFICATION_EXPIRED)))
    assert found.read == "It asked the person: “Which plan?”, and got no reply."
    assert found.ended == "Nobody replied in time, so it ended without an answer."


def test_parts_of_one_search_are_one_search():
    events = told(asked(), search(1, "fee", "a"), search(1, "time", "a", "b"))
    assert story(events).looked == (
        "It searched the documents once, for “fee” and “time”, which brought two passages."
    )


def test_a_search_that_found_nothing_says_so():
    assert story(told(search(1, "zebra"))).looked == (
        "It searched the documents once, for “zebra”, which brought no passages."
    )


def test_tools_are_told_by_what_they_do():
    ran = [Tool(tool="search_directory", phase="done"), Tool(tool="open_ticket", phase="done")]
    assert story(told(ran[0], ran[0], ran[1])).looked == (
        "It looked in the directory twice and opened a ticket."
    )
    assert story(told(Tool(tool="open_ticket", phase="failed"))).looked == "It looked nothing up."
    assert story(told(Tool(tool="new_one", phase="done"))).looked == "It used a tool."


@pytest.mark.parametrize("termination", Termination)
def test_every_way_to_end_has_its_sentence(termination: Termination):
    sentence = story(told(asked(), end(termination))).ended
    assert sentence[0].isupper() and sentence.endswith(".")
    assert not VERDICTS.search(sentence)


def test_the_table_has_a_row_for_each_end():
    assert set(ENDINGS) == set(Termination)


def test_an_answer_with_a_caveat_is_told_like_one_without():
    answered = story(told(asked(), end(Termination.ANSWERED))).ended
    assert story(told(asked(), end(Termination.ANSWERED_WITH_CAVEAT))).ended == answered


def test_of_a_turn_whose_details_are_gone_the_rest_is_told():
    kept = [e for e in refund_with_one_rewrite() if e.body.AUDIENCE == "user"]
    assert story(kept).sentences == (
        "The question was taken as it stands.",
        "It looked nothing up.",
        "It answered and named one passage of Refunds.",
    )
    assert story([]).ended == "It has not ended yet."


def test_a_long_text_is_cut():
    body = QuestionRead(standalone="word " * 200, items=("x",))
    assert len(story(told(asked("other"), body)).read) < 170


@given(st.text(max_size=300), st.text(max_size=300))
def test_whatever_people_write_there_are_three_sentences(question: str, query: str):
    events = told(asked(question), search(1, query, "a"), end())
    sentences = story(events).sentences
    assert len(sentences) == 3 and all(one.endswith(".") for one in sentences)
    assert all("\n" not in one for one in sentences)


# ---- the path


def test_the_path_is_the_stages_in_a_customers_words():
    stages = path(refund_with_one_rewrite())
    assert stages[0] == "Reading the question"
    assert stages[-1] == "Done"
    assert all(a != b for a, b in zip(stages, stages[1:], strict=False))
    assert not any(node in stages for node in boundaries())


def test_the_blind_path_ends_where_the_answer_is_checked():
    events = by_name("iterative with a correction")
    whole, blind = path(events), path(events, blind=True)
    assert whole.count("Writing") == 2
    assert blind == whole[: len(blind)]
    assert blind.count("Writing") == 1


def test_the_blind_path_of_a_turn_without_a_check_is_whole():
    events = [e for e in refund_with_one_rewrite() if not _is_check(e.body)]
    renumbered = [replace(e, seq=n) for n, e in enumerate(events, start=1)]
    assert path(renumbered, blind=True) == path(renumbered)


def _is_check(body: Any) -> bool:
    return body.TYPE == "claims" or getattr(body, "control", None) is Control.GROUNDEDNESS
