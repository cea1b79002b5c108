"""A turn that tells of somebody's health: what marks it, and that its trace holds no word of it."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction

from chat import branches, closing, turns
from chat.contracts.events import USER_TYPES, Event
from chat.contracts.tasks import Draft, ToolCall
from chat.contracts.verdicts import Termination
from chat.db import in_db
from chat.event_rows import stored
from chat.models import DecisionRecord, Turn
from tests import pausing
from tests.doubles.models import ANSWERS, ScriptedModel
from tests.doubles.tools import DIRECTORY, Tools
from tests.factories import ports
from tests.integration.test_uploads import document

pytestmark = pytest.mark.django_db(transaction=True)

TOLD = "I have epilepsy, how long does a refund take and when are the offices closed?"
WORD = "epilepsy"


@pytest.mark.parametrize(
    "text",
    [
        TOLD,
        "I want to kill myself",
        "my friend wants to end her life",
    ],
)
def test_a_question_about_a_persons_health_or_life_marks_its_turn(text: str) -> None:
    assert turns.start(pausing.PERSON, uuid4(), text, uuid4()).turn.is_sensitive


def test_a_file_marks_the_turn_and_an_ordinary_question_does_not() -> None:
    letter = document(text="The patient was diagnosed with epilepsy.")
    asked = turns.start(pausing.PERSON, uuid4(), "What is it?", uuid4(), files=(letter,))
    assert asked.turn.is_sensitive
    plain = turns.start(pausing.PERSON, uuid4(), "What is it?", uuid4(), files=(document(),))
    assert not plain.turn.is_sensitive


async def test_a_reply_marks_the_turn_that_asked() -> None:
    turn = await pausing.waiting(pausing.made())
    left = await pausing.answered(turn, "It is about my epilepsy, I have had it for years")
    assert left.begun.is_sensitive
    assert (await in_db(Turn.objects.get, pk=turn.pk)).is_sensitive


def words_of(events: list[Event]) -> str:
    staff = [e.body.model_dump(mode="json") for e in events if e.body.TYPE not in USER_TYPES]
    return json.dumps(staff).casefold()


CALL = ToolCall(id="1", tool=DIRECTORY.name, arguments={"name": WORD})
TURNS: dict[str, dict[str, Any]] = {
    "answered": {
        "grades": {"refunds#timing": ANSWERS},
        "plans": [(f"refund with {WORD}", f"offices with {WORD}")],
        "rewrites": [f"{WORD} words {n}" for n in range(9)],
        "answers": [f"With {WORD} it is paid twice. A {WORD} plan is 9 euros.", f"Not {WORD} [1]."],
    },
    "nothing found": {"rewrites": [f"{WORD} words {n}" for n in range(9)]},
    "a tool": {"answers": [Draft(text="", calls=(CALL,)), f"For {WORD} it was done."]},
}


@pytest.mark.parametrize("way", TURNS)
async def test_no_word_of_it_stands_in_what_the_staff_are_shown(way: str) -> None:
    runner = pausing.made(ports(ScriptedModel(**TURNS[way]), others={"tools": Tools()}))
    question = f"{TOLD} Which partner?" if way == "a tool" else TOLD
    turn = await pausing.rested(await pausing.begun(runner, question))
    events = await stored(turn.pk)
    assert turn.is_sensitive and WORD in repr(events)
    assert WORD not in words_of(events)
    record = await in_db(DecisionRecord.objects.get, turn=turn)
    assert WORD not in json.dumps(record.facts)


async def test_a_vote_that_tells_of_it_before_the_turn_has_ended_marks_it_for_good() -> None:
    turn = await pausing.waiting(pausing.made())
    vote = branches.Vote("down", note="I have epilepsy and this is no help")
    talk = turn.conversation_id
    await in_db(branches.give_feedback, pausing.PERSON, talk, turn.pk, vote)
    assert not turn.is_sensitive  # as it was read before
    await in_db(_ended, turn)
    assert (await in_db(Turn.objects.get, pk=turn.pk)).is_sensitive


@transaction.atomic
def _ended(turn: Turn) -> None:
    closing.end_waiting(turn, Termination.USER_STOP, dict)
