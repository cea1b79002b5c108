"""Turns that wait for a person: models that ask back, other processes, and clocks set back."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.utils import timezone

from chat import closing, leases, pauses, turns
from chat.contracts.ports import Ports
from chat.db import in_db
from chat.identity import Person
from chat.models import Pause, Turn
from chat.runner import Runner
from chat.runs import Run
from tests.doubles.models import ANSWERS, SPECIFIC, VAGUE, ScriptedModel
from tests.factories import QUESTION, ports

PERSON = Person(visitor=UUID("00000000-0000-4000-8000-00000000000a"))
UNCLEAR = "How long does it take?"
ANSWER = "It takes five to ten business days [1]."
VERSIONS = {"code": "test"}


def asks_back(**scripts: Any) -> Ports:
    """A model that finds the first question vague, and answers what the reply made of it."""
    given: dict[str, Any] = {
        "clarities": (VAGUE, SPECIFIC),
        "standalones": (QUESTION,),
        "grades": {"refunds#timing": ANSWERS},
        "answers": (ANSWER,),
    }
    model = ScriptedModel(**{**given, **scripts})
    return replace(ports(model), clock=model.clock)


def made(given: Ports | None = None) -> Runner:
    """The runner of a process. It has what `asks_back` gives, or the same ports for every turn."""
    return Runner(ports=lambda: given or asks_back(), versions=lambda: VERSIONS)


def become_another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """What this process takes from now on belongs to somebody else than what it took before."""
    process = uuid4()
    for module in (leases, turns, closing, pauses):
        monkeypatch.setattr(module, "PROCESS", process)


def without_keeper(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is taken over or expires but by the test's own hand."""
    monkeypatch.setattr(Runner, "keep", lambda _runner: None)


async def begun(runner: Runner, question: str = UNCLEAR, conversation: UUID | None = None) -> Run:
    stored = await in_db(turns.start, PERSON, conversation or uuid4(), question, uuid4())
    return runner.begin(stored)


async def rested(run: Run) -> Turn:
    """The turn once its run is over: it waits, or has ended."""
    assert run.task is not None
    await asyncio.wait_for(run.task, 20)
    return await in_db(Turn.objects.get, pk=run.begun.turn.pk)


async def waiting(runner: Runner, question: str = UNCLEAR, **where: Any) -> Turn:
    """A turn that asked back and waits."""
    turn = await rested(await begun(runner, question, **where))
    assert turn.status == Turn.Status.WAITING
    return turn


async def answered(turn: Turn, text: str = "Refunds") -> pauses.Resumption:
    return await in_db(pauses.answer, PERSON, turn.conversation_id, turn.pk, text)


async def pause_of(turn: Turn) -> Pause:
    """The newest pause of a turn."""
    return await in_db(lambda: Pause.objects.filter(turn=turn).latest("asked_at"))


async def let_expire(turn: Turn) -> None:
    """The time to answer is over."""
    past = timezone.now() - timedelta(seconds=1)
    await in_db(Pause.objects.filter(turn=turn, status="waiting").update, expires_at=past)


async def abandon(turn: Turn) -> None:
    """The process that runs the turn is gone, and its lease has run out."""
    past = timezone.now() - timedelta(seconds=1)
    await in_db(Turn.objects.filter(pk=turn.pk).update, owner=uuid4(), lease_until=past)
