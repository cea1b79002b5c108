"""Tools: run within their limits, and never without a yes where there is no way back."""

from __future__ import annotations

from typing import Any

import pytest

from chat.agent.nodes import tools
from chat.contracts.events import Tool
from chat.contracts.ports import Ports
from chat.contracts.tasks import Pause, PauseReply, ToolCall, ToolResult
from chat.contracts.verdicts import Termination
from tests.doubles.tools import DIRECTORY, TICKET, Tools
from tests.factories import planned_state, ports

LOOKUP = ToolCall(id="1", tool=DIRECTORY.name, arguments={"kind": "partner"})
OPEN = ToolCall(id="2", tool=TICKET.name, arguments={"subject": "Down", "description": "It is."})
SUMMARY = Tools().summary(OPEN)


def working(box: Tools | None = None, reply: PauseReply | None = None, **settings: Any) -> Ports:
    others: dict[str, Any] = {"tools": box or Tools()}
    if reply is not None:
        others["ask"] = lambda _pause: reply
    return ports(others=others, **settings)


def calling(given: Ports, *calls: ToolCall, **changed: Any) -> Any:
    return planned_state(given, **{"tool_calls": calls, **changed})


# ---- confirm_action


async def test_exactly_what_would_be_done_is_shown() -> None:
    shown: list[Pause] = []

    def person(pause: Pause) -> PauseReply:
        shown.append(pause)
        return PauseReply(approved=True, key="k")

    given = ports(others={"tools": Tools(), "ask": person})
    await tools.confirm_action(calling(given, LOOKUP, OPEN, pending_action=SUMMARY), given)
    assert shown == [Pause(kind="action", question=SUMMARY, tool=TICKET.name, irreversible=True)]


async def test_a_yes_gives_the_key_under_which_it_is_done() -> None:
    given = working(reply=PauseReply(approved=True, key="pause-7"))
    update = await tools.confirm_action(calling(given, OPEN, pending_action=SUMMARY), given)
    assert (update["confirmed"], update["confirmations"]) == ("pause-7", 1)
    assert "tool_calls" not in update


@pytest.mark.parametrize(
    "reply",
    [
        PauseReply(approved=False, key="k"),
        PauseReply(expired=True, key="k"),
        PauseReply(approved=True, expired=True, key="k"),
        PauseReply(approved=True),  # a yes that no pause of ours stands for
    ],
    ids=str,
)
async def test_anything_but_a_yes_does_nothing_and_is_told_to_the_model(reply: PauseReply) -> None:
    box = Tools()
    given = working(box, reply)
    update = await tools.confirm_action(calling(given, OPEN, pending_action=SUMMARY), given)
    assert (update["declined"], update["tool_calls"]) == (True, ())
    assert [r.problem for r in update["tool_results"]] == ["declined"]
    assert box.ran == []


# ---- tool_execution


async def test_a_confirmed_action_is_run_under_its_key() -> None:
    box = Tools()
    given = working(box)
    update = await tools.tool_execution(calling(given, OPEN, confirmed="pause-7"), given)
    assert box.ran == [(TICKET.name, "pause-7")]
    assert (update["tool_calls"], update["confirmed"], update["tool_rounds"]) == ((), "", 1)


async def test_the_model_cannot_confirm_in_the_persons_name() -> None:
    box = Tools()
    forged = ToolCall(
        id="2", tool=TICKET.name, arguments={"subject": "s", "confirmed": True, "key": "forged"}
    )
    given = working(box)
    update = await tools.tool_execution(calling(given, forged), given)
    assert [r.problem for r in update["tool_results"]] == ["not_confirmed"]
    assert box.ran == []


async def test_one_yes_stands_for_one_action() -> None:
    box = Tools()
    second = OPEN.model_copy(update={"id": "3"})
    given = working(box)
    update = await tools.tool_execution(calling(given, OPEN, second, confirmed="k"), given)
    assert box.ran == [(TICKET.name, "k")]
    assert [r.problem for r in update["tool_results"]] == ["", "tool_cap"]


async def test_several_calls_of_one_message_are_all_answered() -> None:
    given = working()
    other = LOOKUP.model_copy(update={"id": "9"})
    update = await tools.tool_execution(calling(given, LOOKUP, other), given)
    assert [r.call.id for r in update["tool_results"]] == ["1", "9"]
    told = [body for body in update["emit"] if isinstance(body, Tool)]
    assert [(t.tool, t.phase) for t in told] == [(DIRECTORY.name, "done")] * 2


@pytest.mark.parametrize(
    ("call", "problem"),
    [
        (ToolCall(id="1", tool="make_coffee", arguments={}), "unknown_tool"),
        (ToolCall(id="1", tool=DIRECTORY.name, arguments=None), "bad_arguments"),
    ],
)
async def test_a_call_that_cannot_be_run_is_told_to_the_model(call: ToolCall, problem: str) -> None:
    given = working()
    update = await tools.tool_execution(calling(given, call), given)
    assert [r.problem for r in update["tool_results"]] == [problem]
    assert [t.phase for t in update["emit"] if isinstance(t, Tool)] == [problem]


@pytest.mark.parametrize("problem", ["failed", "timeout"])
async def test_a_tool_that_fails_or_hangs_is_told_and_the_turn_goes_on(problem: str) -> None:
    given = working(Tools(problems={DIRECTORY.name: problem}))
    update = await tools.tool_execution(calling(given, LOOKUP), given)
    assert [r.problem for r in update["tool_results"]] == [problem]
    assert update["budget_hit"] is None


async def test_a_call_over_its_tools_limit_is_not_run_and_caps_the_turn() -> None:
    box = Tools()
    earlier = tuple(ToolResult(call=LOOKUP, text="found") for _ in range(DIRECTORY.limit))
    given = working(box)
    update = await tools.tool_execution(calling(given, LOOKUP, tool_results=earlier), given)
    assert box.ran == []
    assert update["tool_results"][-1].problem == "tool_cap"
    assert update["budget_hit"] is Termination.TOOL_CAP


async def test_calls_of_one_message_count_towards_the_limit() -> None:
    box = Tools()
    calls = tuple(LOOKUP.model_copy(update={"id": str(n)}) for n in range(4))
    given = working(box)
    update = await tools.tool_execution(calling(given, *calls), given)
    assert [r.problem for r in update["tool_results"]] == ["", "", "tool_cap", "tool_cap"]


async def test_two_calls_that_look_the_same_are_two_calls() -> None:
    box = Tools(specs=(DIRECTORY.model_copy(update={"limit": 1}),))
    given = working(box)
    update = await tools.tool_execution(calling(given, LOOKUP, LOOKUP), given)
    assert [r.problem for r in update["tool_results"]] == ["", "tool_cap"]


async def test_a_paid_tool_counts_towards_the_cost() -> None:
    given = working(cost_budget=0.02)
    update = await tools.tool_execution(calling(given, LOOKUP, spent_cost=0.015), given)
    assert update["spent_cost"] == pytest.approx(0.025)
    assert update["budget_hit"] is Termination.COST_CAP


@pytest.mark.parametrize(
    ("confirmed", "label"), [("k", "Doing what you agreed to"), ("", "Looking it up")]
)
def test_the_label_says_what_is_going_on(confirmed: str, label: str) -> None:
    assert tools.tool_label({"confirmed": confirmed}) == label
