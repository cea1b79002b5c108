"""On every way through the real graph each control that was due left a decision, and no other.

A false "missing" would wake somebody for nothing, so the policy's look is held against all of the
ways, and not only against those that end well.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from chat import pauses, turns
from chat.agent.nodes import search
from chat.contracts.events import Decision, Event, Retrieval, Token
from chat.contracts.ports import Ports, Reply
from chat.contracts.tasks import Draft, Step, ToolCall
from chat.contracts.verdicts import (
    Control,
    Level,
    Outcome,
    Route,
    RouteGuess,
    Termination,
    TopicLabel,
    TopicVerdict,
)
from chat.db import in_db
from chat.event_rows import stored
from chat.files import File
from chat.models import DecisionRecord, Turn
from chat.site_rules import site_rules
from tests import pausing
from tests.doubles.models import ANSWERS, Fails, ScriptedModel, Waits
from tests.doubles.search import ListSearch
from tests.doubles.tools import DIRECTORY, TICKET, Tools
from tests.factories import QUESTION, passage, ports
from tests.integration.test_every_termination import BY_ITSELF, FROM_OUTSIDE
from tests.integration.test_uploads import PASTED, document

pytestmark = pytest.mark.django_db(transaction=True)

GRADES = {"refunds#timing": ANSWERS, "contact#offices": ANSWERS}
LOOKUP = ToolCall(id="1", tool=DIRECTORY.name, arguments={})
OPEN = ToolCall(id="2", tool=TICKET.name, arguments={"subject": "s", "description": "d"})
ADVICE = TopicVerdict(
    label=TopicLabel.RELEVANT, confidence=Level.HIGH, restricted={"legal_advice": 1.0}
)
TOOLS = {"tools": Tools(found=(passage("tool:x#1", "Ada Web is a partner in Leeds."),))}


class To:
    """A router that sends everything one way."""

    def __init__(self, route: Route) -> None:
        self.route_to = route

    async def route(self, query: str) -> RouteGuess:
        return RouteGuess(route=self.route_to, confidence=0.95)


def knowing(**scripts: Any) -> ScriptedModel:
    return ScriptedModel(**{"grades": GRADES, **scripts})


def courtesy() -> Ports:
    model = knowing(answers=["You are welcome. What else can I look up for you?"])
    return ports(model, others={"router": To(Route.DIRECT)}, greeting_check=False)


def memory() -> Ports:
    model = knowing(answers=["A refund takes 5 days.", "Ten days [1]."])
    return ports(model, others={"router": To(Route.DIRECT)})


def iterative() -> Ports:
    steps = [Step(queries=("refund business days",)), Step(queries=())]
    return ports(knowing(steps=steps), others={"router": To(Route.ITERATIVE)})


def iterative_from_memory() -> Ports:
    model = knowing(steps=[Step(confidence=0.99)], answers=["You are welcome."])
    return ports(model, others={"router": To(Route.ITERATIVE)})


def tooled(*answers: Any) -> Ports:
    return ports(ScriptedModel(answers=answers), others=TOOLS)


WAYS: dict[str, tuple[Callable[[], Ports], str]] = {
    "direct": (courtesy, "that was really helpful of you"),
    "direct, then searched": (memory, "please tell me how long a refund takes"),
    "iterative": (iterative, QUESTION),
    "iterative, from memory": (iterative_from_memory, "that was really helpful of you"),
    "a tool alone": (
        lambda: tooled(Draft(text="", calls=(LOOKUP,)), "Ada Web is a partner in Leeds [1]."),
        "Which partners are in Leeds?",
    ),
    "restricted by the classifier": (
        lambda: ports(knowing(topics=[ADVICE]), site=site_rules()),
        QUESTION,
    ),
    "the plain path": (lambda: ports(knowing(), agentic=False), QUESTION),
    "the plain path without a hit": (lambda: ports(search=ListSearch([]), agentic=False), QUESTION),
    "the plain path, restricted": (
        lambda: ports(agentic=False, site=site_rules()),
        "Should I sue my landlord?",
    ),
    "every check switched off": (
        lambda: ports(
            knowing(),
            topic_check=False,
            ambiguity_check=False,
            planning=False,
            grounding_check=False,
            greeting_check=False,
        ),
        QUESTION,
    ),
    "nothing found at all": (lambda: ports(search=ListSearch([])), QUESTION),
    "no grades": (lambda: ports(ScriptedModel(grades={"refunds#timing": Fails()})), QUESTION),
    "an answer of nothing but courtesy": (
        lambda: ports(knowing(answers=["You are welcome."])),
        QUESTION,
    ),
    "a paste": (lambda: ports(knowing()), PASTED),
    "a paste on the plain path": (lambda: ports(knowing(), agentic=False), PASTED),
}


def versions() -> dict[str, str]:
    return pausing.VERSIONS


async def saw(turn: Turn) -> list[tuple[str, str]]:
    """What the policy saw: its decisions among the turn's events, and in its record."""
    events = await stored(turn.pk)
    told = [e.body for e in events if isinstance(e.body, Decision)]
    policy = [d for d in told if d.control is Control.POLICY]
    record = await in_db(DecisionRecord.objects.get, turn=turn)
    kept = [c for c in record.facts["controls"] if c["control"] == Control.POLICY]
    assert len(kept) == len(policy)
    return [(str(d.outcome), d.reason) for d in policy]


def is_at_peace(found: list[tuple[str, str]]) -> bool:
    return len(found) == 1 and found[0][0] == Outcome.PASSED and found[0][1].endswith(" due")


async def run_through(given: Ports, question: str, *files: File) -> Turn:
    runner = pausing.made(given)
    where = (pausing.PERSON, uuid4())
    begun = await in_db(turns.start, *where, question, uuid4(), versions, files)
    turn = await pausing.rested(runner.begin(begun))
    await runner.close()
    return turn


@pytest.mark.parametrize("way", WAYS)
async def test_a_way_leaves_every_decision_that_it_owes(way: str) -> None:
    make, question = WAYS[way]
    turn = await run_through(make(), question)
    found = await saw(turn)
    assert is_at_peace(found), (turn.termination, found)


@pytest.mark.parametrize("termination", BY_ITSELF)
async def test_so_does_a_turn_that_ends_by_itself(termination: Termination) -> None:
    make, question = BY_ITSELF[termination]
    turn = await run_through(make(), question)
    found = await saw(turn)
    assert turn.termination == termination and is_at_peace(found), found


@pytest.mark.parametrize("termination", FROM_OUTSIDE)
async def test_so_does_one_that_a_person_or_a_limit_ends(
    termination: Termination, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = await saw(await FROM_OUTSIDE[termination](monkeypatch))
    assert is_at_peace(found), found


async def test_so_does_a_question_with_a_file() -> None:
    turn = await run_through(ports(knowing()), "What is the notice?", document())
    assert is_at_peace(await saw(turn))


async def test_so_does_a_turn_that_waited_and_went_on() -> None:
    runner = pausing.made()
    turn = await pausing.waiting(runner)
    turn = await pausing.rested(runner.resume(await pausing.answered(turn)))
    assert turn.termination == Termination.ANSWERED and is_at_peace(await saw(turn))


async def test_so_does_an_action_that_was_agreed_to() -> None:
    runner = pausing.made(tooled(Draft(text="", calls=(OPEN,)), "It was done [1]."))
    turn = await pausing.waiting(runner, "Please open a ticket")
    pause = await pausing.pause_of(turn)
    where = (pausing.PERSON, turn.conversation_id, turn.pk)
    left = await in_db(pauses.confirm, *where, str(pause.pk), True)
    turn = await pausing.rested(runner.resume(left))
    assert is_at_peace(await saw(turn))


async def test_so_does_a_turn_that_is_stopped_while_it_waits() -> None:
    turn = await pausing.waiting(pausing.made())
    own = turn.conversation_id
    await in_db(turns.request_stop, pausing.PERSON, own, turn.pk, versions)
    assert is_at_peace(await saw(turn))


async def _until(run: Any, is_there: Callable[[Event], bool]) -> None:
    async with asyncio.timeout(20):
        async for batch in run.log.read(0, staff=True):
            if any(map(is_there, batch)):
                return


async def test_so_does_a_turn_that_is_stopped_while_its_passages_are_graded() -> None:
    class Slow(ScriptedModel):
        async def grade(self, item: str, found: Any) -> Reply[Any]:
            await asyncio.Event().wait()
            raise AssertionError

    runner = pausing.made(ports(Slow()))
    run = await pausing.begun(runner, QUESTION)
    await _until(run, lambda event: isinstance(event.body, Retrieval))
    runner.stop(run.begun.turn.pk)
    turn = await pausing.rested(run)
    assert turn.termination == Termination.USER_STOP
    assert is_at_peace(await saw(turn))


async def test_so_does_a_turn_whose_process_died_and_that_another_took_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pausing.without_keeper(monkeypatch)
    never = Waits(asyncio.Event(), "Never.", first="It takes")
    dying = pausing.made(ports(knowing(answers=[never])))
    run = await pausing.begun(dying, QUESTION)
    await _until(run, lambda event: isinstance(event.body, Token))
    await run.log.stored()
    await dying._let_go(run)
    await dying.close()
    await pausing.abandon(run.begun.turn)
    runner = pausing.made(ports(knowing()))
    await runner._take_over()
    turn = await pausing.rested(runner.runs[run.begun.turn.pk])
    assert turn.termination == Termination.ANSWERED and is_at_peace(await saw(turn))


async def test_a_control_that_was_passed_by_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    other = Decision(control=Control.COVERAGE, outcome=Outcome.PASSED)
    monkeypatch.setattr(search, "_relevance_decision", lambda *_given: other)
    turn = await run_through(ports(knowing()), QUESTION)
    assert await saw(turn) == [(Outcome.ACTED, "missing: relevance")]
