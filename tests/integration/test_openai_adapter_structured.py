"""A label comes by the best way that an endpoint has, or not at all."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from dataclasses import replace

import pytest

from chat.adapters.structured import MODES
from chat.contracts.ports import ModelFault
from chat.contracts.verdicts import GradeLabel
from tests.doubles.endpoint import Endpoint
from tests.doubles.openai_model import REFUND, SETTINGS, asking
from tests.doubles.wire import Script

PROBING = replace(SETTINGS, mode=None)
READY = Script(answer={"label": "READY"})
QUESTION = "How long does a refund take?"


def graded(label: str) -> Script:
    return Script(answer={"reason": "It says so.", "label": label})


@pytest.mark.parametrize(
    ("modes", "expected"),
    [
        (["json_schema", "tool", "json_object", "none"], "json_schema"),
        (["tool", "json_object", "none"], "tool"),
        (["json_object", "none"], "json_object"),
        (["none"], "none"),
    ],
)
async def test_the_probe_finds_the_best_way_and_keeps_it(
    modes: Collection[str], expected: str
) -> None:
    scripts = [READY, graded("ANSWERS"), graded("no")]
    async with Endpoint(*scripts, modes=modes) as endpoint, asking(endpoint, PROBING) as model:
        first = await model.grade(QUESTION, REFUND)
        second = await model.grade(QUESTION, REFUND)
    assert first.value.label is GradeLabel.ANSWERS
    assert second.value.label is GradeLabel.IRRELEVANT
    tried = MODES.index("prompted" if expected == "none" else expected)
    assert [asked.mode for asked in endpoint.asked[tried:]] == [expected] * 3


async def test_an_endpoint_that_takes_a_schema_and_ignores_it_is_found_out() -> None:
    prose = Script(answer="I am ready to help.")
    endpoint = Endpoint(prose, READY, graded("Yes"))
    async with endpoint, asking(endpoint, PROBING) as model:
        reply = await model.grade(QUESTION, REFUND)
    assert [asked.mode for asked in endpoint.asked] == ["json_schema", "tool", "tool"]
    assert reply.value.label is GradeLabel.ANSWERS


async def test_a_way_that_always_fails_is_left_for_the_next() -> None:
    broken = [Script(status=500)] * 3
    endpoint = Endpoint(*broken, READY, graded("ANSWERS"))
    async with endpoint, asking(endpoint, PROBING) as model:
        await model.grade(QUESTION, REFUND)
    assert [asked.mode for asked in endpoint.asked] == ["json_schema"] * 3 + ["tool"] * 2


async def test_a_busy_endpoint_is_no_verdict_on_what_it_can_do() -> None:
    busy = [Script(status=429)] * 3
    endpoint = Endpoint(*busy, READY, graded("ANSWERS"))
    async with endpoint, asking(endpoint, PROBING) as model:
        with pytest.raises(ModelFault, match="rate_limited"):
            await model.grade(QUESTION, REFUND)
        await model.grade(QUESTION, REFUND)
    assert {asked.mode for asked in endpoint.asked} == {"json_schema"}


async def test_questions_at_the_same_time_share_one_probe_and_one_pays_for_it() -> None:
    scripts = [READY, *[graded("ANSWERS")] * 4]
    async with Endpoint(*scripts) as endpoint, asking(endpoint, PROBING) as model:
        replies = await asyncio.gather(*(model.grade(QUESTION, REFUND) for _ in range(4)))
    assert len(endpoint.asked) == 5
    assert sorted(reply.call.tokens.total for reply in replies) == [150, 150, 150, 300]


async def test_each_model_is_probed_for_itself() -> None:
    async with Endpoint() as endpoint, asking(endpoint, PROBING) as model:
        await model.grade(QUESTION, REFUND)
        await model.detect_greeting("hello")
    models = [asked.body["model"] for asked in endpoint.asked]
    assert models == ["grader", "grader", "sorter", "sorter"]


async def test_an_endpoint_that_can_do_none_of_it_is_invalid() -> None:
    endpoint = Endpoint(default=Script(answer="Sure."), modes=["none"])
    async with endpoint, asking(endpoint, PROBING) as model:
        with pytest.raises(ModelFault, match="invalid") as caught:
            await model.grade(QUESTION, REFUND)
    assert len(endpoint.asked) == 4
    assert caught.value.call.tokens.total == 150


async def test_a_wrong_key_is_told_at_once_and_not_taken_for_a_missing_ability() -> None:
    endpoint = Endpoint(Script(status=401), READY, graded("ANSWERS"))
    async with endpoint, asking(endpoint, PROBING) as model:
        with pytest.raises(ModelFault, match="refused"):
            await model.grade(QUESTION, REFUND)
        await model.grade(QUESTION, REFUND)
    assert [asked.mode for asked in endpoint.asked] == ["json_schema"] * 3


async def test_a_reply_that_does_not_fit_is_sent_back_once_with_the_reason() -> None:
    endpoint = Endpoint(graded("maybe"), graded(" Yes"))
    async with endpoint, asking(endpoint) as model:
        reply = await model.grade(QUESTION, REFUND)
    assert reply.value.label is GradeLabel.ANSWERS
    assert reply.call.outcome == "repaired"
    assert reply.call.tokens.total == 300
    again = endpoint.asked[1].body["messages"]
    assert [message["role"] for message in again] == ["system", "user", "assistant", "user"]
    assert "maybe" in again[2]["content"]
    assert "label must be one of ANSWERS, SUPPORTS, IRRELEVANT" in again[3]["content"]


@pytest.mark.parametrize("second", [graded("maybe"), Script(answer="I am not sure."), READY])
async def test_a_second_reply_that_does_not_fit_is_an_outcome_of_its_own(second: Script) -> None:
    async with Endpoint(graded("maybe"), second) as endpoint, asking(endpoint) as model:
        with pytest.raises(ModelFault, match="invalid") as caught:
            await model.grade(QUESTION, REFUND)
    assert caught.value.call.outcome == "invalid"
    assert caught.value.call.tokens.total == 300
    assert len(endpoint.asked) == 2


@pytest.mark.parametrize(
    "text",
    [
        '```json\n{"label": "ANSWERS"}\n```',
        'Here it is: {"label": "ANSWERS"} as you asked.',
        '<think>{"label": "IRRELEVANT"} or not?</think>{"label": "ANSWERS"}',
    ],
    ids=["fenced", "with small talk", "after thinking aloud"],
)
async def test_the_object_is_found_in_whatever_stands_around_it(text: str) -> None:
    settings = replace(SETTINGS, mode="prompted")
    endpoint = Endpoint(Script(answer=text))
    async with endpoint, asking(endpoint, settings) as model:
        reply = await model.grade(QUESTION, REFUND)
    assert (reply.value.label, reply.call.outcome) == (GradeLabel.ANSWERS, "ok")


@pytest.mark.parametrize("mode", ["json_object", "prompted"])
async def test_without_a_schema_parameter_the_prompt_holds_the_schema(mode: str) -> None:
    settings = replace(SETTINGS, mode=mode)  # type: ignore[arg-type]
    async with Endpoint(graded("ANSWERS")) as endpoint, asking(endpoint, settings) as model:
        await model.grade(QUESTION, REFUND)
    assert '"enum": ["ANSWERS", "SUPPORTS", "IRRELEVANT"]' in endpoint.asked[0].prompt
