"""Live equals replay: for each golden question the page from live frames is the page from rows."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from uuid import UUID, uuid4

import pytest
from django.template.loader import render_to_string

from chat import queries, turns, wiring
from chat.contracts.events import Event, event_from
from chat.contracts.turn_view import fold
from chat.db import in_db
from chat.event_log import follow
from chat.identity import Person
from chat.models import Turn
from chat.queries import TurnRow
from chat.sample.loader import golden_five
from chat.turn_page import cited, turn_page
from tests.corpus import take_in_the_handbook

pytestmark = pytest.mark.django_db(transaction=True)

VISITOR = Person(visitor=UUID("00000000-0000-4000-8000-00000000000b"))
ENDS = {
    "export": "answered",
    "refund": "answered",
    "outage": "answered",
    "discount": "no_evidence",
    "weather": "off_topic",
}


async def _live(question: str, conversation: UUID) -> list[Event]:
    """Ask, and follow as a person's socket does: every frame over the wire and back."""
    begun = await in_db(turns.start, VISITOR, conversation, question, uuid4())
    runner = wiring.runner()
    run = runner.begin(begun, wiring.ports(pace=0))
    frames = []
    async for batch in follow(begun.turn.pk, staff=False):
        frames += [json.loads(json.dumps(event.wire())) for event in batch]
    assert run.task is not None
    await run.task
    await runner.close()
    return [event_from(UUID(f["turn"]), f["seq"], f["at"], f["type"], f["data"]) for f in frames]


def _page(row: TurnRow) -> str:
    names = queries.section_names(cited([row]))
    return render_to_string("partials/turn.html", {"turn": turn_page(row, names)})


def _pages(conversation: UUID, events: list[Event]) -> tuple[str, str]:
    """The turn as live frames add up to it, and as a reload finds it."""
    stored = queries.turn_of(VISITOR, conversation, events[0].turn)
    assert stored is not None
    live = replace(stored, status=Turn.Status.FINISHED, view=fold(events))
    return _page(live), _page(stored)


@pytest.mark.parametrize("golden", golden_five(), ids=lambda golden: golden.id)
def test_the_live_page_equals_the_page_of_the_stored_rows(golden: object) -> None:
    name, question = golden.id, golden.question  # type: ignore[attr-defined]
    take_in_the_handbook()
    conversation = uuid4()
    events = asyncio.run(_live(question, conversation))
    live, replayed = _pages(conversation, events)
    assert live == replayed
    assert fold(events).finished.termination == ENDS[name]  # type: ignore[union-attr]
