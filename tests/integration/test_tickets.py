"""Tickets in PostgreSQL: one for a yes, none without, and never personal data."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from chat.contracts.tasks import ToolCall, ToolResult
from chat.models import Conversation, Pause, Ticket
from chat.tools.registry import Registry
from chat.tools.tickets import OpenTicket
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)

WORDS = {"subject": "Invoice 4711", "description": "It was charged twice."}


@pytest.fixture
def turn() -> Any:
    return factories.turn()


def said_yes(turn: Any, **fields: Any) -> str:
    """The key of an action that the person confirmed."""
    now = timezone.now()
    given: dict[str, Any] = {
        "kind": Pause.Kind.ACTION,
        "tool": "open_ticket",
        "status": Pause.Status.ANSWERED,
        "approved": True,
        "question": "Open a ticket?",
        "irreversible": True,
    }
    pause = Pause.objects.create(
        turn=turn,
        seq=5,
        elapsed_ms=10.0,
        asked_at=now,
        expires_at=now + timedelta(hours=1),
        **(given | fields),
    )
    return str(pause.pk)


def registry(turn: Any) -> Registry:
    turn_id = turn.pk if turn else None
    return Registry([OpenTicket(turn_id)], count=lambda _tool, _outcome: None)


def opened(turn: Any, key: str, **arguments: Any) -> ToolResult:
    call = ToolCall(id="1", tool="open_ticket", arguments=WORDS | arguments)
    return asyncio.run(registry(turn).run(call, key))


def test_a_confirmed_ticket_stands_in_the_table_with_its_turn(turn: Any) -> None:
    key = said_yes(turn)
    result = opened(turn, key)
    ticket = Ticket.objects.get()
    assert result.problem == ""
    assert (ticket.key, ticket.turn_id, ticket.status) == (key, turn.pk, "open")
    assert (ticket.subject, ticket.description) == (WORDS["subject"], WORDS["description"])
    assert f"Ticket {ticket.pk} is open" in result.text
    assert result.summary == f"Ticket {ticket.pk} opened: Invoice 4711"


def test_the_open_ticket_can_be_cited(turn: Any) -> None:
    (passage,) = opened(turn, said_yes(turn)).passages
    number = Ticket.objects.get().pk
    assert (passage.chunk, passage.document) == (f"tool:open_ticket#{number}", "tool:open_ticket")
    assert passage.title == f"Ticket {number}"
    assert "It was charged twice." in passage.text


def test_the_same_yes_gives_the_same_ticket_however_often_it_is_run(turn: Any) -> None:
    key = said_yes(turn)
    first = opened(turn, key)
    again = opened(turn, key, subject="Other words")
    assert again.text == first.text
    assert again.summary == first.summary
    assert Ticket.objects.count() == 1


def test_two_processes_with_the_same_yes_open_one_ticket(turn: Any) -> None:
    key = said_yes(turn)
    call = ToolCall(id="1", tool="open_ticket", arguments=WORDS)

    async def both() -> list[ToolResult]:
        runs = (registry(turn).run(call, key) for _ in range(4))
        return list(await asyncio.gather(*runs))

    results = asyncio.run(both())
    assert {result.problem for result in results} == {""}
    assert len({result.text for result in results}) == 1
    assert Ticket.objects.count() == 1


def test_without_a_key_nothing_is_written(turn: Any) -> None:
    said_yes(turn)
    assert opened(turn, "").problem == "not_confirmed"
    assert not Ticket.objects.exists()


@pytest.mark.parametrize(
    "pause",
    [
        {"approved": False},
        {"approved": None, "status": Pause.Status.WAITING},
        {"approved": None, "status": Pause.Status.EXPIRED},
        {"tool": "another_tool"},
    ],
    ids=["declined", "waiting", "expired", "another tool"],
)
def test_what_is_no_yes_opens_nothing(turn: Any, pause: dict[str, Any]) -> None:
    assert opened(turn, said_yes(turn, **pause)).problem == "not_confirmed"
    assert not Ticket.objects.exists()


@pytest.mark.parametrize(
    "key", ["yes", "1", "00000000-0000-4000-8000-0000000000ff", "\x00", "'; --"]
)
def test_a_key_that_was_made_up_opens_nothing(turn: Any, key: str) -> None:
    assert opened(turn, key).problem == "not_confirmed"
    assert not Ticket.objects.exists()


def test_the_yes_of_another_turn_opens_nothing(turn: Any) -> None:
    assert opened(turn, said_yes(factories.turn())).problem == "not_confirmed"
    assert not Ticket.objects.exists()


@pytest.mark.parametrize("kind", ["lab", "rerun"])
def test_a_run_for_staff_opens_nothing_and_says_so(kind: str) -> None:
    turn = factories.turn(kind=kind)
    result = opened(turn, said_yes(turn))
    assert result.problem == "failed"
    assert "not a person's own conversation" in result.text
    assert not Ticket.objects.exists()


def test_a_turn_of_the_lab_opens_nothing_whatever_its_kind() -> None:
    turn = factories.turn(Conversation.objects.create(is_lab=True))
    assert opened(turn, said_yes(turn)).problem == "failed"
    assert not Ticket.objects.exists()


def test_without_a_turn_nothing_is_opened(turn: Any) -> None:
    assert opened(None, said_yes(turn)).problem == "failed"
    assert not Ticket.objects.exists()


def test_personal_data_is_redacted_before_it_is_written(turn: Any) -> None:
    opened(
        turn,
        said_yes(turn),
        subject="From eve@mail.example",
        description="My card is 4111 1111 1111 1111, call +353 1 496 0123.",
    )
    ticket = Ticket.objects.get()
    assert ticket.subject == "From [email]"
    assert ticket.description == "My card is [card], call [phone]."


def test_what_postgresql_cannot_keep_is_left_out(turn: Any) -> None:
    result = opened(turn, said_yes(turn), description="zero\x00 and half \ud83d of a sign")
    assert result.problem == ""
    assert Ticket.objects.get().description == "zero and half  of a sign"


def test_what_was_shown_is_what_is_stored(turn: Any) -> None:
    arguments = {"subject": " Two\nlines ", "description": " To eve@mail.example\n\nThanks "}
    call = ToolCall(id="1", tool="open_ticket", arguments=arguments)
    shown = registry(turn).summary(call)
    opened(turn, said_yes(turn), **arguments)
    ticket = Ticket.objects.get()
    assert shown.endswith(f"Subject: {ticket.subject}\n\n{ticket.description}")
