"""Which way a question goes: up when unsure, never direct for what must be looked up."""

from __future__ import annotations

import asyncio
import math
from typing import Any

import pytest

from chat.agent.nodes import ways
from chat.contracts.events import Decision, ModelCall, QuestionRead, RouteTaken
from chat.contracts.ports import Ports
from chat.contracts.tasks import Step
from chat.contracts.verdicts import (
    Control,
    GradeLabel,
    Intent,
    Mode,
    Outcome,
    Route,
    RouteGuess,
    Termination,
)
from tests.doubles.models import Fails, FixedClock, Hangs, Raises, ScriptedModel, Takes
from tests.factories import QUESTION, passage, planned_state, ports

THANKS = "thanks, that was kind of you"
TWO_PARTS = "Compare the small plan and the large plan on price"


class Guesses:
    """A router that says what a test wrote down."""

    def __init__(self, route: Route, confidence: float) -> None:
        self.guess = RouteGuess(route=route, confidence=confidence, why="by the test")
        self.asked: list[str] = []

    async def route(self, query: str) -> RouteGuess:
        self.asked.append(query)
        return self.guess


class Broken:
    """A router that cannot say."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error

    async def route(self, query: str) -> RouteGuess:
        if self.error:
            raise self.error
        await asyncio.Event().wait()
        raise AssertionError("never comes back")


def routed(route: Route, confidence: float, **settings: Any) -> Ports:
    return ports(others={"router": Guesses(route, confidence)}, **settings)


def of(update: dict[str, Any], kind: type) -> Any:
    (found,) = (body for body in update["emit"] if isinstance(body, kind))
    return found


# ---- choose_path


@pytest.mark.parametrize(
    ("decided", "confidence", "taken"),
    [
        (Route.SINGLE_SHOT, 0.62, Route.SINGLE_SHOT),
        (Route.SINGLE_SHOT, 0.61, Route.ITERATIVE),
        (Route.ITERATIVE, 0.99, Route.ITERATIVE),
        (Route.ITERATIVE, 0.10, Route.ITERATIVE),
        (Route.DIRECT, 0.85, Route.DIRECT),
        (Route.DIRECT, 0.84, Route.SINGLE_SHOT),
        (Route.DIRECT, 0.61, Route.SINGLE_SHOT),
    ],
)
async def test_unsure_goes_one_level_up_and_never_down(
    decided: Route, confidence: float, taken: Route
) -> None:
    given = routed(decided, confidence)
    update = await ways.choose_path(planned_state(given, THANKS), given)
    assert (update["decided"], update["route"]) == (decided, taken)
    told = of(update, RouteTaken)
    assert (told.decided, told.confidence, told.taken) == (decided, confidence, taken)


@pytest.mark.parametrize(
    "query", ["fields.E310", "40P01", "ERR 502 bad gateway", "2 cores", "nvme"]
)
async def test_an_id_or_a_fragment_is_never_answered_from_memory(query: str) -> None:
    given = routed(Route.DIRECT, 0.99)
    update = await ways.choose_path(planned_state(given, query), given)
    assert update["route"] is Route.SINGLE_SHOT


@pytest.mark.parametrize(
    ("router", "reason"),
    [(Broken(), "timeout"), (Broken(ValueError("text of a person")), "raised ValueError")],
)
async def test_a_router_that_cannot_say_is_searched_once_and_told(
    router: Broken, reason: str
) -> None:
    given = ports(others={"router": router}, router_timeout_ms=10)
    update = await ways.choose_path(planned_state(given), given)
    told = of(update, RouteTaken)
    assert (update["route"], told.confidence) == (Route.SINGLE_SHOT, None)
    assert reason in told.why and "person" not in told.why


async def test_a_pinned_route_asks_no_router() -> None:
    given = routed(Route.DIRECT, 0.99, pinned_route=Route.SINGLE_SHOT)
    update = await ways.choose_path(planned_state(given), given)
    assert update["route"] is Route.SINGLE_SHOT
    assert given.router.asked == []  # type: ignore[attr-defined]


@pytest.mark.parametrize("intent", [Intent.ACTION, Intent.LOOKUP])
async def test_a_question_for_a_tool_needs_no_document(intent: Intent) -> None:
    given = routed(Route.SINGLE_SHOT, 0.99)
    update = await ways.choose_path(planned_state(given, intent=intent), given)
    assert (update["route"], update["route_confidence"]) == (Route.DIRECT, 1.0)


async def test_the_plain_path_is_a_route_of_its_own() -> None:
    given = routed(Route.DIRECT, 0.99, agentic=False)
    update = await ways.choose_path(planned_state(given), given)
    assert (update["decided"], update["route"]) == (Route.BASIC, Route.BASIC)


# ---- plan_search


async def test_a_plain_question_is_one_item_and_costs_no_call() -> None:
    model = ScriptedModel(plans=[("a", "b")])
    given = ports(model)
    update = await ways.plan_search(planned_state(given), given)
    assert (update["items"], update["queries"]) == ((QUESTION,), {QUESTION: QUESTION})
    assert update["covered"] == {QUESTION: False}
    assert model.asked == []
    assert of(update, Decision) == Decision(
        control=Control.COVERAGE, outcome=Outcome.PASSED, reason="one item"
    )


async def test_a_question_with_parts_becomes_items_that_are_told() -> None:
    items = ("price of the small plan", "price of the large plan")
    given = ports(ScriptedModel(plans=[items]))
    update = await ways.plan_search(planned_state(given, TWO_PARTS), given)
    assert update["items"] == items
    assert update["queries"] == {item: item for item in items}
    assert of(update, QuestionRead).items == items
    assert of(update, Decision).outcome is Outcome.ACTED
    assert update["calls"] == 1


@pytest.mark.parametrize(
    "broken", [Fails("timeout"), Fails("invalid"), Raises(KeyError("x")), Hangs()], ids=str
)
async def test_a_question_that_cannot_be_taken_apart_is_one_item(broken: Any) -> None:
    given = ports(ScriptedModel(plans=[broken]), control_timeout_ms=10)
    update = await ways.plan_search(planned_state(given, TWO_PARTS), given)
    assert update["items"] == (TWO_PARTS,)
    assert of(update, Decision).outcome is Outcome.FAILED_OPEN


@pytest.mark.parametrize("said", [(), ("", "  ")])
async def test_a_plan_without_parts_is_the_question(said: tuple[str, ...]) -> None:
    given = ports(ScriptedModel(plans=[said]))
    update = await ways.plan_search(planned_state(given, TWO_PARTS), given)
    assert update["items"] == (TWO_PARTS,)


async def test_parts_stand_once_and_there_are_never_more_than_six() -> None:
    said = ("a", "a", " b ", *"cdefghij")
    given = ports(ScriptedModel(plans=[said]))
    update = await ways.plan_search(planned_state(given, TWO_PARTS), given)
    assert update["items"] == ("a", "b", "c", "d", "e", "f")


@pytest.mark.parametrize(
    ("settings", "intent"),
    [
        ({"agentic": False}, Intent.QUESTION),
        ({"planning": False}, Intent.QUESTION),
        ({}, Intent.DOCUMENT),
    ],
    ids=str,
)
async def test_planning_that_is_off_is_recorded_as_skipped(
    settings: dict[str, Any], intent: Intent
) -> None:
    given = ports(ScriptedModel(plans=[("a", "b")]), **settings)
    update = await ways.plan_search(planned_state(given, TWO_PARTS, intent=intent), given)
    assert update["items"] == (TWO_PARTS,)
    assert of(update, Decision).outcome is Outcome.SKIPPED


@pytest.mark.parametrize(("agentic", "route"), [(True, Route.SINGLE_SHOT), (False, Route.BASIC)])
async def test_a_pasted_document_has_a_way_though_no_router_chose_it(
    agentic: bool, route: Route
) -> None:
    given = ports(agentic=agentic)
    pasted = planned_state(given, intent=Intent.DOCUMENT, mode=Mode.DOCUMENT)
    del pasted["route"], pasted["decided"]
    update = await ways.plan_search(pasted, given)
    assert (update["decided"], update["route"]) == (route, route)


# ---- agent


def thinking(given: Ports, **changed: Any) -> Any:
    """A state as the router leaves it: nothing planned, nothing searched."""
    blank = {"items": (), "queries": {}, "covered": {}, "route": Route.ITERATIVE}
    return planned_state(given, **blank | changed)


async def test_the_model_decides_what_is_searched() -> None:
    given = ports(ScriptedModel(steps=[Step(queries=("refund business days",))]))
    update = await ways.agent(thinking(given), given)
    assert update["step_queries"] == ("refund business days",)
    assert update["queries"] == {QUESTION: "refund business days"}
    assert (update["items"], update["calls"]) == ((QUESTION,), 1)


async def test_it_sees_what_was_found_what_is_missing_and_what_was_tried() -> None:
    model = ScriptedModel(steps=[Step(queries=("exit fee",))])
    given = ports(model)
    before = planned_state(
        given,
        route=Route.ITERATIVE,
        items=("time", "fee"),
        covered={"time": True, "fee": False},
        accepted=(passage(),),
        tried=("time", "fee"),
        queries={"fee": "leaving charge"},
        passes=1,
    )
    update = await ways.agent(before, given)
    task = model.asked[0].about
    assert (task.found, task.missing, task.tried) == ((passage(),), ("fee",), ("time", "fee"))
    assert task.suggested == ("leaving charge",)
    assert update["queries"] == {"fee": "exit fee"}


async def test_what_was_tried_is_not_searched_again() -> None:
    given = ports(ScriptedModel(steps=[Step(queries=("old words", "new words"))]))
    before = planned_state(given, tried=("old words",), passes=1)
    update = await ways.agent(before, given)
    assert update["step_queries"] == ("new words",)


async def test_no_step_searches_more_than_three_times() -> None:
    given = ports(ScriptedModel(steps=[Step(queries=tuple("abcdef"))]))
    update = await ways.agent(thinking(given), given)
    assert update["step_queries"] == ("a", "b", "c")


@pytest.mark.parametrize("confidence", [None, 0.0, 0.84])
async def test_answering_without_a_search_is_not_enough_below_the_bar(
    confidence: float | None,
) -> None:
    given = ports(ScriptedModel(steps=[Step(confidence=confidence)]))
    update = await ways.agent(thinking(given, standalone=THANKS), given)
    assert update["step_queries"] == (THANKS,)
    assert "route" not in update


async def test_above_the_bar_it_counts_as_direct() -> None:
    given = ports(ScriptedModel(steps=[Step(confidence=0.85)]))
    update = await ways.agent(thinking(given, standalone=THANKS), given)
    assert (update["step_queries"], update["route"]) == ((), Route.DIRECT)
    assert update["covered"] == {}


async def test_an_id_is_searched_however_sure_the_model_is() -> None:
    given = ports(ScriptedModel(steps=[Step(confidence=1.0)]))
    update = await ways.agent(thinking(given, standalone="fields.E310"), given)
    assert update["step_queries"] == ("fields.E310",)


async def test_after_a_search_it_may_answer_at_any_confidence() -> None:
    given = ports(ScriptedModel(steps=[Step(confidence=0.1)]))
    found: dict[str, Any] = {"passes": 1, "tried": (QUESTION,), "accepted": (passage(),)}
    before = planned_state(given, **found, accepted_as={passage().chunk: GradeLabel.ANSWERS})
    assert (await ways.agent(before, given))["step_queries"] == ()


@pytest.mark.parametrize("broken", [Fails("timeout"), Raises(ValueError("x")), Hangs()], ids=str)
async def test_a_model_that_cannot_decide_searches_what_is_missing(broken: Any) -> None:
    given = ports(ScriptedModel(steps=[broken]), control_timeout_ms=10)
    assert (await ways.agent(thinking(given), given))["step_queries"] == (QUESTION,)


async def test_a_used_up_budget_asks_the_model_nothing_more() -> None:
    model = ScriptedModel()
    given = ports(model)
    before = planned_state(given, budget_hit=Termination.COST_CAP, passes=1)
    update = await ways.agent(before, given)
    assert (update["step_queries"], model.asked) == ((), [])


async def test_deciding_counts_towards_the_budget() -> None:
    clock = FixedClock()
    slow = Takes(61.0, Step(queries=("words",)))
    given = ports(ScriptedModel(steps=[slow], clock=clock), clock=clock)
    update = await ways.agent(thinking(given), given)
    assert update["budget_hit"] is Termination.TIME_CAP
    assert [type(body) for body in update["emit"]].count(ModelCall) == 1


async def test_a_model_that_cannot_decide_searches_the_words_of_the_rewrite() -> None:
    given = ports(ScriptedModel(steps=[Fails("timeout")]))
    searched: dict[str, Any] = {"tried": ("fee",), "passes": 1, "queries": {"fee": "exit charge"}}
    before = planned_state(given, items=("fee",), covered={"fee": False}, **searched)
    update = await ways.agent(before, given)
    assert update["step_queries"] == ("exit charge",)
    assert update["queries"] == {"fee": "exit charge"}


async def test_a_confidence_that_is_no_number_is_told_as_none() -> None:
    given = ports(others={"router": Guesses(Route.SINGLE_SHOT, math.nan)})
    update = await ways.choose_path(planned_state(given), given)
    assert (update["route"], update["route_confidence"]) == (Route.ITERATIVE, None)
