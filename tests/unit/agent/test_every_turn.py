"""What every turn has in common, however it ends."""

from __future__ import annotations

from typing import Any

import pytest

from chat.contracts.events import Answer, Body, DraftWithdrawn, Stage, Token
from chat.contracts.turn_view import fold
from chat.contracts.verdicts import Termination
from tests.doubles.models import ANSWERS, OFF_TOPIC, Fails, ScriptedModel
from tests.factories import QUESTION, events, ports
from tests.unit.agent.running import run

OTHER_WORDS = ("business days to arrive", "thirty days payment", "public holidays offices")


def knowing(**scripts: Any) -> ScriptedModel:
    """A model that takes the section on timing for the answer."""
    return ScriptedModel(grades={"refunds#timing": ANSWERS}, **scripts)


TURNS: dict[str, Any] = {
    "greeting": lambda: (ports(), "hello"),
    "off topic": lambda: (ports(ScriptedModel(topics=[OFF_TOPIC])), QUESTION),
    "answered": lambda: (ports(knowing()), QUESTION),
    "rewritten": lambda: (ports(knowing(rewrites=["business days to arrive"])), "My money?"),
    "no evidence": lambda: (ports(ScriptedModel(rewrites=OTHER_WORDS)), QUESTION),
    "model failed": lambda: (ports(knowing(answers=[Fails(after="A ")])), QUESTION),
    "plain": lambda: (ports(agentic=False), QUESTION),
}


@pytest.mark.parametrize("name", TURNS)
async def test_every_turn_ends_in_one_answer_and_one_reason(name: str) -> None:
    given, question = TURNS[name]()
    told = await run(given, question)
    told.one(Answer)
    assert isinstance(told.termination, Termination)
    assert told.path[-1] == "deliver"


@pytest.mark.parametrize("name", TURNS)
async def test_every_node_is_entered_and_left_with_its_time(name: str) -> None:
    given, question = TURNS[name]()
    stages = (await run(given, question)).all(Stage)
    for enter, leave in zip(stages[::2], stages[1::2], strict=True):
        assert (enter.phase, leave.phase) == ("enter", "leave")
        assert (enter.node, enter.label) == (leave.node, leave.label)
        assert (enter.ms, leave.ms is None) == (None, False)


@pytest.mark.parametrize("name", TURNS)
async def test_what_a_person_sees_at_the_end_is_the_answer(name: str) -> None:
    given, question = TURNS[name]()
    told = await run(given, question)
    assert fold(events(told.bodies)).text == told.one(Answer).text


@pytest.mark.parametrize("name", TURNS)
async def test_the_tokens_give_the_draft(name: str) -> None:
    given, question = TURNS[name]()
    told = await run(given, question)
    spoken = fold(events(_until_answer(told.bodies))).draft
    assert spoken == told.state.get("draft", "")


def _until_answer(bodies: list[Body]) -> list[Body]:
    return [b for b in bodies if isinstance(b, Token | DraftWithdrawn)]
