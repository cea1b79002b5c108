"""Under which key a call is known again: what is a part of it, and what is not."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.contracts.tasks import AnswerTask, Image, ToolCall
from chat.taping.asked import Asked, canonical, referred
from tests.factories import hit, passage


def key(method: str = "grade", identity: tuple[Any, ...] = ("model",), **inputs: Any) -> str:
    asked = Asked("model", method, method, inputs, identity)
    return asked.key(asked.plain())


def run(call: ToolCall, *, confirmed: bool = False) -> str:
    asked = Asked("tool", "run", call.tool, {"call": call, "confirmed": confirmed})
    return asked.key(asked.plain())


def test_equal_inputs_have_an_equal_key() -> None:
    assert key(question="How long?", passage=passage()) == key(
        question="How long?", passage=passage()
    )


@pytest.mark.parametrize(
    "other",
    [
        {"question": "How much?", "passage": passage()},
        {"question": "How long?", "passage": passage(text="Other words.")},
        {"question": "How long?", "passage": passage(version=2)},
        {"method": "check", "question": "How long?", "passage": passage()},
        {"identity": ("another model",), "question": "How long?", "passage": passage()},
    ],
)
def test_another_input_method_or_model_has_another_key(other: dict[str, Any]) -> None:
    assert key(**other) != key(question="How long?", passage=passage())


def test_a_list_and_a_tuple_are_the_same_input() -> None:
    assert key("neighbours", chunks=["a", "b"]) == key("neighbours", chunks=("a", "b"))


def test_the_number_that_a_model_gives_its_call_is_no_part_of_it() -> None:
    first = ToolCall(id="1", tool="search", arguments={"a": 1, "b": 2})
    again = ToolCall(id="call-7", tool="search", arguments={"b": 2, "a": 1})
    assert run(first) == run(again)
    assert run(first) != run(first, confirmed=True)
    assert run(first) != run(ToolCall(id="1", tool="search", arguments={"a": 2, "b": 2}))


def test_a_picture_counts_by_its_digest_and_is_not_in_what_was_given() -> None:
    def asked(data: str) -> Asked:
        picture = Image(name="screen.png", media_type="image/png", data=data)
        task = AnswerTask(question="What is it?", passages=(), images=(picture,))
        return Asked("model", "answer", "answer", {"task": task})

    one, other = asked("QUJD"), asked("REVG")
    assert one.key(one.plain()) != other.key(other.plain())
    assert "QUJD" not in repr(one.plain())
    assert one.plain()["task"]["images"][0]["name"] == "screen.png"


def test_passages_stand_by_name_wherever_they_are() -> None:
    asked = Asked("search", "terms", "terms", {"query": "q", "hits": (hit(passage()),), "limit": 3})
    shown = referred(asked.plain())
    named = {"chunk": "refunds#timing", "document": "refunds", "version": 1}
    assert shown["hits"][0]["passage"] == named
    assert shown["hits"][0]["score"] == 1.0


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(value=VALUES)
def test_the_order_of_fields_changes_nothing(value: Any) -> None:
    assert canonical(value) == canonical(_turned(value))


def _turned(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _turned(value[name]) for name in reversed(value)}
    return [_turned(each) for each in value] if isinstance(value, list) else value


@given(one=VALUES, other=VALUES)
def test_different_values_have_different_bytes(one: Any, other: Any) -> None:
    if repr(one) != repr(other) and one != other:
        assert canonical(one) != canonical(other)
