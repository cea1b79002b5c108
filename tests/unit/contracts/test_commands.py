"""What a client may say: every command is read, and everything else is refused by name."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.contracts.commands import (
    MAX_FRAME,
    MAX_QUESTION,
    Ask,
    Confirm,
    Edit,
    Feedback,
    Ping,
    Regenerate,
    Reply,
    Resume,
    Select,
    Stop,
    parse,
)
from chat.contracts.errors import BadFrame, ChatError, TooLarge

ID = "6b6f0a76-3b5a-4a43-9a5c-5d9f4a5a3b11"

FRAMES: list[tuple[dict[str, Any], type]] = [
    ({"type": "ask", "text": "How long?", "client_id": ID}, Ask),
    ({"type": "reply", "turn": ID, "text": "The small one"}, Reply),
    ({"type": "confirm", "turn": ID, "action": "a1", "approved": True}, Confirm),
    ({"type": "stop", "turn": ID}, Stop),
    ({"type": "regenerate", "turn": ID}, Regenerate),
    ({"type": "edit", "message": ID, "text": "How long now?", "client_id": ID}, Edit),
    ({"type": "select", "message": ID}, Select),
    ({"type": "feedback", "turn": ID, "vote": "up", "reason": "clear", "note": "Thanks"}, Feedback),
    ({"type": "resume", "turn": ID, "after": 12}, Resume),
    ({"type": "ping"}, Ping),
]
ASK: dict[str, Any] = FRAMES[0][0]


def named(case: tuple[dict[str, Any], type]) -> str:
    return str(case[0]["type"])


def without(frame: dict[str, Any], field: str) -> dict[str, Any]:
    return {key: value for key, value in frame.items() if key != field}


def missing_fields() -> list[dict[str, Any]]:
    optional = {"reason", "note", "after"}
    return [without(frame, f) for frame, _ in FRAMES for f in frame if f not in optional]


@pytest.mark.parametrize("case", FRAMES, ids=named)
def test_a_command_is_read(case: tuple[dict[str, Any], type]) -> None:
    frame, kind = case
    command = parse(json.dumps(frame))
    assert type(command) is kind
    assert command.model_dump(mode="json") == frame


@pytest.mark.parametrize("frame", missing_fields(), ids=str)
def test_a_command_without_a_field_is_refused(frame: dict[str, Any]) -> None:
    with pytest.raises(BadFrame):
        parse(json.dumps(frame))


@pytest.mark.parametrize("case", FRAMES, ids=named)
def test_a_field_that_no_command_has_is_refused(case: tuple[dict[str, Any], type]) -> None:
    with pytest.raises(BadFrame):
        parse(json.dumps(case[0] | {"admin": True}))


@pytest.mark.parametrize(
    "frame",
    [None, "", "{", "nonsense", "null", "12", '"ask"', "[]", "{}", "NaN", '{"type": "dance"}']
    + ['{"type": ["ask"]}', '{"type": null}', '{"type": {"type": "ask"}}', "\x00", "1" * 5_000],
)
def test_what_is_no_command_is_refused(frame: str | None) -> None:
    with pytest.raises(BadFrame):
        parse(frame)


@pytest.mark.parametrize("field", ["text", "client_id"])
@pytest.mark.parametrize("value", [7, None, True, ["How long?"], {"text": "How long?"}])
def test_a_field_of_another_type_is_refused(field: str, value: Any) -> None:
    with pytest.raises(BadFrame):
        parse(json.dumps(ASK | {field: value}))


@pytest.mark.parametrize("opening", ["[", '{"type":', '{"type": "ask", "text": ['])
def test_deep_nesting_is_refused(opening: str) -> None:
    with pytest.raises(BadFrame):
        parse(opening * (MAX_FRAME // len(opening)))


def test_nesting_that_json_still_reads_is_refused() -> None:
    with pytest.raises(BadFrame):
        parse('{"type": "ask", "text": ' + "[" * 800 + "]" * 800 + "}")


@pytest.mark.parametrize("text", ["", "   ", "\n\t"])
def test_a_blank_question_is_refused(text: str) -> None:
    with pytest.raises(BadFrame):
        parse(json.dumps(ASK | {"text": text}))


@pytest.mark.parametrize("text", ["a\x00b", "\x00", "half \ud800 a character"])
def test_characters_that_the_database_cannot_hold_are_refused(text: str) -> None:
    with pytest.raises(BadFrame):
        parse(json.dumps(ASK | {"text": text}))


def test_a_question_at_the_limit_is_read_without_the_space_around_it() -> None:
    command = parse(json.dumps(ASK | {"text": "  " + "a" * MAX_QUESTION + "  "}))
    assert isinstance(command, Ask)
    assert len(command.text) == MAX_QUESTION


@pytest.mark.parametrize("length", [MAX_QUESTION + 1, 1_000_000])
def test_an_over_long_question_is_too_large(length: int) -> None:
    with pytest.raises(TooLarge):
        parse(json.dumps(ASK | {"text": "a" * length}))


def test_a_frame_over_its_limit_is_too_large_whatever_it_says() -> None:
    with pytest.raises(TooLarge):
        parse("x" * (MAX_FRAME + 1))


def test_a_negative_number_to_resume_from_is_refused() -> None:
    with pytest.raises(BadFrame):
        parse(json.dumps({"type": "resume", "turn": ID, "after": -1}))


def test_the_refusal_says_nothing_of_the_frame() -> None:
    with pytest.raises(BadFrame) as refused:
        parse('{"type": "ask", "text": "secret words"}')
    assert "secret" not in refused.value.public
    assert refused.value.__cause__ is None


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)
kinds = st.sampled_from([named(case) for case in FRAMES]) | values
fields = st.sampled_from(["type", "text", "turn", "client_id", "after", "vote", "message", "note"])


@given(st.text())
def test_no_text_leaves_the_parser_by_any_other_error(frame: str) -> None:
    with pytest.raises(ChatError):
        parse(frame)


@given(kind=kinds, rest=st.dictionaries(fields, values | st.just(ID), max_size=5))
def test_no_object_leaves_the_parser_by_any_other_error(kind: Any, rest: dict[str, Any]) -> None:
    try:
        parse(json.dumps({**rest, "type": kind}))
    except ChatError as error:
        assert error.code in ("bad_frame", "too_large")
