"""Tool calls come out of a stream as the model made them, however an endpoint cuts them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.adapters.openai_calls import LONGEST, MOST_CALLS, CallAssembler, arguments_of, calls_of
from chat.adapters.openai_faults import Failed
from chat.adapters.sse_merge import SseMerger
from chat.contracts.tasks import ToolCall
from tests.doubles.wire import Call, call_deltas, chunk

words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
numbers = st.integers(-(10**6), 10**6) | st.floats(allow_nan=False, allow_infinity=False)
values = st.recursive(
    words | numbers | st.booleans() | st.none(), lambda v: st.lists(v, max_size=3)
)
objects = st.dictionaries(words, values, max_size=3)
calls = st.lists(st.tuples(st.sampled_from(["search", "open"]), objects), min_size=1, max_size=4)


def fragment(
    name: str = "", arguments: str = "", *, index: int | None = 0, id: str | None = None
) -> dict[str, Any]:
    """One entry of a delta's `tool_calls`, without what is not given."""
    function = {"name": name} if name else {}
    made: dict[str, Any] = {"function": function | ({"arguments": arguments} if arguments else {})}
    made |= {} if index is None else {"index": index}
    return made | ({} if id is None else {"id": id})


def assembled(*fragments: Any) -> list[tuple[str, dict[str, Any] | None]]:
    """Names and arguments of a stream that brings one fragment a delta."""
    calls = CallAssembler()
    for entry in fragments:
        calls.take([entry])
    return [(call.tool, call.arguments) for call in calls.calls()]


@given(calls, st.integers(1, 9))
def test_calls_in_pieces_are_the_calls_that_were_made(
    made: list[tuple[str, dict[str, Any]]], size: int
) -> None:
    deltas = call_deltas(*(Call(name, json.dumps(given)) for name, given in made), size=size)
    assert assembled(*(delta["tool_calls"][0] for delta in deltas)) == made


@given(calls, st.integers(1, 9), st.lists(st.integers(1, 400), max_size=5))
def test_the_merger_of_text_leaves_tool_calls_unharmed(
    made: list[tuple[str, dict[str, Any]]], size: int, cuts: list[int]
) -> None:
    deltas = call_deltas(*(Call(name, json.dumps(given)) for name, given in made), size=size)
    stream = b"".join(chunk("m", {"content": "a"}) + chunk("m", delta) for delta in deltas)
    merger, out, at = SseMerger(), b"", 0
    for cut in [*cuts, len(stream)]:
        out, at = out + merger.feed(stream[at : at + cut]), at + cut
    events = [json.loads(block[6:]) for block in out.split(b"\n\n") if block]
    found = [event["choices"][0]["delta"].get("tool_calls") for event in events]
    assert assembled(*(entry[0] for entry in found if entry)) == made


def test_calls_without_an_index_are_told_apart_by_where_they_are_named() -> None:
    assert assembled(
        fragment("search", '{"q": ', index=None, id="a"),
        fragment("", '"one"}', index=None),
        fragment("search", '{"q": "two"}', index=None, id="b"),
    ) == [("search", {"q": "one"}), ("search", {"q": "two"})]


@pytest.mark.parametrize("ids", [("a", "b"), (None, None), ("", "")])
def test_calls_that_all_have_index_nought_stay_apart(ids: tuple[str | None, str | None]) -> None:
    assert assembled(
        fragment("search", '{"q": "one"}', id=ids[0]),
        fragment("search", '{"q": "two"}', id=ids[1]),
    ) == [("search", {"q": "one"}), ("search", {"q": "two"})]


def test_another_name_at_the_same_index_is_another_call() -> None:
    made = assembled(fragment("search", '{"q": 1'), fragment("open", '{"t": 2}'))
    assert made == [("search", None), ("open", {"t": 2})]


def test_a_name_and_an_id_that_are_repeated_make_no_new_call() -> None:
    made = assembled(
        fragment("search", "", id="a"),
        fragment("search", '{"q": ', id="a"),
        fragment("search", '"one"}', id="a"),
        fragment("search", "", id="a"),
    )
    assert made == [("search", {"q": "one"})]


def test_an_id_with_every_fragment_makes_no_new_call() -> None:
    made = assembled(fragment("search", '{"q":', id="a"), fragment("", ' "one"}', id="b"))
    assert made == [("search", {"q": "one"})]


def test_interleaved_calls_grow_each_by_its_index() -> None:
    made = assembled(
        fragment("search", '{"q": ', index=0, id="a"),
        fragment("open", '{"t": ', index=1, id="b"),
        fragment("", "1}", index=0),
        fragment("", "2}", index=1),
    )
    assert made == [("search", {"q": 1}), ("open", {"t": 2})]


@pytest.mark.parametrize(
    "given", [None, "calls", {"index": 0}, [None, 7, "x", {}, {"function": None}]]
)
def test_whatever_is_no_list_of_calls_is_passed_over(given: Any) -> None:
    calls = CallAssembler()
    calls.take(given)
    assert all(call.tool == "" and call.arguments is None for call in calls.calls())


def test_every_call_has_an_id_of_its_own() -> None:
    message = {
        "tool_calls": [
            {"id": "same", "function": {"name": "a", "arguments": "{}"}},
            {"id": "same", "function": {"name": "b", "arguments": "{}"}},
            {"function": {"name": "c", "arguments": {"as": "an object"}}},
        ]
    }
    assert calls_of(message) == (
        ToolCall(id="same", tool="a", arguments={}),
        ToolCall(id="call-1", tool="b", arguments={}),
        ToolCall(id="call-2", tool="c", arguments={"as": "an object"}),
    )


@given(st.lists(st.sampled_from(["", "a", "call-1", "call-2", "call-3"]), max_size=8))
def test_a_yes_to_one_call_cannot_count_for_another(ids: list[str]) -> None:
    calls = CallAssembler()
    for given_id in ids:
        calls.take_whole({"id": given_id, "function": {"name": "open", "arguments": "{}"}})
    assert len({call.id for call in calls.calls()}) == len(ids)


@pytest.mark.parametrize(
    "text",
    ["", "[]", '"x"', "7", "null", '{"a": ', "{'a': 1}", '{"a": NaN}', '{"a": 1e999}', "[" * 9_000],
)
def test_arguments_that_are_no_storable_object_are_none(text: str) -> None:
    assert arguments_of(text) is None


def test_text_in_arguments_can_be_stored() -> None:
    text = r'{"a\u0000": ["x\ud83d", {"b": "\u0000y"}], "n": 1.5}'
    assert arguments_of(text) == {"a": ["x\ufffd", {"b": "y"}], "n": 1.5}


def test_arguments_without_an_end_are_stopped() -> None:
    calls = CallAssembler()
    calls.take([fragment("search", "x" * LONGEST)])
    with pytest.raises(Failed, match="invalid"):
        calls.take([fragment("", "x")])


def test_calls_without_an_end_are_stopped() -> None:
    calls = CallAssembler()
    with pytest.raises(Failed, match="invalid"):
        for number in range(MOST_CALLS + 1):
            calls.take([fragment("search", "{}", index=number)])
