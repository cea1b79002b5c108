"""Each task of the port asks its own model with its own prompt and gives a typed value."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chat.adapters.llm_openai import OpenAiSettings
from chat.contracts.passages import Hit
from chat.contracts.ports import LanguageModel, ModelFault
from chat.contracts.tasks import Exchange, RewriteTask
from chat.contracts.verdicts import GradeLabel, Level, TopicLabel
from tests.doubles.endpoint import Endpoint
from tests.doubles.openai_model import REFUND, SETTINGS, asking
from tests.doubles.wire import Script

REWRITE = RewriteTask(
    question="How long does a refund take?",
    tried=("How long does a refund take?",),
    hits=(Hit(passage=REFUND, score=0.2),),
    terms=("business", "days"),
    avoid=("eligibility",),
)


async def test_a_greeting_is_told_from_a_question_by_the_router() -> None:
    scripts = [Script(answer={"label": "greeting"}), Script(answer={"label": "OTHER"})]
    async with Endpoint(*scripts) as endpoint, asking(endpoint) as model:
        assert (await model.detect_greeting("good morning")).value is True
        reply = await model.detect_greeting("good morning, my server is down")
    assert reply.value is False
    assert (reply.call.role, reply.call.model) == ("router", "sorter")


async def test_a_follow_up_becomes_a_question_that_stands_alone() -> None:
    script = Script(answer={"question": " How long does a refund\n take? "})
    past = Exchange(question="Do you give refunds?", answer="Yes [1].")
    async with Endpoint(script) as endpoint, asking(endpoint) as model:
        reply = await model.standalone("And how long does it take?", [past])
    assert reply.value == "How long does a refund take?"
    assert "Do you give refunds?" in endpoint.asked[0].prompt


async def test_a_topic_is_judged_against_the_scope_of_the_chat() -> None:
    answer = {"label": "irrelevant", "confidence": "High", "reason": "It is about the weather."}
    settings = replace(SETTINGS, covers="web hosting by Larkspur")
    async with Endpoint(Script(answer=answer)) as endpoint, asking(endpoint, settings) as model:
        verdict = (await model.classify_topic("Will it rain?")).value
    assert (verdict.label, verdict.confidence) == (TopicLabel.IRRELEVANT, Level.HIGH)
    assert verdict.reason == "It is about the weather."
    assert "web hosting by Larkspur" in endpoint.asked[0].prompt


async def test_a_passage_is_graded_on_whether_it_answers() -> None:
    script = Script(answer={"label": "SUPPORTS", "reason": "Who may have one, not how long."})
    async with Endpoint(script) as endpoint, asking(endpoint) as model:
        reply = await model.grade("How long does a refund take?", REFUND)
    assert reply.value.label is GradeLabel.SUPPORTS
    assert (reply.call.role, reply.call.model, reply.call.purpose) == ("grader", "grader", "grade")
    assert "does this text answer the question?" in endpoint.asked[0].prompt


async def test_a_rewrite_leans_on_the_words_of_the_documents() -> None:
    script = Script(answer={"query": "refund reaches card business days"})
    async with Endpoint(script) as endpoint, asking(endpoint) as model:
        reply = await model.rewrite(REWRITE)
    assert reply.value == "refund reaches card business days"
    assert (reply.call.role, reply.call.model) == ("main", "writer")
    for part in ("business, days", "eligibility", REFUND.text):
        assert part in endpoint.asked[0].prompt


async def test_a_rewrite_that_was_tried_already_gets_one_more_chance() -> None:
    tried = Script(answer={"query": "how long does a refund take"})
    new = Script(answer={"query": "refund business days"})
    async with Endpoint(tried, new) as endpoint, asking(endpoint) as model:
        reply = await model.rewrite(REWRITE)
    assert (reply.value, reply.call.outcome) == ("refund business days", "repaired")


async def test_a_rewrite_that_is_never_new_is_invalid() -> None:
    tried = Script(answer={"query": "how long does a refund take"})
    async with Endpoint(tried, tried) as endpoint, asking(endpoint) as model:
        with pytest.raises(ModelFault, match="invalid"):
            await model.rewrite(REWRITE)


async def test_an_empty_role_is_played_by_the_main_model() -> None:
    settings = OpenAiSettings(main="one", mode="json_schema")
    async with Endpoint() as endpoint, asking(endpoint, settings) as model:
        port: LanguageModel = model
        await port.detect_greeting("hello")
        await port.grade("q", REFUND)
    assert {asked.body["model"] for asked in endpoint.asked} == {"one"}


def test_the_key_is_not_shown_when_settings_are_printed() -> None:
    assert "secret" not in repr(OpenAiSettings(main="m", api_key="secret"))
