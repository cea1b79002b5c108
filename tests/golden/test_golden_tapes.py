"""A golden turn out of its tape is the same turn, and with one setting changed it flips as it must.

Nobody may be asked: model, search and router fail when they are called.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from chat import lab, tapes, turns, wiring
from chat.contracts.events import Event
from chat.contracts.ports import Ports
from chat.contracts.verdicts import Termination
from chat.db import in_db
from chat.event_rows import stored
from chat.models import Conversation, Turn
from chat.runner import Runner
from chat.sample.loader import golden_five
from chat.taping import Reuse, settings_from
from tests.corpus import take_in_the_handbook
from tests.doubles.silent import silenced
from tests.unit.taping.equal import plain

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def handbook() -> Iterator[None]:
    take_in_the_handbook()
    yield


@dataclass(frozen=True, slots=True)
class Again:
    first: list[Event]
    second: list[Event]
    turn: Turn
    asked: list[str]
    reuse: Reuse


async def _again(name: str, **changed: Any) -> Again:
    """A golden question, and the same once more out of its tape with these settings changed."""
    variant = lab.Variant(2)
    golden = next(each for each in golden_five() if each.id == name)
    (outcome,) = await lab.run(variant, [golden])
    heard = await in_db(tapes.of, outcome.turn)
    assert heard is not None and heard.setting["origin"] == f"golden:{name}"
    given = lab.ports_of(name, variant)
    given = replace(given, settings=settings_from(heard.setting, wiring.agent_settings()))
    given, asked = silenced(replace(given, settings=replace(given.settings, **changed)))
    reuse = Reuse(heard.calls)
    turn = await _run(given, golden.question, reuse)
    return Again(await stored(outcome.turn), await stored(turn.pk), turn, asked, reuse)


async def _run(given: Ports, question: str, reuse: Reuse) -> Turn:
    talk = await in_db(lambda: Conversation.objects.create(title="again", is_lab=True))
    begun = await in_db(turns.start_lab, talk, question)
    runner = Runner(wiring.ports, wiring.versions, equip=wiring.equip)
    run = runner.begin(begun, given, reuse.wrap)
    assert run.task is not None
    await asyncio.wait_for(run.task, 20)
    await runner.close()
    await wiring.runner().close()
    return await in_db(Turn.objects.get, pk=begun.turn.pk)


def _told(events: list[Event]) -> list[dict[str, Any]]:
    told = plain(event.body for event in events)
    for each in told:
        if each["type"] == "turn_started":
            each.pop("message")
    return told


@pytest.mark.parametrize("name", [golden.id for golden in golden_five()])
async def test_a_golden_turn_is_the_same_out_of_its_tape(name: str) -> None:
    again = await _again(name)
    assert _told(again.second) == _told(again.first)
    assert again.asked == []


async def test_the_outage_flips_when_the_budget_is_checked_first_and_nobody_is_asked() -> None:
    again = await _again("outage", check_order="budget")
    assert (again.turn.termination, again.turn.model_calls) == (Termination.NO_EVIDENCE, 9)
    assert again.asked == []
    assert all(line["reused"] for line in again.reuse.ledger)
    assert await in_db(tapes.of, again.turn.pk) is not None
