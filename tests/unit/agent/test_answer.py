"""The generation boundary: accepted passages alone are written from, and markers must hold."""

from __future__ import annotations

from typing import Any

import pytest

from chat.agent.nodes import answer
from chat.contracts.events import Decision, ModelCall
from chat.contracts.tasks import Exchange
from chat.contracts.verdicts import Control, GradeLabel, Outcome, Termination
from tests.doubles.models import Fails, ScriptedModel
from tests.doubles.search import ListSearch
from tests.factories import QUESTION, handbook, passage, ports, start_state

ELIGIBILITY, TIMING, OFFICES = handbook()


def state(given: Any, **changed: Any) -> Any:
    """A state that is ready to be written from: TIMING was accepted."""
    return {
        **start_state(given),
        "standalone": QUESTION,
        "accepted": (TIMING,),
        "accepted_as": {TIMING.chunk: GradeLabel.ANSWERS},
        "covered": {QUESTION: True},
        "budget_hit": None,
        **changed,
    }


def drafted(given: Any, draft: str, **changed: Any) -> Any:
    return state(given, draft=draft, passages=(TIMING, ELIGIBILITY), **changed)


# ---- generate_response


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
    assert "draft" not in update


# ---- finish_answer


async def test_markers_are_bound_to_the_passages_they_stand_for() -> None:
    given = ports()
    update = await answer.finish_answer(drafted(given, "Five to ten days [1]."), given)
    (citation,) = update["citations"]
    assert (citation.marker, citation.chunk, citation.passage) == (1, TIMING.chunk, TIMING.text)
    assert update["emit"] == (
        Decision(
            control=Control.CITATION_BINDING, outcome=Outcome.PASSED, reason="1 bound, 0 removed"
        ),
    )


async def test_markers_count_from_one_in_the_order_of_reading() -> None:
    given = ports()
    update = await answer.finish_answer(drafted(given, "Thirty days [2]. Ten days [1]."), given)
    assert update["text"] == "Thirty days [1]. Ten days [2]."
    assert [c.chunk for c in update["citations"]] == [ELIGIBILITY.chunk, TIMING.chunk]


async def test_a_marker_that_stands_for_nothing_goes_and_is_counted() -> None:
    given = ports()
    update = await answer.finish_answer(drafted(given, "Ten days [1]. For free [7]."), given)
    assert "7" not in update["text"]
    (decision,) = update["emit"]
    assert (decision.outcome, decision.reason) == (Outcome.ACTED, "1 bound, 1 removed")


UNGRADED = {"accepted_as": {TIMING.chunk: GradeLabel.UNGRADED}}
GAP = {"covered": {QUESTION: True, "fees": False}}


@pytest.mark.parametrize(
    ("changed", "end"),
    [
        ({}, Termination.ANSWERED),
        (GAP, Termination.ANSWERED_WITH_CAVEAT),
        (UNGRADED, Termination.ANSWERED_WITH_CAVEAT),
        ({"budget_hit": Termination.TIME_CAP}, Termination.ANSWERED),
        (GAP | {"budget_hit": Termination.TIME_CAP}, Termination.TIME_CAP),
        (UNGRADED | {"budget_hit": Termination.PASS_CAP}, Termination.ANSWERED_WITH_CAVEAT),
    ],
    ids=str,
)
async def test_how_an_answered_turn_ends(changed: dict[str, Any], end: Termination) -> None:
    given = ports()
    update = await answer.finish_answer(drafted(given, "Ten days [1].", **changed), given)
    assert update["termination"] is end


async def test_passages_that_nobody_graded_are_said_to_be_so() -> None:
    given = ports()
    update = await answer.finish_answer(drafted(given, "Ten days [1].", **UNGRADED), given)
    assert update["caveats"] == (
        "It could not be checked whether these passages answer the question.",
    )


async def test_the_plain_path_promises_no_check_and_caveats_none() -> None:
    given = ports(agentic=False)
    update = await answer.finish_answer(drafted(given, "Ten days [1].", **UNGRADED), given)
    assert (update["caveats"], update["termination"]) == ((), Termination.ANSWERED)


@pytest.mark.parametrize(
    ("count", "label"), [(1, "Checking against 1 passage"), (3, "Checking against 3 passages")]
)
def test_the_label_counts_the_passages(count: int, label: str) -> None:
    accepted = tuple(passage(f"a#{n}") for n in range(count))
    assert answer.finish_label({"accepted": accepted}) == label
