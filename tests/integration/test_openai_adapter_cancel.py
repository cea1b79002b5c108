"""Whoever stops waiting closes the connection, so that the endpoint stops working too."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from chat.adapters.llm_openai import OpenAiModel
from chat.contracts.tasks import AnswerTask
from tests.doubles.endpoint import Endpoint
from tests.doubles.openai_model import REFUND, SETTINGS, asking
from tests.doubles.wire import Script

TASK = AnswerTask(question="How long does a refund take?", passages=(REFUND,))
PROBING = replace(SETTINGS, mode=None)
SILENT = Script(fault="silence")


async def stop(endpoint: Endpoint, work: asyncio.Future[Any], when: asyncio.Event) -> None:
    async with asyncio.timeout(10):
        await when.wait()
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work
        await endpoint.asked[0].gone.wait()


async def test_stopping_in_the_middle_of_a_stream_keeps_what_was_written() -> None:
    written: list[str] = []
    arrived = asyncio.Event()

    def write(text: str) -> None:
        written.append(text)
        arrived.set()

    script = Script(deltas=("In 5",), fault="silence", after=1)
    async with Endpoint(script) as endpoint, asking(endpoint) as model:
        await stop(endpoint, asyncio.create_task(model.answer(TASK, write)), arrived)
    assert written == ["In 5"]


@pytest.mark.parametrize(
    "work",
    [
        lambda model: model.answer(TASK, lambda _text: None),
        lambda model: model.grade(TASK.question, REFUND),
    ],
    ids=["before the first token", "a whole reply"],
)
async def test_stopping_a_silent_request_ends_it(
    work: Callable[[OpenAiModel], Awaitable[object]],
) -> None:
    arrived = asyncio.Event()
    async with Endpoint(SILENT, arrived=arrived.set) as endpoint, asking(endpoint) as model:
        await stop(endpoint, asyncio.ensure_future(work(model)), arrived)
    assert len(endpoint.asked) == 1


async def test_a_stopped_probe_leaves_the_next_question_free_to_probe() -> None:
    ready = Script(answer={"label": "READY"})
    arrived = asyncio.Event()
    endpoint = Endpoint(SILENT, ready, Script(answer={"label": "ANSWERS"}), arrived=arrived.set)
    async with endpoint, asking(endpoint, PROBING) as model:
        await stop(endpoint, asyncio.create_task(model.grade(TASK.question, REFUND)), arrived)
        await model.grade(TASK.question, REFUND)
    assert len(endpoint.asked) == 3
