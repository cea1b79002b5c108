"""Which way a question goes, what it asks for, and on the iterative path the next step.

The router decides on the question alone, the planner takes it apart, and the model of the
iterative path decides whether and what to search.
"""

from __future__ import annotations

import math
from typing import Any

from chat.agent.budget import checked
from chat.agent.saying import account, also
from chat.agent.state import TurnState
from chat.contracts.events import Body, Decision, QuestionRead, RouteTaken
from chat.contracts.ports import Ports
from chat.contracts.tasks import Step, StepTask
from chat.contracts.verdicts import Control, Intent, Outcome, Route, RouteGuess
from chat.guardrails import routes
from chat.guardrails.modes import MODES, Skip
from chat.guardrails.policy import guard, says, skipped
from chat.guardrails.questions import parts

ITEMS = 6  # of one question
QUERIES = 3  # of one step


async def choose_path(state: TurnState, ports: Ports) -> dict[str, Any]:
    """Direct, single shot or iterative. Unsure goes up and never down; a failure is searched once.

    A question that asks for a tool needs no document, so it goes straight to the answer.
    """
    settings = ports.settings
    if (fixed := _fixed_way(state, ports)) is not None:
        return fixed
    asked = await guard(
        ports.router.route(state["standalone"]),
        fallback=None,
        timeout_ms=settings.router_timeout_ms,
        sane=lambda guess: isinstance(guess, RouteGuess),
    )
    guess = asked.value
    if guess is None:
        why = f"the router gave no answer: {asked.reason}"
        return _way(Route.SINGLE_SHOT, Route.SINGLE_SHOT, None, why)
    taken = routes.decide(
        guess, threshold=settings.route_threshold, direct_threshold=settings.direct_threshold
    )
    if taken is Route.DIRECT and routes.never_direct(state["standalone"]):
        taken = Route.SINGLE_SHOT
    return _way(guess.route, taken, guess.confidence, guess.why)


def _fixed_way(state: TurnState, ports: Ports) -> dict[str, Any] | None:
    """The way where no router has a say."""
    settings = ports.settings
    if not settings.agentic:
        return _way(Route.BASIC, Route.BASIC, None, "the plain path is switched on")
    if settings.pinned_route is not None:
        return _way(settings.pinned_route, settings.pinned_route, None, "pinned")
    if state["intent"] in (Intent.ACTION, Intent.LOOKUP):
        return _way(Route.DIRECT, Route.DIRECT, 1.0, f"a tool was asked for: {state['intent']}")
    if Skip.ROUTER in MODES[state["mode"]].skips:
        why = f"the mode {state['mode']}"
        return _way(Route.SINGLE_SHOT, Route.SINGLE_SHOT, None, why)
    return None


def _way(decided: Route, taken: Route, confidence: float | None, why: str) -> dict[str, Any]:
    if confidence is not None and not math.isfinite(confidence):
        confidence = None  # no number, so it was decided as if there were none
    event = RouteTaken(decided=decided, confidence=confidence, taken=taken, why=why)
    return {
        "decided": decided,
        "route_confidence": confidence,
        "route": taken,
        "emit": (event,),
    }


def _are_items(value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(each, str) for each in value)


async def plan_search(state: TurnState, ports: Ports) -> dict[str, Any]:
    """What was asked for, item by item; each is searched with its own words."""
    update = await _items(state, ports)
    items = update["items"]
    return {
        **update,
        **_way_of_a_paste(state, ports),
        "queries": {item: item for item in items},
        "correction": "",
    }


def _way_of_a_paste(state: TurnState, ports: Ports) -> dict[str, Any]:
    """A pasted document comes past the router; without the agent its way is the plain one."""
    if "route" in state:
        return {}
    route = Route.SINGLE_SHOT if ports.settings.agentic else Route.BASIC
    return {"decided": route, "route": route}


async def _items(state: TurnState, ports: Ports) -> dict[str, Any]:
    """The items and what planning them cost. Fails open: the question is one item."""
    question = state["standalone"]
    if off := _planning_off(state, ports):
        return _planned((question,), {"emit": (skipped(Control.COVERAGE, off),)})
    if not parts.needs_planning(question):
        alone = Decision(control=Control.COVERAGE, outcome=Outcome.PASSED, reason="one item")
        return _planned((question,), {"emit": (alone,)})
    asked = await guard(
        ports.model.plan(question),
        fallback=None,
        timeout_ms=ports.settings.control_timeout_ms,
        sane=lambda reply: _are_items(reply.value),
    )
    items = _usable(asked.value.value if asked.value else ()) or (question,)
    told: list[Body] = [
        asked.decision(Control.COVERAGE, acted=len(items) > 1, reason=_counted(items))
    ]
    if len(items) > 1:
        told.append(_read(state, items))
    return _planned(items, also(account(state, asked), *told))


def _planning_off(state: TurnState, ports: Ports) -> str:
    if not ports.settings.agentic:
        return "the plain path"
    if state["intent"] is Intent.DOCUMENT:
        return f"the mode {state['mode']}"
    return "" if ports.settings.planning else "switched off"


def _planned(items: tuple[str, ...], update: dict[str, Any]) -> dict[str, Any]:
    return {**update, "items": items, "covered": {item: False for item in items}}


def _usable(items: tuple[str, ...]) -> tuple[str, ...]:
    """Each item once, none blank, and no more than one turn can look for."""
    return tuple(dict.fromkeys(item.strip() for item in items if item.strip()))[:ITEMS]


def _counted(items: tuple[str, ...]) -> str:
    return "one item" if len(items) == 1 else f"{len(items)} items"


def _read(state: TurnState, items: tuple[str, ...]) -> QuestionRead:
    return QuestionRead(
        standalone=state["standalone"],
        items=items,
        intent=state["intent"],
        mode=state["mode"],
        context_level=state["context_level"],
    )


async def agent(state: TurnState, ports: Ports) -> dict[str, Any]:
    """The model with the search as its tool decides whether and what to search.

    It may answer without a search only above the bar of the direct path; else one is forced.
    A model that fails is no reason to give up: what is missing is searched, in the words of the
    rewrite if there are any.
    """
    planned = await _items(state, ports) if not state["items"] else {"emit": ()}
    seen: Any = {**state, **planned}
    if state["budget_hit"]:
        return {**planned, "step_queries": ()}
    task = _task(seen)
    asked = await guard(
        ports.model.next_step(task),
        fallback=None,
        timeout_ms=ports.settings.control_timeout_ms,
        sane=says(Step),
    )
    step = asked.value.value if asked.value else Step(queries=task.suggested or task.missing)
    queries = _fresh_queries(seen, step, ports)
    told = account(seen, asked)
    unsearched = not queries and state["passes"] == 0
    return {
        **planned,
        **checked(seen, told, ports.clock()),
        "step_queries": queries,
        "queries": _by_item(seen, queries),
        **({"route": Route.DIRECT, "covered": {}} if unsearched else {}),
        "emit": (*planned["emit"], *told["emit"]),
    }


def _task(state: TurnState) -> StepTask:
    suggested = tuple(q for q in state["queries"].values() if q not in state["tried"])
    return StepTask(
        question=state["standalone"],
        history=state["history"],
        tried=state["tried"],
        found=state["accepted"],
        missing=_missing(state),
        suggested=suggested if state["tried"] else (),
    )


def _missing(state: TurnState) -> tuple[str, ...]:
    return tuple(item for item in state["items"] if not state["covered"].get(item))


def _fresh_queries(state: TurnState, step: Step, ports: Ports) -> tuple[str, ...]:
    """The step's queries that were not tried; the forced one where it may not answer yet."""
    asked = dict.fromkeys(query.strip() for query in step.queries if query.strip())
    queries = tuple(query for query in asked if query not in state["tried"])[:QUERIES]
    if queries or state["passes"]:
        return queries
    sure = step.confidence is not None and step.confidence >= ports.settings.direct_threshold
    return (
        () if sure and not routes.never_direct(state["standalone"]) else _missing(state)[:QUERIES]
    )


def _by_item(state: TurnState, queries: tuple[str, ...]) -> dict[str, str]:
    """Each query for the item that it stands beside; more queries than items are their own."""
    missing = _missing(state)
    if len(queries) == len(missing):
        return dict(zip(missing, queries, strict=True))
    return {query: query for query in queries}
