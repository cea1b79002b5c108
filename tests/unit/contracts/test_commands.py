"""What a client may say: every command is read, and everything else is refused by name."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.contracts.commands import (
    LONGEST_TYPED,
    MAX_FILE,
    MAX_FILES,
    MAX_FRAME,
    MAX_NAME,
    MAX_QUESTION,
    MAX_TYPED_FRAME,
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
from chat.contracts.errors import BadFrame, ChatError, TooLarge, UploadRefused

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
FILE: dict[str, Any] = {"name": "plan.pdf", "media_type": "application/pdf", "data": "JVBERi0="}
BARE: dict[str, Any] = {"attachments": []}  # what an ask without files is read as


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
    assert command.model_dump(mode="json") == ({**frame, **BARE} if kind is Ask else frame)


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
        parse(opening * (MAX_TYPED_FRAME // len(opening)))


def test_deep_nesting_in_a_frame_with_files_is_refused() -> None:
    with pytest.raises(BadFrame):
        parse('{"type": "ask", "attachments": ' + "[" * 1_000_000)


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


def test_a_reply_has_room_for_what_is_typed_and_for_no_document() -> None:
    reply = {"type": "reply", "turn": ID, "text": "a" * LONGEST_TYPED}
    assert isinstance(parse(json.dumps(reply)), Reply)
    with pytest.raises(TooLarge):
        parse(json.dumps(reply | {"text": "a" * (LONGEST_TYPED + 1)}))


@pytest.mark.parametrize("length", [MAX_TYPED_FRAME + 1, 1_000_000, MAX_FRAME + 1])
def test_a_frame_over_its_limit_is_too_large_whatever_it_says(length: int) -> None:
    with pytest.raises(TooLarge):
        parse("x" * length)


def with_files(*files: dict[str, Any], **changed: Any) -> str:
    return json.dumps(ASK | {"attachments": list(files)} | changed)


def test_an_ask_brings_its_files_as_they_came() -> None:
    command = parse(with_files(FILE, FILE | {"name": "second, “b”.md"}))
    assert isinstance(command, Ask)
    assert [file.name for file in command.attachments] == ["plan.pdf", "second, “b”.md"]
    assert command.attachments[0].model_dump() == FILE


def test_three_files_of_the_greatest_size_fit_into_a_frame() -> None:
    whole = FILE | {"data": "A" * (-(-MAX_FILE // 3) * 4)}
    command = parse(with_files(*[whole] * MAX_FILES, text="a" * MAX_QUESTION))
    assert isinstance(command, Ask)
    assert len(command.attachments) == MAX_FILES


def test_more_files_than_that_are_too_large_and_say_so() -> None:
    with pytest.raises(TooLarge, match="5 MB"):
        parse(with_files(FILE | {"data": "A" * MAX_FRAME}))


def test_a_fourth_file_is_refused() -> None:
    with pytest.raises(UploadRefused, match="At most 3 files"):
        parse(with_files(*[FILE] * (MAX_FILES + 1)))


@pytest.mark.parametrize(
    "name", ["../plan.pdf", "/etc/passwd", "C:\\plan.pdf", "a\nb.pdf", "a\x00.pdf", "\x9f.pdf"]
)
def test_a_name_with_a_path_or_a_control_character_is_refused(name: str) -> None:
    with pytest.raises(UploadRefused, match="Rename") as refused:
        parse(with_files(FILE | {"name": name}))
    assert name not in refused.value.public


def test_an_over_long_name_is_refused() -> None:
    assert parse(with_files(FILE | {"name": "a" * MAX_NAME}))
    with pytest.raises(UploadRefused, match="120 characters"):
        parse(with_files(FILE | {"name": "a" * (MAX_NAME + 1)}))


@pytest.mark.parametrize(
    "file",
    [
        without(FILE, "name"),
        without(FILE, "media_type"),
        without(FILE, "data"),
        FILE | {"data": ""},
        FILE | {"data": 7},
        FILE | {"data": "\ud800"},
        FILE | {"name": ""},
        FILE | {"name": "  "},
        FILE | {"path": "/tmp"},
        "plan.pdf",
        None,
    ],
)
def test_what_is_no_file_is_refused(file: Any) -> None:
    with pytest.raises((BadFrame, UploadRefused)):
        parse(with_files(file))


@pytest.mark.parametrize("kind", [kind for _, kind in FRAMES if kind is not Ask], ids=str)
def test_only_an_ask_brings_files(kind: type) -> None:
    frame = next(frame for frame, each in FRAMES if each is kind)
    with pytest.raises(BadFrame):
        parse(json.dumps(frame | {"attachments": [FILE]}))


def test_files_make_no_room_for_other_text() -> None:
    for padded in (
        {"text": "a" * MAX_QUESTION, "client_id": " " * MAX_TYPED_FRAME + ID},
        {"attachments": [FILE | {"media_type": "a" * MAX_TYPED_FRAME}]},
    ):
        with pytest.raises((TooLarge, BadFrame)):
            parse(with_files(FILE, **padded))
    with pytest.raises(TooLarge):
        parse(with_files(FILE) + " " * MAX_TYPED_FRAME)


def test_a_frame_of_countless_values_is_refused_before_they_are_made() -> None:
    with pytest.raises(TooLarge):
        parse('{"type": "ask", "attachments": [' + "[]," * 1_000_000 + "[]]}")


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
fields = st.sampled_from(
    ["type", "text", "turn", "client_id", "after", "vote", "message", "note", "attachments"]
)
files = st.lists(
    st.dictionaries(st.sampled_from(["name", "media_type", "data", "more"]), values | st.text())
    | values,
    max_size=5,
)
CODES = ("bad_frame", "too_large", "upload_refused")


@given(st.text())
def test_no_text_leaves_the_parser_by_any_other_error(frame: str) -> None:
    with pytest.raises(ChatError):
        parse(frame)


@given(kind=kinds, rest=st.dictionaries(fields, values | st.just(ID), max_size=5))
def test_no_object_leaves_the_parser_by_any_other_error(kind: Any, rest: dict[str, Any]) -> None:
    try:
        parse(json.dumps({**rest, "type": kind}))
    except ChatError as error:
        assert error.code in CODES


@given(files)
def test_no_list_of_files_leaves_the_parser_by_any_other_error(given_files: list[Any]) -> None:
    try:
        command = parse(with_files(*given_files))
    except ChatError as error:
        assert error.code in CODES
    else:
        assert isinstance(command, Ask)
