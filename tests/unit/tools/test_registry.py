"""The registry answers every call with a result, whatever the model sent or the tool does."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.contracts.tasks import ToolCall, ToolResult
from chat.tools.base import CannotRun, Found
from chat.tools.registry import LONGEST_TEXT, NAMED_PROBLEMS, Registry
from tests.unit.tools.tools import Does, Words, call, cancel_itself, hang, raise_, say


class Counted:
    """What the registry counted."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, str]] = []

    def __call__(self, tool: str, outcome: str) -> None:
        self.calls.append((tool, outcome))


@pytest.fixture
def counted() -> Counted:
    return Counted()


async def run(
    tool: Does, made: ToolCall, counted: Counted | None = None, key: str = ""
) -> ToolResult:
    return await Registry([tool], count=counted or Counted()).run(made, key)


async def test_a_good_call_gives_what_the_tool_found(counted: Counted) -> None:
    result = await run(Does(cost=0.01), call(text="hi", times=2), counted)
    assert (result.text, result.summary, result.problem) == ("hihi", "Said", "")
    assert (result.cost, result.call.id) == (0.01, "call-1")
    assert counted.calls == [("echo", "ok")]


async def test_an_unknown_tool_is_named_nowhere_but_in_its_call(counted: Counted) -> None:
    result = await run(Does(), call("rm", text="hi"), counted)
    assert (result.problem, result.cost) == ("unknown_tool", 0.0)
    assert result.text == "There is no such tool. There are: echo."
    assert counted.calls == [("unknown", "unknown_tool")]


BAD: dict[str, Any] = {
    "nothing": {},
    "a further field": {"text": "hi", "key": "forged"},
    "another type": {"text": 7},
    "a list": {"text": ["hi"]},
    "a number as text": {"text": "hi", "times": "2"},
    "true for a number": {"text": "hi", "times": True},
    "a fraction": {"text": "hi", "times": 1.5},
    "too long": {"text": "x" * 11},
    "too short": {"text": ""},
    "too many": {"text": "hi", "times": 4},
    "null for what is needed": {"text": None},
    "a check that breaks": {"text": "break"},
}


@pytest.mark.parametrize("arguments", BAD.values(), ids=BAD)
async def test_bad_arguments_reach_no_tool(arguments: Any, counted: Counted) -> None:
    tool, made = Does(), call(arguments=arguments)
    result = await run(tool, made, counted)
    assert (result.problem, tool.keys) == ("bad_arguments", [])
    assert counted.calls == [("echo", "bad_arguments")]
    assert Registry([tool]).problem(made) == "bad_arguments"
    assert Registry([tool]).summary(made) == "echo"


async def test_arguments_that_could_not_be_read_are_bad_ones() -> None:
    unread = ToolCall(id="1", tool="echo", arguments=None)
    assert (await run(Does(), unread)).problem == "bad_arguments"
    assert Registry([Does()]).problem(unread) == "bad_arguments"


async def test_a_null_for_what_need_not_be_given_is_not_given() -> None:
    assert (await run(Does(), call(arguments={"text": "hi", "times": None}))).text == "hi"


async def test_the_model_hears_which_argument_is_wrong_and_never_its_value() -> None:
    result = await run(Does(), call(arguments={"text": "password", "times": "hunter2"}))
    assert "times: Input should be a valid integer" in result.text
    assert "hunter2" not in result.text


async def test_a_heap_of_made_up_arguments_does_not_fill_the_prompt() -> None:
    heap = {"text": "hi"} | {f"{'x' * 500}{number}": number for number in range(200)}
    text = (await run(Does(), call(arguments=heap))).text
    assert text.count("Extra inputs") == NAMED_PROBLEMS
    assert len(text) < 1_000


async def test_a_tool_that_raises_has_failed_and_its_words_stay_here(counted: Counted) -> None:
    result = await run(Does(raise_), call(text="hi"), counted)
    assert result.problem == "failed"
    assert "secret" not in result.text + result.summary
    assert counted.calls == [("echo", "failed")]


async def test_a_tool_that_gives_up_says_why() -> None:
    async def refuse(_arguments: Words, _key: str) -> Found:
        raise CannotRun("Not on a Sunday.")

    result = await run(Does(refuse), call(text="hi"))
    assert (result.problem, result.text) == ("failed", "Not on a Sunday.")


async def test_a_tool_that_cancels_itself_has_failed() -> None:
    assert (await run(Does(cancel_itself), call(text="hi"))).problem == "failed"


async def test_a_tool_that_hangs_is_left_after_its_own_time(counted: Counted) -> None:
    result = await run(Does(hang, timeout_ms=1, cost=0.02), call(text="hi"), counted)
    assert (result.problem, result.cost) == ("timeout", 0.02)
    assert counted.calls == [("echo", "timeout")]


async def test_a_tool_that_takes_no_notice_of_being_cancelled_is_left_too() -> None:
    let_go = asyncio.Event()

    async def stubborn(_arguments: Words, _key: str) -> Found:
        while not let_go.is_set():
            try:
                await let_go.wait()
            except asyncio.CancelledError:
                continue
        return Found(text="late", summary="late")

    async with asyncio.timeout(10):
        result = await run(Does(stubborn, timeout_ms=1), call(text="hi"))
    assert result.problem == "timeout"
    let_go.set()


async def test_an_action_that_took_too_long_is_neither_done_nor_undone() -> None:
    tool = Does(hang, timeout_ms=1, irreversible=True)
    result = await run(tool, call(text="hi"), key="yes")
    assert "not known yet" in result.text


async def test_a_stop_ends_the_tool_as_well() -> None:
    heard = asyncio.Event()

    async def waits(_arguments: Words, _key: str) -> Found:
        try:
            return await hang(_arguments, _key)
        finally:
            heard.set()

    task = asyncio.create_task(run(Does(waits), call(text="hi")))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    async with asyncio.timeout(10):
        await heard.wait()


async def test_several_calls_run_side_by_side_and_one_that_fails_harms_no_other() -> None:
    registry = Registry([Does(), Does(raise_, name="broken")], count=Counted())
    made = (call(text="a"), call("broken", text="b"), call("none"), call(text="c"))
    results = await asyncio.gather(*(registry.run(each, "") for each in made))
    assert [each.problem for each in results] == ["", "failed", "unknown_tool", ""]


async def test_an_irreversible_tool_without_a_key_does_nothing(counted: Counted) -> None:
    tool = Does(irreversible=True)
    result = await run(tool, call(text="hi"), counted)
    assert (result.problem, tool.keys) == ("not_confirmed", [])
    assert counted.calls == [("echo", "not_confirmed")]


@pytest.mark.parametrize("name", ["key", "confirmed", "approved", "action"])
async def test_a_model_cannot_bring_a_confirmation_of_its_own(name: str) -> None:
    tool = Does(irreversible=True)
    result = await run(tool, call(arguments={"text": "hi", name: "yes"}))
    assert (result.problem, tool.keys) == ("bad_arguments", [])


async def test_the_key_goes_to_the_tool_beside_its_arguments() -> None:
    tool = Does(irreversible=True)
    await run(tool, call(text="hi"), key="pause-1")
    assert tool.keys == ["pause-1"]


async def test_a_very_long_result_is_cut() -> None:
    async def talk(_arguments: Words, _key: str) -> Found:
        return Found(text="x" * (LONGEST_TEXT + 1), summary="")

    assert len((await run(Does(talk), call(text="hi"))).text) == LONGEST_TEXT


def test_the_summary_is_the_tools_own() -> None:
    registry = Registry([Does()])
    assert registry.summary(call(text="hi")) == "Say “hi”."
    assert registry.problem(call(text="hi")) == ""


def test_the_name_of_an_unknown_tool_is_shown_short_and_plain() -> None:
    made = call(f"\u202egnihton\n{'x' * 500}")
    assert Registry([Does()]).problem(made) == "unknown_tool"
    assert Registry([Does()]).summary(made).startswith("gnihton xxx")
    assert len(Registry([Does()]).summary(made)) == 60


def test_two_tools_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="same name"):
        Registry([Does(say), Does(raise_)])


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@given(st.text(), st.none() | st.dictionaries(st.text() | st.just("text"), json_values, max_size=4))
def test_whatever_a_model_sends_is_answered(name: str, arguments: Any) -> None:
    registry = Registry([Does(irreversible=True)], count=Counted())
    for tool in (name, "echo"):
        made = ToolCall(id="1", tool=tool, arguments=arguments)
        assert isinstance(registry.summary(made), str)
        assert registry.problem(made) in ("", "unknown_tool", "bad_arguments")
        assert asyncio.run(registry.run(made, "")).problem
