"""The tool `open_ticket`: hands a matter to staff, once, after the person's own yes."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any
from uuid import UUID

from django.db.models import Q
from pydantic import BeforeValidator, Field

from chat.contracts.events import NOBODYS
from chat.contracts.passages import Passage
from chat.contracts.tasks import ToolSpec
from chat.db import in_db
from chat.guardrails.input import redact
from chat.models import Pause, Ticket, Turn
from chat.tools.base import (
    Arguments,
    CannotRun,
    Found,
    NotConfirmed,
    Tool,
    one_line,
    plain,
    time_limit,
)

NAME = "open_ticket"
DOCUMENT = f"tool:{NAME}"
TIMEOUT_MS = 5_000

DESCRIPTION = (
    "Opens a ticket with the support staff for this person, for what needs a human. It cannot be "
    "taken back; the person sees its words and confirms first. Write it in the person's name."
)
HINTS = (
    *("open a ticket", "open ticket", "create a ticket", "raise a ticket", "file a ticket"),
    *("log a ticket", "submit a ticket", "make a ticket", "open a support ticket"),
    *("raise a case", "open a case", "create a case", "raise a support ticket"),
    *("talk to a human", "talk to a person", "talk to a real person", "talk to someone"),
    *("speak to a human", "speak to a person", "speak to a real person", "speak to someone"),
    *("talk to a human being", "talk to someone real", "talk to an agent", "talk to your staff"),
    *("speak to an agent", "speak to your staff", "chat with a human", "chat with a person"),
    *("speak with a human", "speak with a person", "speak with someone", "talk with a human"),
    *("contact support for me", "tell support", "let support know", "ask support for me"),
    *("pass this on to support", "escalate this"),
)

NOT_HERE = "No ticket can be opened here: this run is not a person's own conversation."
NO_YES = "No ticket was opened: the person has not confirmed it."


def _screened(text: Any) -> Any:
    """Cleaned and redacted before its length counts: what is shown is what is stored."""
    return redact(plain(text)).text if isinstance(text, str) else text


def _subject(text: Any) -> Any:
    return one_line(_screened(text)) if isinstance(text, str) else text


class TicketArguments(Arguments):
    """The ticket's words. They are redacted as they come in."""

    subject: Annotated[str, BeforeValidator(_subject)] = Field(
        min_length=1, max_length=120, description="What it is about, in one line."
    )
    description: Annotated[str, BeforeValidator(_screened)] = Field(
        min_length=1, max_length=4_000, description="All that staff need to know to begin."
    )


class OpenTicket(Tool[TicketArguments]):
    """Writes one row for a key, which is the id of the pause that the person said yes to.

    `turn` is the turn that asks; None is nobody's.
    """

    arguments = TicketArguments

    def __init__(self, turn: UUID | None) -> None:
        self._turn = turn

    @property
    def spec(self) -> ToolSpec:
        return _spec()

    def summary(self, arguments: TicketArguments) -> str:
        asked = f"Open a ticket with the support staff. Subject: {arguments.subject}"
        same = arguments.description.strip().casefold() == arguments.subject.casefold()
        return asked if same else f"{asked}\n\n{arguments.description}"

    async def run(self, arguments: TicketArguments, key: str) -> Found:
        ticket = await in_db(self._open, arguments, key)
        return Found(
            text=f"Ticket {ticket.pk} is open. Tell the person its number.",
            summary=f"Ticket {ticket.pk} opened: {ticket.subject}",
            passages=(passage_of(ticket),),
        )

    def _open(self, arguments: TicketArguments, key: str) -> Ticket:
        """The ticket of this key, made if there is none. Raises CannotRun."""
        with time_limit(TIMEOUT_MS):
            if not _is_a_persons(self._turn):
                raise CannotRun(NOT_HERE)
            if not _is_confirmed(self._turn, key):
                raise NotConfirmed(NO_YES)
            words = {"subject": arguments.subject, "description": arguments.description}
            ticket, _ = Ticket.objects.get_or_create(
                key=key, defaults={"turn_id": self._turn, **words}
            )
            return ticket


def _is_a_persons(turn: UUID | None) -> bool:
    """The lab and re-runs answer to nobody, so nothing may come of them."""
    staffs = Q(kind__in=NOBODYS) | Q(conversation__is_lab=True)
    return turn is not None and Turn.objects.filter(pk=turn).exclude(staffs).exists()


def _is_confirmed(turn: UUID | None, key: str) -> bool:
    """Does the table of pauses hold the person's yes to this tool, in this turn?"""
    try:
        pause = UUID(key)
    except ValueError:
        return False
    return Pause.objects.filter(pk=pause, turn=turn, tool=NAME, approved=True).exists()


def passage_of(ticket: Ticket) -> Passage:
    """The open ticket as something that an answer can cite."""
    return Passage(
        chunk=f"{DOCUMENT}#{ticket.pk}",
        document=DOCUMENT,
        version=1,
        title=f"Ticket {ticket.pk}",
        heading=ticket.subject,
        text=f"Ticket {ticket.pk} was opened with the subject “{ticket.subject}”. "
        f"Its description: {ticket.description}",
    )


@cache
def _spec() -> ToolSpec:
    return ToolSpec(
        name=NAME,
        description=DESCRIPTION,
        parameters=TicketArguments.model_json_schema(),
        limit=1,
        irreversible=True,
        timeout_ms=TIMEOUT_MS,
        hints=HINTS,
    )
