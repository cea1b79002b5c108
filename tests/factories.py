"""Things that tests need many of: passages, events, the start of a turn, and rows.

The first half is pure; the last functions write to the database.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from django.contrib.auth import get_user_model
from django.utils import timezone

from chat.agent.state import TurnState, fresh
from chat.contracts.events import Body, Event
from chat.contracts.passages import Hit, Passage
from chat.contracts.ports import AgentSettings, LanguageModel, Ports, Search
from chat.contracts.tasks import Exchange
from chat.contracts.verdicts import Intent, Level, Mode, Route
from chat.event_rows import insert
from chat.models import Conversation, Message, Turn
from tests.doubles.models import FixedClock, ScriptedModel
from tests.doubles.search import ListSearch

TURN = UUID("00000000-0000-4000-8000-000000000001")
START = datetime(2026, 11, 29, 10, 0, tzinfo=UTC)
QUESTION = "How long does a refund take?"

TIMING = "A refund takes five to ten business days to arrive on the card."
ELIGIBILITY = "A refund is given within thirty days of the first payment."
OFFICES = "The offices are closed on public holidays."


def passage(chunk: str = "refunds#timing", text: str = TIMING, **fields: Any) -> Passage:
    document = chunk.partition("#")[0]
    given: dict[str, Any] = {"document": document, "version": 1, "title": document.title()}
    return Passage(chunk=chunk, text=text, **(given | fields))


def hit(found: Passage, score: float = 1.0) -> Hit:
    return Hit(passage=found, score=score)


def handbook() -> list[Passage]:
    """Three sections: one that answers QUESTION, a near miss, and one beside the point."""
    return [
        passage("refunds#eligibility", ELIGIBILITY, ordinal=0),
        passage("refunds#timing", TIMING, ordinal=1),
        passage("contact#offices", OFFICES, ordinal=0),
    ]


def events(bodies: Iterable[Body], *, turn: UUID = TURN, first: int = 1) -> list[Event]:
    """Bodies as the events of one turn, a millisecond apart."""
    return [
        Event(turn=turn, seq=seq, at=START + timedelta(milliseconds=seq), body=body)
        for seq, body in enumerate(bodies, start=first)
    ]


def ports(
    model: LanguageModel | None = None,
    search: Search | None = None,
    *,
    write: Callable[[str], None] = lambda _text: None,
    clock: Callable[[], float] | None = None,
    settings: AgentSettings | None = None,
    others: Mapping[str, Any] | None = None,
    **changed: Any,
) -> Ports:
    """Ports over doubles. `changed` are fields of the settings that differ from the default.

    `others` are the router, the tools, the images, and whoever answers a pause.
    """
    return Ports(
        model=model or ScriptedModel(),
        search=search or ListSearch(handbook()),
        clock=clock or FixedClock(),
        write=write,
        settings=replace(settings or AgentSettings(), **changed),
        **(others or {}),
    )


def start_state(
    given: Ports, question: str = QUESTION, history: Sequence[Exchange] = ()
) -> TurnState:
    """What a turn knows before its first node."""
    return {
        **fresh(),  # type: ignore[typeddict-item]
        "question": question,
        "redactions": {},
        "is_sensitive": False,
        "history": tuple(history),
        "attachments": (),
        "clarifications_before": 0,
        "limits": given.settings,
        "started": given.clock(),
    }


def planned_state(given: Ports, question: str = QUESTION, **changed: Any) -> Any:
    """What a turn knows once its search is planned: one item, and nothing found yet."""
    return {
        **start_state(given, question),
        "intent": Intent.QUESTION,
        "mode": Mode.STANDARD,
        "context_level": Level.LOW,
        "standalone": question,
        "decided": Route.SINGLE_SHOT,
        "route": Route.SINGLE_SHOT,
        "items": (question,),
        "queries": {question: question},
        "covered": {question: False},
        **changed,
    }


def user(name: str = "alice", **fields: Any) -> Any:
    """A signed-in person; `is_staff` and `is_superuser` may be given."""
    return get_user_model().objects.create_user(name, password=f"{name} has a password", **fields)


def conversation(owner: Any = None, *, visitor: UUID | None = None, title: str = "") -> Any:
    """A conversation of a user, or of a visitor with a key of their own."""
    key = None if owner else visitor or uuid4()
    return Conversation.objects.create(user=owner, visitor=key, title=title)


def turn(of: Any = None, question: str = QUESTION, **fields: Any) -> Any:
    """A running turn with its question as the conversation's leaf."""
    talk = of or conversation()
    asked = Message.objects.create(
        conversation=talk, parent=talk.selected_leaf, author=Message.Author.PERSON, text=question
    )
    talk.selected_leaf = asked
    talk.save()
    given = {"started_at": timezone.now()} | fields
    return Turn.objects.create(conversation=talk, question=asked, **given)


def store(told: Sequence[Event]) -> None:
    """Events as rows of the log."""
    insert(told)
