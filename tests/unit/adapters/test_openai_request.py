"""A request is plain where it can be, and leaves out what an endpoint refuses."""

from __future__ import annotations

import pytest

from chat.adapters.openai_request import Request, request_of
from chat.agent.prompts.parts import UNSEEN, Prompt
from chat.contracts.tasks import Image, ToolSpec

IMAGE = Image(name="shot.png", media_type="image/png", data="aGk=")
TOOL = ToolSpec(name="look", description="Looks it up", parameters={"type": "object"})
NOTHING = frozenset[str]()


def request(*, images: bool = False, tools: bool = False) -> Request:
    return Request(
        "m",
        [("system", "rules"), ("user", "question")],
        images=(IMAGE,) if images else (),
        tools=(TOOL,) if tools else (),
    )


def test_text_alone_is_sent_as_plain_strings() -> None:
    body = request().body(NOTHING)
    assert body["messages"] == [
        {"role": "system", "content": "rules"},
        {"role": "user", "content": "question"},
    ]
    assert "tools" not in body
    assert "stream_options" not in body


def test_a_stream_asks_for_usage_unless_that_was_refused() -> None:
    assert request().body(NOTHING, stream=True)["stream_options"] == {"include_usage": True}
    body = request().body(frozenset({"stream_options"}), stream=True)
    assert body["stream"] is True
    assert "stream_options" not in body


def test_a_picture_stands_beside_the_question_as_a_data_url() -> None:
    made = request_of("m", Prompt("p-1", "rules", "question", (IMAGE,))).body(NOTHING)
    assert made["messages"][1]["content"] == [
        {"type": "text", "text": "question"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,aGk="}},
    ]


def test_a_model_that_gets_no_picture_is_told_that_there_was_one() -> None:
    messages = request(images=True).body(frozenset({"images"}))["messages"]
    assert messages[0]["content"] == f"rules\n\n{UNSEEN}"
    assert messages[1]["content"] == "question"


def test_tools_are_offered_as_functions_and_never_demanded() -> None:
    body = request(tools=True).body(NOTHING)
    function = {"name": "look", "description": "Looks it up", "parameters": {"type": "object"}}
    assert body["tools"] == [{"type": "function", "function": function}]
    assert body["tool_choice"] == "auto"
    plain = request(tools=True).body(frozenset({"tools"}))
    assert {"tools", "tool_choice"} & plain.keys() == set()


@pytest.mark.parametrize(
    ("made", "extras"),
    [
        (request(), ()),
        (request(images=True), ("images",)),
        (request(tools=True), ("tools",)),
        (request(images=True, tools=True), ("images", "tools")),
    ],
)
def test_pictures_are_given_up_before_tools(made: Request, extras: tuple[str, ...]) -> None:
    assert made.extras == extras
