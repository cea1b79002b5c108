"""On the iterative path the search is a real tool; the model decides whether and what."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

import pytest

from chat.contracts.ports import ModelFault
from chat.contracts.tasks import Step, StepTask
from tests.doubles.endpoint import Endpoint
from tests.doubles.openai_model import REFUND, SETTINGS, asking
from tests.doubles.wire import Call, Script

TASK = StepTask(question="How long does a refund take?", tried=("refund time",), found=(REFUND,))
PROBING = replace(SETTINGS, mode=None)
READY = Script(answer={"label": "READY"})


def search(*queries: str) -> Call:
    return Call.of("search_documents", queries=list(queries))


def calls(*made: Call, text: str = "") -> Script:
    return Script(deltas=(text,), calls=made, finish="tool_calls")


async def stepped(*scripts: Script, task: StepTask = TASK) -> Step:
    async with Endpoint(*scripts) as endpoint, asking(endpoint) as model:
        reply = await model.next_step(task)
    assert len(endpoint.asked) == len(scripts)
    return reply.value


async def test_the_model_is_offered_the_search_and_need_not_take_it() -> None:
    async with Endpoint(calls(search("refund days"))) as endpoint, asking(endpoint) as model:
        reply = await model.next_step(TASK)
    body = endpoint.asked[0].body
    assert [tool["function"]["name"] for tool in body["tools"]] == ["search_documents"]
    assert body["tool_choice"] == "auto"
    assert "response_format" not in body
    assert reply.value == Step(queries=("refund days",))
    call = reply.call
    assert (call.role, call.purpose, call.model, call.outcome) == ("main", "step", "writer", "ok")
    assert (call.prompt_version, call.tokens.total) == ("step-1", 150)


async def test_several_calls_in_one_message_are_one_step() -> None:
    made = (search("refund days", "REFUND  days!"), search("card"), search("bank", "cheque"))
    step = await stepped(calls(*made, text="I need three things."))
    assert step == Step(queries=("refund days", "card", "bank"), why="I need three things.")


async def test_queries_that_were_tried_are_dropped() -> None:
    step = await stepped(calls(search("Refund time", "card")))
    assert step.queries == ("card",)


async def test_a_query_that_is_no_list_is_taken_as_one() -> None:
    step = await stepped(calls(Call.of("search_documents", query="card")))
    assert step.queries == ("card",)


async def test_unknown_tools_and_broken_arguments_beside_a_good_call_are_passed_over() -> None:
    broken = Call("search_documents", '{"queries": ["a')
    step = await stepped(calls(Call.of("buy", queries=["b"]), broken, search("card")))
    assert step.queries == ("card",)


UNUSABLE = {
    "an unknown tool": Call.of("buy", queries=["b"]),
    "broken arguments": Call("search_documents", '{"queries": ["a'),
    "no arguments": Call("search_documents", ""),
    "no queries": Call.of("search_documents", queries=[]),
    "queries that are no text": Call.of("search_documents", queries=[7, None]),
    "only what was tried": search("Refund  time?"),
}


@pytest.mark.parametrize("bad", UNUSABLE.values(), ids=UNUSABLE)
async def test_with_nothing_usable_left_the_model_gets_one_more_chance(bad: Call) -> None:
    async with Endpoint(calls(bad), calls(search("card"))) as endpoint, asking(endpoint) as model:
        reply = await model.next_step(TASK)
    assert (reply.value.queries, reply.call.outcome) == (("card",), "repaired")
    said = endpoint.asked[1].body["messages"]
    assert [message["role"] for message in said] == ["system", "user", "assistant", "user"]
    assert bad.name in said[2]["content"]
    assert "only search_documents can be called" in said[3]["content"]
    assert endpoint.asked[1].body["tools"] == endpoint.asked[0].body["tools"]


@pytest.mark.parametrize("bad", UNUSABLE.values(), ids=UNUSABLE)
async def test_after_that_it_is_invalid_and_paid_for(bad: Call) -> None:
    async with Endpoint(calls(bad), calls(bad)) as endpoint, asking(endpoint) as model:
        with pytest.raises(ModelFault, match="invalid") as caught:
            await model.next_step(TASK)
    assert caught.value.call.outcome == "invalid"
    assert caught.value.call.tokens.total == 300


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ('{"confidence": 0.9}', Step(confidence=0.9)),
        ('Enough. {"confidence": "0.4"} So be it.', Step(confidence=0.4)),
        ('<think>{"confidence": 0.1}</think>{"confidence": 1}', Step(confidence=1.0)),
        ('{"confidence": 90}', Step()),
        ('{"confidence": null}', Step()),
        ("I can answer that.", Step(why="I can answer that.")),
        ("", Step()),
    ],
)
async def test_without_a_call_it_wants_to_answer_and_says_how_sure_it_is(
    text: str, step: Step
) -> None:
    assert await stepped(Script(answer=text)) == step


@pytest.mark.parametrize(
    "text",
    [
        '<tool_call>{"name": "search_documents", "arguments": {"queries": ["card"]}}</tool_call>',
        '{"name": "search_documents", "parameters": {"queries": ["card"]}}',
        '{"name": "search_documents", "arguments": "{\\"queries\\": [\\"card\\"]}"}',
        '{"queries": ["card"], "confidence": 0.9}',
    ],
)
async def test_a_call_that_comes_as_text_is_a_call(text: str) -> None:
    assert (await stepped(Script(answer=text))).queries == ("card",)


async def test_a_reply_without_an_end_is_not_a_wish_to_answer() -> None:
    cut = Script(answer="I think that the", finish="length")
    async with Endpoint(cut) as endpoint, asking(endpoint) as model:
        with pytest.raises(ModelFault, match="invalid"):
            await model.next_step(TASK)
    assert len(endpoint.asked) == 1


@pytest.mark.parametrize("modes", [["json_object", "none"], ["none"]])
async def test_an_endpoint_that_the_probe_found_without_tools_decides_in_fields(
    modes: Collection[str],
) -> None:
    answer = {"why": "w", "queries": ["card", "refund time"], "confidence": 0.5}
    endpoint = Endpoint(READY, Script(answer=answer), modes=modes)
    async with endpoint, asking(endpoint, PROBING) as model:
        reply = await model.next_step(TASK)
    assert reply.value == Step(queries=("card",), why="w")
    assert reply.call.outcome == "ok"
    assert "tools" not in endpoint.asked[-1].body


async def test_an_endpoint_that_refuses_tools_is_found_out_once() -> None:
    wants: dict[str, Any] = {"why": "", "queries": [], "confidence": 0.95}
    scripts = [Script(answer=wants)] * 2
    endpoint = Endpoint(*scripts, modes=["json_schema"])
    async with endpoint, asking(endpoint) as model:
        first = await model.next_step(TASK)
        second = await model.next_step(TASK)
    assert first.value == second.value == Step(confidence=0.95)
    assert [first.call.outcome, second.call.outcome] == ["repaired", "ok"]
    assert ["tools" in asked.body for asked in endpoint.asked] == [True, False, False]


async def test_a_wrong_key_is_not_taken_for_a_missing_ability() -> None:
    endpoint = Endpoint(Script(status=401), calls(search("card")))
    async with endpoint, asking(endpoint) as model:
        with pytest.raises(ModelFault, match="refused"):
            await model.next_step(TASK)
        assert (await model.next_step(TASK)).value.queries == ("card",)
    assert all("tools" in asked.body for asked in endpoint.asked)


async def test_a_prompt_that_is_refused_in_both_forms_leaves_the_tools_alone() -> None:
    endpoint = Endpoint(Script(status=400), Script(status=400), calls(search("card")))
    async with endpoint, asking(endpoint) as model:
        with pytest.raises(ModelFault, match="refused"):
            await model.next_step(TASK)
        await model.next_step(TASK)
    assert "tools" in endpoint.asked[-1].body


async def test_a_step_that_never_comes_is_a_timeout() -> None:
    endpoint = Endpoint(Script(fault="silence"))
    async with endpoint, asking(endpoint, replace(SETTINGS, timeout_ms=50)) as model:
        with pytest.raises(ModelFault, match="timeout"):
            await model.next_step(TASK)
