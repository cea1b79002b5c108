"""The answer is streamed, whole, counted, and bounded only in its silences."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chat.contracts.events import Tokens
from chat.contracts.ports import ModelFault
from chat.contracts.tasks import AnswerTask, Exchange
from tests.doubles.endpoint import Endpoint
from tests.doubles.openai_model import REFUND, SETTINGS, asking
from tests.doubles.wire import Script

TASK = AnswerTask(
    question="How long does a refund take?",
    history=(Exchange(question="Do you refund?", answer="Yes [1]."),),
    passages=(REFUND,),
)
PIECES = ("A refund", " reaches", " your card", " in 5 to 10 business days [1].", " – é😀")


async def test_the_text_is_written_as_it_comes_and_given_whole_at_the_end() -> None:
    written: list[str] = []
    async with Endpoint(Script(deltas=PIECES)) as endpoint, asking(endpoint) as model:
        reply = await model.answer(TASK, written.append)
    assert reply.value.text == "".join(PIECES) == "".join(written)
    assert all(written)


async def test_the_call_is_accounted_with_the_tokens_that_the_endpoint_reports() -> None:
    prices = {"writer": {"input": 1.0, "cached_input": 0.1, "output": 4.0}}
    settings = replace(SETTINGS, prices=prices)
    async with Endpoint(Script(deltas=PIECES)) as endpoint, asking(endpoint, settings) as model:
        call = (await model.answer(TASK, _nowhere)).call
    assert (call.role, call.purpose, call.model) == ("main", "answer", "writer")
    assert (call.prompt_version, call.outcome) == ("answer-2", "ok")
    assert call.tokens == Tokens(input=20, cached_input=100, output=20, reasoning=10)
    assert call.cost == pytest.approx(150 / 1_000_000)
    assert call.ms > 0


async def test_the_request_carries_passages_as_data_and_asks_for_usage() -> None:
    async with Endpoint(Script(deltas=PIECES)) as endpoint, asking(endpoint) as model:
        await model.answer(TASK, _nowhere)
    asked = endpoint.asked[0]
    assert asked.headers["Authorization"] == "Bearer key"
    assert asked.body["model"] == "writer"
    assert asked.body["stream_options"] == {"include_usage": True}
    assert '<data kind="passage [1]">\nBilling / Refunds' in asked.prompt
    assert asked.prompt.count(REFUND.text) == 1


async def test_an_endpoint_that_reports_no_usage_is_counted_as_none() -> None:
    script = Script(deltas=PIECES, usage=None)
    async with Endpoint(script) as endpoint, asking(endpoint) as model:
        call = (await model.answer(TASK, _nowhere)).call
    assert call.tokens == Tokens()


@pytest.mark.parametrize("name", ["temperature", "stream_options"])
async def test_a_parameter_that_the_endpoint_refuses_is_left_out_from_then_on(name: str) -> None:
    endpoint = Endpoint(refuses=[name], default=Script(deltas=PIECES))
    async with endpoint, asking(endpoint) as model:
        for _ in range(2):
            await model.answer(TASK, _nowhere)
    assert [name in asked.body for asked in endpoint.asked] == [True, False, False]


async def test_a_reply_cut_by_its_length_limit_ends_with_its_last_whole_sentence() -> None:
    deltas = ("It costs 3.50 a month [1].", " A refund takes 1")
    script = Script(deltas=deltas, finish="length")
    async with Endpoint(script) as endpoint, asking(endpoint) as model:
        reply = await model.answer(TASK, _nowhere)
    assert reply.value.text == "It costs 3.50 a month [1]."


async def test_a_reply_without_one_whole_sentence_is_no_answer() -> None:
    script = Script(deltas=("A refund takes 1",), finish="length")
    async with Endpoint(script) as endpoint, asking(endpoint) as model:
        with pytest.raises(ModelFault, match="cut_stream") as caught:
            await model.answer(TASK, _nowhere)
    assert caught.value.call.tokens.total == 150


async def test_an_error_of_the_caller_is_not_taken_for_a_fault_of_the_model() -> None:
    def write(_text: str) -> None:
        raise ValueError("the screen is gone")

    async with Endpoint(Script(deltas=PIECES)) as endpoint, asking(endpoint) as model:
        with pytest.raises(ValueError, match="the screen is gone"):
            await model.answer(TASK, write)


async def test_the_page_can_say_who_speaks() -> None:
    async with Endpoint() as endpoint, asking(endpoint) as model:
        assert model.name == "writer at 127.0.0.1"


def _nowhere(_text: str) -> None:
    """For tests that look at the value alone."""
