"""A canary that a tool brings, breaks on or is given is found nowhere afterwards."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import pytest

from chat.contracts.ports import Ports
from chat.contracts.tasks import Draft, ToolCall, ToolSpec
from chat.db import in_db
from chat.models import Pause, Ticket, Turn
from chat.tools.base import Arguments, CannotRun, Found, Tool
from chat.tools.registry import Registry
from chat.tools.tickets import OpenTicket
from tests import pausing
from tests.canaries import ALL, assert_gone, every_cell
from tests.doubles.models import ANSWERS, ScriptedModel
from tests.factories import passage, ports

pytestmark = pytest.mark.django_db(transaction=True)

ASKED = "Which partner is near me?"
LOOKUP = ToolCall(id="1", tool="search_directory", arguments={})
TICKET = ToolCall(id="1", tool="open_ticket", arguments={"subject": ALL, "description": ALL})


class Directory(Tool[Arguments]):
    """Gives what a test wrote down, or raises it."""

    arguments = Arguments
    spec = ToolSpec(
        name="search_directory",
        description="Finds partners.",
        parameters={"type": "object"},
        hints=("partner",),
    )

    def __init__(self, brought: Found | Exception) -> None:
        self.brought = brought

    def summary(self, arguments: Arguments) -> str:
        return "Look it up"

    async def run(self, arguments: Arguments, key: str) -> Found:
        if isinstance(self.brought, Exception):
            raise self.brought
        return self.brought


BROUGHT: dict[str, tuple[Found | Exception, str]] = {
    "text": (Found(text=ALL, summary="Found one."), "[email]"),
    "summary": (Found(text="One.", summary=f"Found: {ALL}"), "[email]"),
    "passage": (
        Found(
            text="One.",
            summary="Found one.",
            passages=(passage("tool:search_directory#1", ALL, title=ALL, heading=ALL),),
        ),
        "[email]",
    ),
    "refusal": (CannotRun(f"There is nothing for {ALL}"), ""),
    "exception": (ValueError(f"no row for {ALL}"), ""),
}


def _asks(call: ToolCall, tools: Sequence[Tool[Any]]) -> tuple[ScriptedModel, Ports]:
    """A model that calls the tool and then answers from what it brought."""
    model = ScriptedModel(
        grades={"refunds#timing": ANSWERS},
        answers=(Draft(text="", calls=(call,)), "It says so in the handbook [1]."),
    )
    box = Registry(tools, count=lambda _tool, _outcome: None)
    return model, ports(model, others={"tools": box})


@pytest.mark.parametrize("where", BROUGHT)
async def test_what_a_tool_brings_leaves_none(where: str, written_lines: io.StringIO) -> None:
    brought, stands_instead = BROUGHT[where]
    model, given = _asks(LOOKUP, [Directory(brought)])
    turn = await pausing.rested(await pausing.begun(pausing.made(given), ASKED))
    assert turn.status == Turn.Status.FINISHED
    assert "answer" in model.purposes()[-3:]
    stored = await in_db(every_cell)
    assert_gone("the database", stored)
    assert_gone("the log", written_lines.getvalue())
    assert_gone("the prompts", repr(model.asked))
    assert stands_instead in repr(model.asked) + stored
    if where == "exception":
        assert "the tool search_directory failed" in written_lines.getvalue()
        assert "ValueError: no row for [email]" in written_lines.getvalue()


async def test_a_ticket_is_shown_and_stored_without_any(written_lines: io.StringIO) -> None:
    _, given = _asks(TICKET, [OpenTicket(None)])
    turn = await pausing.waiting(pausing.made(given), "Please open a ticket about this.")
    pause = await in_db(Pause.objects.get, turn=turn)
    assert "[national_id]" in pause.question
    assert_gone("the database of a turn that waits", await in_db(every_cell))
    await in_db(_open, turn, pause)
    assert "[email]" in (await in_db(Ticket.objects.get)).description
    assert_gone("the database", await in_db(every_cell))
    assert_gone("the log", written_lines.getvalue())


def _open(turn: Turn, pause: Pause) -> None:
    """The person says yes, and the ticket is opened as it was shown."""
    Pause.objects.filter(pk=pause.pk).update(status=Pause.Status.ANSWERED, approved=True)
    tool = OpenTicket(turn.pk)
    arguments = tool.arguments.model_validate(TICKET.arguments)
    from asgiref.sync import async_to_sync

    async_to_sync(tool.run)(arguments, str(pause.pk))
