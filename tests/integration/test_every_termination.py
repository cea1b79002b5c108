"""Every reason to end is reached by a turn that runs through the real graph, log and record."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import uuid4

import pytest

from chat import pauses, turns
from chat.contracts.events import Token
from chat.contracts.ports import Ports
from chat.contracts.tasks import Draft, ToolCall
from chat.contracts.verdicts import Termination
from chat.db import in_db
from chat.models import DecisionRecord, Turn
from chat.runtime import compile as running
from chat.site_rules import site_rules
from tests import pausing
from tests.doubles.models import (
    ANSWERS,
    OFF_TOPIC,
    ON_TOPIC,
    Fails,
    FixedClock,
    Raises,
    ScriptedModel,
    Takes,
    Waits,
)
from tests.doubles.search import ListSearch
from tests.doubles.tools import DIRECTORY, TICKET, Tools
from tests.factories import QUESTION, handbook, ports

pytestmark = pytest.mark.django_db(transaction=True)

LATER = {Termination.HANDED_OFF}
"""Handing off comes with the chat's depth."""

TIMING = "refunds#timing"
WORDS = [f"refund words {n}" for n in range(20)]
LOOKUP = ToolCall(id="1", tool=DIRECTORY.name, arguments={})
OPEN = ToolCall(id="2", tool=TICKET.name, arguments={"subject": "s", "description": "d"})


def knowing(**scripts: Any) -> ScriptedModel:
    return ScriptedModel(grades={TIMING: ANSWERS}, **scripts)


def seeking(**scripts: Any) -> ScriptedModel:
    """A model that finds nothing and always has other words."""
    return ScriptedModel(rewrites=WORDS, **scripts)


def tooled(*answers: Any) -> Ports:
    box = Tools(specs=(DIRECTORY.model_copy(update={"limit": 1}), TICKET))
    return ports(ScriptedModel(answers=answers), others={"tools": box})


def slow() -> Ports:
    clock = FixedClock()
    return ports(seeking(topics=[Takes(61.0, ON_TOPIC)], clock=clock), clock=clock)


BY_ITSELF: dict[Termination, tuple[Callable[[], Ports], str]] = {
    Termination.ANSWERED: (lambda: ports(knowing()), QUESTION),
    Termination.ANSWERED_WITH_CAVEAT: (lambda: ports(knowing(checks=[Fails()])), QUESTION),
    Termination.GREETED: (lambda: ports(), "hello"),
    Termination.CRISIS: (lambda: ports(contacts="Ring 112."), "I want to kill myself"),
    Termination.OFF_TOPIC: (lambda: ports(ScriptedModel(topics=[OFF_TOPIC])), "Will it rain?"),
    Termination.RESTRICTED: (lambda: ports(site=site_rules()), "Should I sue my landlord?"),
    Termination.CONTROL_FAILED: (
        lambda: ports(ScriptedModel(topics=[Fails()]), site=site_rules()),
        "Would a solicitor say that my contract is worth keeping?",
    ),
    Termination.NO_EVIDENCE: (lambda: ports(seeking(), no_progress_stop=False), QUESTION),
    Termination.NO_PROGRESS: (
        lambda: ports(seeking(), ListSearch(handbook()[:1]), max_rewrites=9),
        QUESTION,
    ),
    Termination.PASS_CAP: (lambda: ports(seeking(), max_passes=1), QUESTION),
    Termination.TOKEN_CAP: (lambda: ports(seeking(), token_budget=150), QUESTION),
    Termination.COST_CAP: (lambda: ports(seeking(), cost_budget=0.0015), QUESTION),
    Termination.TIME_CAP: (slow, QUESTION),
    Termination.TOOL_CAP: (
        lambda: tooled(Draft(text="", calls=(LOOKUP, LOOKUP)), "Two were asked for, one was run."),
        "Which partners are in Leeds?",
    ),
    Termination.GATE_BLOCKED: (lambda: ports(knowing(answers=[" . "], checks=[()])), QUESTION),
    Termination.MODEL_FAILED: (lambda: ports(knowing(answers=[Fails("timeout")])), QUESTION),
    Termination.INTERRUPTED: (
        lambda: ports(knowing(answers=[Raises(RuntimeError("a defect"))])),
        QUESTION,
    ),
}


async def ended(turn: Turn) -> tuple[str, bool]:
    """How the turn ended, and whether its record is sealed."""
    found = await in_db(Turn.objects.get, pk=turn.pk)
    sealed = await in_db(DecisionRecord.objects.filter(turn=turn).exists)
    return found.termination, sealed


@pytest.mark.parametrize("termination", BY_ITSELF)
async def test_a_turn_ends_as_its_own_course_says(termination: Termination) -> None:
    make, question = BY_ITSELF[termination]
    given = make()
    runner = pausing.made(given)
    run = await pausing.begun(runner, question)
    assert run.task is not None
    await asyncio.wait_for(run.task, 20)
    assert await ended(run.begun.turn) == (termination, True)
    await runner.close()


async def _stopped(monkeypatch: pytest.MonkeyPatch) -> Turn:
    gate = asyncio.Event()
    runner = pausing.made(ports(knowing(answers=[Waits(gate, "Never.", first="A")])))
    run = await pausing.begun(runner, QUESTION)
    async for events in run.log.read(0, staff=False):
        if any(isinstance(event.body, Token) for event in events):
            break
    runner.stop(run.begun.turn.pk)
    return await pausing.rested(run)


async def _step_limited(monkeypatch: pytest.MonkeyPatch) -> Turn:
    monkeypatch.setattr(running, "STEP_LIMIT", 4)
    runner = pausing.made(ports(knowing()))
    return await pausing.rested(await pausing.begun(runner, QUESTION))


async def _superseded(monkeypatch: pytest.MonkeyPatch) -> Turn:
    runner = pausing.made()
    turn = await pausing.waiting(runner)
    where = (pausing.PERSON, turn.conversation_id)
    await in_db(turns.start, *where, QUESTION, uuid4(), lambda: pausing.VERSIONS)
    return turn


async def _expired(monkeypatch: pytest.MonkeyPatch) -> Turn:
    pausing.without_keeper(monkeypatch)
    runner = pausing.made()
    turn = await pausing.waiting(runner)
    await pausing.let_expire(turn)
    await runner._expire()
    return await pausing.rested(runner.runs[turn.pk])


async def _declined(monkeypatch: pytest.MonkeyPatch) -> Turn:
    runner = pausing.made(tooled(Draft(text="", calls=(OPEN,)), "The ticket was not opened."))
    turn = await pausing.waiting(runner, "Please open a ticket")
    pause = await pausing.pause_of(turn)
    where = (pausing.PERSON, turn.conversation_id, turn.pk)
    left = await in_db(pauses.confirm, *where, str(pause.pk), False)
    return await pausing.rested(runner.resume(left))


FROM_OUTSIDE: dict[Termination, Callable[[pytest.MonkeyPatch], Awaitable[Turn]]] = {
    Termination.USER_STOP: _stopped,
    Termination.STEP_LIMIT: _step_limited,
    Termination.SUPERSEDED: _superseded,
    Termination.CLARIFICATION_EXPIRED: _expired,
    Termination.ACTION_DECLINED: _declined,
}


@pytest.mark.parametrize("termination", FROM_OUTSIDE)
async def test_a_turn_ends_as_a_person_or_a_limit_says(
    termination: Termination, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn = await FROM_OUTSIDE[termination](monkeypatch)
    assert await ended(turn) == (termination, True)


def test_no_reason_to_end_is_left_out() -> None:
    assert {*BY_ITSELF, *FROM_OUTSIDE, *LATER} == set(Termination)
