"""Whatever an endpoint does wrong becomes one typed fault, with the failed call in it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from chat.adapters.llm_openai import OpenAiModel
from chat.adapters.openai_client import LONGEST_WAIT
from chat.contracts.ports import ModelFault
from chat.contracts.tasks import AnswerTask
from tests.doubles.endpoint import Endpoint
from tests.doubles.openai_model import REFUND, SETTINGS, asking
from tests.doubles.wire import Fault, Script

TASK = AnswerTask(question="How long does a refund take?", passages=(REFUND,))
GOOD = Script(deltas=("In 5 to 10 days [1].",))
HURRIED = replace(SETTINGS, timeout_ms=50)

Work = Callable[[OpenAiModel], Awaitable[object]]


async def answer(model: OpenAiModel) -> object:
    return await model.answer(TASK, lambda _text: None)


async def grade(model: OpenAiModel) -> object:
    return await model.grade(TASK.question, REFUND)


async def fault_of(script: Script, work: Work, times: int = 3) -> ModelFault:
    """The fault when an endpoint answers so again and again."""
    async with Endpoint(*[script] * times) as endpoint, asking(endpoint) as model:
        with pytest.raises(ModelFault) as caught:
            await work(model)
    assert len(endpoint.asked) == times
    return caught.value


@pytest.mark.parametrize("work", [answer, grade])
@pytest.mark.parametrize(
    ("status", "reason", "times"),
    [
        (429, "rate_limited", 3),
        (500, "server_error", 3),
        (503, "server_error", 3),
        (400, "refused", 1),
        (401, "refused", 1),
        (404, "refused", 1),
    ],
)
async def test_a_status_has_one_reason_and_is_repeated_only_where_that_helps(
    status: int, reason: str, times: int, work: Work
) -> None:
    fault = await fault_of(Script(status=status), work, times)
    assert (fault.reason, fault.call.outcome) == (reason, "failed")
    assert fault.call.ms > 0


@pytest.mark.parametrize(
    ("script", "reason", "times"),
    [
        (Script(fault="cut"), "cut_stream", 3),
        (Script(fault="no_end"), "cut_stream", 3),
        (Script(fault="error_event"), "server_error", 3),
        (Script(fault="error_event", code="429"), "rate_limited", 3),
        (Script(fault="malformed"), "invalid", 1),
        (Script(fault="html"), "invalid", 1),
        (Script(deltas=()), "invalid", 1),
        (Script(deltas=({"refusal": "I cannot help with that"},)), "refused", 1),
        (Script(deltas=(), finish="content_filter"), "refused", 1),
    ],
)
async def test_a_broken_stream_has_one_reason(script: Script, reason: str, times: int) -> None:
    fault = await fault_of(script, answer, times)
    assert fault.reason == reason
    assert fault.call.outcome == ("invalid" if reason == "invalid" else "failed")


@pytest.mark.parametrize(
    ("script", "reason", "times"),
    [
        (Script(fault="cut"), "unreachable", 3),
        (Script(fault="malformed"), "invalid", 1),
        (Script(fault="html"), "invalid", 1),
        (Script(refusal="I cannot help with that"), "refused", 1),
        (Script(answer="", finish="content_filter"), "refused", 1),
        (Script(answer='{"label": "AN', finish="length"), "invalid", 1),
    ],
)
async def test_a_broken_whole_reply_has_one_reason(script: Script, reason: str, times: int) -> None:
    assert (await fault_of(script, grade, times)).reason == reason


@pytest.mark.parametrize("fault", ["cut", "no_end", "error_event", "malformed"])
async def test_nothing_is_repeated_once_text_was_written(fault: Fault) -> None:
    script = Script(deltas=("In 5", " to"), fault=fault, after=1)
    written: list[str] = []
    arrived = asyncio.Event()

    def write(text: str) -> None:
        written.append(text)
        arrived.set()

    async def step(number: int) -> None:
        if number == script.after:
            await arrived.wait()

    async with Endpoint(script, GOOD, step=step) as endpoint, asking(endpoint) as model:
        with pytest.raises(ModelFault):
            await model.answer(TASK, write)
    assert written == ["In 5"]
    assert len(endpoint.asked) == 1


async def test_a_stream_that_fails_before_its_first_text_is_tried_again() -> None:
    sleeps: list[float] = []
    endpoint = Endpoint(Script(status=500), Script(fault="cut"), GOOD)
    async with endpoint, asking(endpoint, sleeps=sleeps) as model:
        reply = await model.answer(TASK, lambda _text: None)
    assert reply.value.text == "In 5 to 10 days [1]."
    assert sleeps == [0.25, 0.5]


@pytest.mark.parametrize(
    ("header", "waits"),
    [
        ({"Retry-After": "2"}, [2.0]),
        ({"Retry-After": "0"}, [0.0]),
        ({"Retry-After-Ms": "1500"}, [1.5]),
        ({"Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"}, [0.25]),
    ],
)
async def test_the_endpoint_is_given_the_time_it_asks_for(
    header: dict[str, str], waits: list[float]
) -> None:
    sleeps: list[float] = []
    endpoint = Endpoint(Script(status=429, headers=header), GOOD)
    async with endpoint, asking(endpoint, sleeps=sleeps) as model:
        await model.answer(TASK, lambda _text: None)
    assert sleeps == waits


@pytest.mark.parametrize(
    "script",
    [
        Script(status=429, headers={"Retry-After": str(LONGEST_WAIT + 1)}),
        Script(status=429, code="insufficient_quota"),
    ],
    ids=["too long", "no quota"],
)
async def test_an_endpoint_that_will_not_answer_soon_is_not_asked_again(script: Script) -> None:
    assert (await fault_of(script, answer, times=1)).reason == "rate_limited"


@pytest.mark.parametrize("work", [answer, grade])
async def test_silence_is_a_timeout_and_is_not_repeated(work: Work) -> None:
    endpoint = Endpoint(Script(fault="silence"))
    async with endpoint, asking(endpoint, HURRIED) as model:
        with pytest.raises(ModelFault, match="timeout") as caught:
            await work(model)
        assert len(endpoint.asked) <= 1  # none, if the machine was too slow to send it
        for asked in endpoint.asked:
            await asked.gone.wait()
    assert caught.value.call.outcome == "timeout"
    assert caught.value.call.ms >= 50


async def test_an_endpoint_that_is_not_there_is_unreachable() -> None:
    endpoint = Endpoint()
    await endpoint.start(0)
    await endpoint.stop()
    sleeps: list[float] = []
    async with asking(endpoint, sleeps=sleeps) as model:
        with pytest.raises(ModelFault, match="unreachable"):
            await answer(model)
    assert len(sleeps) == 2
