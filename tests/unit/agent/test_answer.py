"""The generation boundary: accepted passages alone are written from."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from chat.agent import routing
from chat.agent.budget import TOOL_ROUNDS
from chat.agent.nodes import answer
from chat.contracts.events import ModelCall
from chat.contracts.tasks import Draft, Exchange, Image, ToolCall, ToolResult
from chat.contracts.verdicts import Basis, ClaimVerdict, GradeLabel, Mode, Termination
from tests.doubles.models import Fails, Hangs, ScriptedModel
from tests.doubles.search import ListSearch
from tests.doubles.tools import DIRECTORY, TICKET, Tools
from tests.factories import QUESTION, handbook, passage, planned_state, ports

ELIGIBILITY, TIMING, OFFICES = handbook()


def state(given: Any, **changed: Any) -> Any:
    """A state that is ready to be written from: TIMING was accepted."""
    ready: dict[str, Any] = {
        "accepted": (TIMING,),
        "accepted_as": {TIMING.chunk: GradeLabel.ANSWERS},
        "covered": {QUESTION: True},
    }
    return planned_state(given, **ready | changed)


async def test_an_answer_is_written_from_what_was_accepted_and_its_neighbours() -> None:
    model = ScriptedModel()
    given = ports(model, ListSearch(handbook()))
    update = await answer.generate_response(state(given), given)
    assert update["passages"] == (TIMING, ELIGIBILITY)
    assert model.asked[0].about.passages == (TIMING, ELIGIBILITY)


async def test_what_was_not_accepted_never_reaches_the_model() -> None:
    model = ScriptedModel()
    given = ports(model, neighbours=False)
    rejected = {"hits": (OFFICES,), "verdicts": {OFFICES.chunk: GradeLabel.IRRELEVANT}}
    await answer.generate_response(state(given, **rejected), given)
    assert model.asked[0].about.passages == (TIMING,)


async def test_an_answer_does_without_neighbours_that_cannot_be_fetched() -> None:
    given = ports(search=ListSearch(handbook(), helpers_fail=True))
    update = await answer.generate_response(state(given), given)
    assert (update["passages"], update["draft"]) == ((TIMING,), "It says so in the handbook [1].")


async def test_the_model_is_told_what_was_not_found_and_what_was_said_before() -> None:
    model = ScriptedModel()
    given = ports(model)
    history = (Exchange(question="Q", answer="A"),)
    before = state(given, covered={"time": True, "fees": False}, history=history)
    update = await answer.generate_response(before, given)
    assert model.asked[0].about.gaps == update["gaps"] == ("fees",)
    assert model.asked[0].about.history == history


async def test_the_draft_is_streamed_as_it_is_written() -> None:
    written: list[str] = []
    given = ports(ScriptedModel(answers=["Five to ten days [1]."]), write=written.append)
    update = await answer.generate_response(state(given), given)
    assert len(written) > 1
    assert "".join(written) == update["draft"] == "Five to ten days [1]."
    assert update["calls"] == 1


async def test_a_model_that_fails_is_told_and_not_raised() -> None:
    given = ports(ScriptedModel(answers=[Fails("cut_stream", after="Five ")]))
    update = await answer.generate_response(state(given), given)
    assert (update["model_failed"], update["text"], update["calls"]) == ("cut_stream", "", 1)
    (call,) = update["emit"]
    assert isinstance(call, ModelCall) and call.outcome == "failed"
    assert update["draft"] == ""


# ---- what else the model is told


async def test_the_mode_and_the_pictures_reach_the_model() -> None:
    model = ScriptedModel()
    picture = Image(name="screen.png", media_type="image/png", data="aGk=")
    given = ports(model, others={"images": (picture,)})
    await answer.generate_response(state(given, mode=Mode.SUPPORTIVE), given)
    task = model.asked[0].about
    assert (task.mode, task.images) == (Mode.SUPPORTIVE, (picture,))


def claim(text: str, supported: bool | None) -> ClaimVerdict:
    return ClaimVerdict(text=text, label=text, basis=Basis.NONE, supported=supported, by="judge")


async def test_a_draft_that_was_sent_back_is_written_again_without_what_nothing_held() -> None:
    model = ScriptedModel()
    given = ports(model)
    claims = (claim("Ten days.", True), claim("For free.", False))
    update = await answer.generate_response(state(given, claims=claims, correction="write"), given)
    assert model.asked[0].about.wrong == ("For free.",)
    assert (update["correction"], update["claims"]) == ("", ())


# ---- tools

LOOKUP = ToolCall(id="1", tool=DIRECTORY.name, arguments={"kind": "partner"})
OPEN = ToolCall(id="2", tool=TICKET.name, arguments={"subject": "s", "description": "d"})


def with_tools(*drafts: Any, **changed: Any) -> Any:
    return ports(ScriptedModel(answers=drafts), others={"tools": Tools()}, **changed)


async def test_tools_are_offered_and_their_calls_come_before_the_text() -> None:
    given = with_tools(Draft(text="", calls=(LOOKUP,)))
    update = await answer.generate_response(state(given), given)
    assert given.model.asked[0].about.tools == (DIRECTORY, TICKET)
    assert (update["tool_calls"], update["pending_action"], update["draft"]) == ((LOOKUP,), "", "")


async def test_a_call_that_cannot_be_undone_waits_for_a_yes_in_plain_words() -> None:
    given = with_tools(Draft(text="", calls=(LOOKUP, OPEN)))
    update = await answer.generate_response(state(given), given)
    assert update["pending_action"] == Tools().summary(OPEN)


async def test_a_broken_call_of_such_a_tool_is_not_shown_to_the_person() -> None:
    broken = ToolCall(id="2", tool=TICKET.name, arguments=None)
    given = with_tools(Draft(text="", calls=(broken,)))
    update = await answer.generate_response(state(given), given)
    assert (update["pending_action"], update["tool_calls"]) == ("", (broken,))


async def test_words_before_a_call_are_withdrawn() -> None:
    given = with_tools(Draft(text="Let me look.", calls=(LOOKUP,)))
    update = await answer.generate_response(state(given), given)
    assert update["withdrawn"]


@pytest.mark.parametrize(
    "changed",
    [
        {"declined": True},
        {"tool_rounds": TOOL_ROUNDS},
        {"budget_hit": Termination.COST_CAP},
    ],
    ids=str,
)
async def test_where_no_tool_may_be_called_none_is_offered_and_none_obeyed(
    changed: dict[str, Any],
) -> None:
    given = with_tools(Draft(text="Ten days [1].", calls=(OPEN,)))
    update = await answer.generate_response(state(given, **changed), given)
    assert given.model.asked[0].about.tools == ()
    assert (update["tool_calls"], update["draft"]) == ((), "Ten days [1].")


async def test_a_tool_at_its_limit_is_not_offered_again() -> None:
    given = with_tools("Done.")
    used = ToolResult(call=OPEN, text="Ticket 1 was opened.")
    await answer.generate_response(state(given, tool_results=(used,)), given)
    assert given.model.asked[0].about.tools == (DIRECTORY,)


async def test_the_plain_path_has_no_tools() -> None:
    given = with_tools("Ten days [1].", agentic=False)
    await answer.generate_response(state(given), given)
    assert given.model.asked[0].about.tools == ()


async def test_what_a_tool_found_can_be_cited_after_the_passages() -> None:
    record = passage("tool:search_directory#1", "A partner in Leeds.")
    given = with_tools("A partner is in Leeds [3].")
    result = ToolResult(call=LOOKUP, text="one record", passages=(record,))
    update = await answer.generate_response(state(given, tool_results=(result,)), given)
    assert update["passages"] == (TIMING, ELIGIBILITY, record)
    assert given.model.asked[0].about.results == (result,)


# ---- labels


@pytest.mark.parametrize(
    ("count", "label"),
    [
        (0, "Checking the wording"),
        (1, "Checking against 1 passage"),
        (3, "Checking against 3 passages"),
    ],
)
def test_the_label_counts_the_passages(count: int, label: str) -> None:
    passages = tuple(passage(f"a#{n}") for n in range(count))
    assert answer.check_label({"passages": passages}) == label


async def test_a_tool_that_was_used_up_is_not_put_before_the_person() -> None:
    """A yes to what is then not done would be a lie."""
    given = with_tools(Draft(text="", calls=(OPEN, LOOKUP)))
    used = ToolResult(call=OPEN, text="Ticket 1 was opened.")
    update = await answer.generate_response(state(given, tool_results=(used,)), given)
    assert (update["pending_action"], update["tool_calls"]) == ("", (OPEN, LOOKUP))


async def test_a_draft_that_used_up_the_budget_calls_no_tool() -> None:
    given = with_tools(Draft(text="", calls=(LOOKUP,)), cost_budget=0.001)
    update = await answer.generate_response(state(given), given)
    assert update["budget_hit"] is Termination.COST_CAP
    after: Any = {**state(given), **update}
    assert routing.after_draft(after) == "final_gate"


async def test_a_draft_without_an_end_is_cut_off_by_the_turns_time() -> None:
    given = ports(ScriptedModel(answers=[Hangs()]), wall_clock_ms=10, control_timeout_ms=10)
    async with asyncio.timeout(10):
        update = await answer.generate_response(state(given), given)
    assert (update["model_failed"], update["draft"]) == ("time_cap", "")
    assert update["budget_hit"] is Termination.TIME_CAP
