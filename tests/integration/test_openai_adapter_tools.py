"""Tools are bound to an answer; calls come whole out of the stream, pictures go along."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from chat.contracts.ports import ModelFault
from chat.contracts.tasks import AnswerTask, Draft, Image, ToolCall, ToolSpec
from tests.doubles.endpoint import Endpoint
from tests.doubles.openai_model import REFUND, SETTINGS, asking
from tests.doubles.wire import Call, Fault, Script

TOOL = ToolSpec(
    name="search_directory",
    description="Finds people and places",
    parameters={"type": "object", "properties": {"name": {"type": "string"}}},
)
IMAGE = Image(name="shot.png", media_type="image/jpeg", data="aGk=")
TASK = AnswerTask(question="Who repairs routers in Kiel?", passages=(REFUND,), tools=(TOOL,))
SEEING = TASK.model_copy(update={"images": (IMAGE,), "tools": ()})
TICKET = Call.of("open_ticket", subject="A router – é😀", text="x" * 40)
TEXT = Script(deltas=("It says so [1].",))


def calls(*made: Call, text: str = "", fault: Fault | None = None, after: int = 0) -> Script:
    deltas = (text,) if text else ()
    return Script(deltas=deltas, calls=made, finish="tool_calls", fault=fault, after=after)


async def test_tools_are_bound_as_functions_that_need_not_be_called() -> None:
    async with Endpoint(TEXT) as endpoint, asking(endpoint) as model:
        draft = (await model.answer(TASK, _nowhere)).value
    body = endpoint.asked[0].body
    assert [tool["function"]["name"] for tool in body["tools"]] == ["search_directory"]
    assert body["tools"][0]["function"]["parameters"] == TOOL.parameters
    assert (body["tool_choice"], body["stream"]) == ("auto", True)
    assert draft == Draft(text="It says so [1].")


async def test_several_calls_in_one_message_are_put_together_from_their_pieces() -> None:
    written: list[str] = []
    made = calls(Call.of("search_directory", name="Kiel"), TICKET, text="One moment. ")
    async with Endpoint(made) as endpoint, asking(endpoint) as model:
        reply = await model.answer(TASK, written.append)
    assert written == ["One moment. "]
    assert reply.value == Draft(
        text="One moment. ",
        calls=(
            ToolCall(id="call_1", tool="search_directory", arguments={"name": "Kiel"}),
            ToolCall(
                id="call_2",
                tool="open_ticket",
                arguments={"subject": "A router – é😀", "text": "x" * 40},
            ),
        ),
    )
    assert (reply.call.outcome, reply.call.tokens.total) == ("ok", 150)


async def test_a_call_without_a_word_before_it_is_a_draft() -> None:
    async with Endpoint(calls(TICKET)) as endpoint, asking(endpoint) as model:
        draft = (await model.answer(TASK, _nowhere)).value
    assert (draft.text, [call.tool for call in draft.calls]) == ("", ["open_ticket"])


@pytest.mark.parametrize("arguments", ['{"name": "Ki', "", "[]", '"Kiel"', "Kiel"])
async def test_arguments_that_are_no_object_are_none_and_the_call_is_told(arguments: str) -> None:
    made = calls(Call("search_directory", arguments), Call.of("no_such_tool", a=1))
    async with Endpoint(made) as endpoint, asking(endpoint) as model:
        draft = (await model.answer(TASK, _nowhere)).value
    assert [(call.tool, call.arguments) for call in draft.calls] == [
        ("search_directory", None),
        ("no_such_tool", {"a": 1}),
    ]


@pytest.mark.parametrize("fault", ["cut", "no_end", "error_event"])
async def test_a_stream_that_dies_in_a_call_is_tried_again_while_nothing_was_shown(
    fault: Fault,
) -> None:
    dying = calls(TICKET, fault=fault, after=3)
    async with Endpoint(dying, calls(TICKET)) as endpoint, asking(endpoint) as model:
        draft = (await model.answer(TASK, _nowhere)).value
    assert len(endpoint.asked) == 2
    assert [call.tool for call in draft.calls] == ["open_ticket"]
    assert draft.calls[0].arguments is not None


@pytest.mark.parametrize("fault", ["cut", "no_end", "error_event", "malformed"])
async def test_a_stream_that_dies_in_a_call_after_text_was_shown_gives_no_half_call(
    fault: Fault,
) -> None:
    arrived = asyncio.Event()

    async def step(number: int) -> None:
        if number == 3:
            await arrived.wait()

    dying = calls(TICKET, text="One moment. ", fault=fault, after=3)
    async with Endpoint(dying, TEXT, step=step) as endpoint, asking(endpoint) as model:
        with pytest.raises(ModelFault) as caught:
            await model.answer(TASK, lambda _text: arrived.set())
    assert len(endpoint.asked) == 1
    assert caught.value.call.outcome in ("failed", "invalid")


async def test_silence_in_a_call_is_a_timeout() -> None:
    endpoint = Endpoint(calls(TICKET, fault="silence", after=2))
    async with endpoint, asking(endpoint, replace(SETTINGS, timeout_ms=200)) as model:
        with pytest.raises(ModelFault, match="timeout"):
            await model.answer(TASK, _nowhere)


async def test_a_call_that_the_length_limit_cut_short_has_no_arguments() -> None:
    made = replace(calls(Call("open_ticket", '{"subject": "A rou')), finish="length")
    async with Endpoint(made) as endpoint, asking(endpoint) as model:
        draft = (await model.answer(TASK, _nowhere)).value
    assert [call.arguments for call in draft.calls] == [None]


async def test_a_call_that_nobody_offered_is_no_draft() -> None:
    task = TASK.model_copy(update={"tools": ()})
    async with Endpoint(calls(TICKET)) as endpoint, asking(endpoint) as model:
        with pytest.raises(ModelFault, match="invalid") as caught:
            await model.answer(task, _nowhere)
    assert caught.value.call.tokens.total == 150


async def test_an_endpoint_without_tools_answers_without_them_from_then_on() -> None:
    endpoint = Endpoint(TEXT, TEXT, modes=["json_schema", "none"])
    async with endpoint, asking(endpoint) as model:
        first = await model.answer(TASK, _nowhere)
        second = await model.answer(TASK, _nowhere)
    assert ["tools" in asked.body for asked in endpoint.asked] == [True, False, False]
    assert first.value.text == second.value.text == "It says so [1]."
    assert [first.call.outcome, second.call.outcome] == ["repaired", "ok"]


async def test_a_way_that_knows_no_tools_gets_none() -> None:
    settings = replace(SETTINGS, mode="prompted")
    async with Endpoint(TEXT) as endpoint, asking(endpoint, settings) as model:
        await model.answer(TASK, _nowhere)
    assert "tools" not in endpoint.asked[0].body


async def test_pictures_go_along_as_data_urls() -> None:
    async with Endpoint(TEXT) as endpoint, asking(endpoint) as model:
        await model.answer(SEEING, _nowhere)
    assert endpoint.asked[0].pictures == ["data:image/jpeg;base64,aGk="]
    assert "Who repairs routers" in endpoint.asked[0].prompt


async def test_a_model_that_cannot_see_is_asked_once_more_without_the_pictures() -> None:
    endpoint = Endpoint(TEXT, sees=False)
    async with endpoint, asking(endpoint) as model:
        reply = await model.answer(SEEING, _nowhere)
    assert [len(asked.pictures) for asked in endpoint.asked] == [1, 0]
    assert "Pictures came with the question that you cannot see" in endpoint.asked[1].prompt
    assert (reply.value.text, reply.call.outcome) == ("It says so [1].", "repaired")


async def test_a_refusal_that_names_nothing_is_tried_once_without_the_pictures() -> None:
    endpoint = Endpoint(Script(status=400), TEXT)
    async with endpoint, asking(endpoint) as model:
        reply = await model.answer(SEEING, _nowhere)
    assert [len(asked.pictures) for asked in endpoint.asked] == [1, 0]
    assert reply.call.outcome == "repaired"


async def test_a_server_that_breaks_on_pictures_is_asked_without_them_in_the_end() -> None:
    endpoint = Endpoint(*[Script(status=500)] * 3, TEXT)
    async with endpoint, asking(endpoint) as model:
        await model.answer(SEEING, _nowhere)
    assert [len(asked.pictures) for asked in endpoint.asked] == [1, 1, 1, 0]


async def test_an_endpoint_that_takes_neither_gets_neither_and_stops_there() -> None:
    task = TASK.model_copy(update={"images": (IMAGE,)})
    async with Endpoint(*[Script(status=400)] * 3, TEXT) as endpoint, asking(endpoint) as model:
        with pytest.raises(ModelFault, match="refused"):
            await model.answer(task, _nowhere)
        assert [("tools" in a.body, len(a.pictures)) for a in endpoint.asked] == [
            (True, 1),
            (True, 0),
            (False, 0),
        ]
        await model.answer(task, _nowhere)
    assert ("tools" in endpoint.asked[3].body, len(endpoint.asked[3].pictures)) == (True, 1)


async def test_a_wrong_key_is_not_taken_for_blindness() -> None:
    endpoint = Endpoint(Script(status=401))
    async with endpoint, asking(endpoint) as model:
        with pytest.raises(ModelFault, match="refused"):
            await model.answer(SEEING, _nowhere)
    assert len(endpoint.asked) == 1


def _nowhere(_text: str) -> None:
    """For tests that look at the value alone."""
