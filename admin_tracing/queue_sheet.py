"""One item of the queue as one person sees it: what they may see of it now, and what they said.

Until that person has said all that is asked, nothing of a check's verdict and nothing of what
others said is on the sheet. What is not on it cannot reach a page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from admin_tracing import queueing
from admin_tracing.asked import Asked, asked
from admin_tracing.models import GroundednessLabel, Review, RoutingLabel
from admin_tracing.queue_words import (
    CORRECT,
    GROUNDED,
    NEEDED,
    Row,
    check_in_words,
    said_in_words,
    word_of,
)
from admin_tracing.story import Story, story
from chat.contracts.events import (
    Action,
    Answer,
    Clarification,
    Event,
    QuestionRead,
    Retrieval,
    Stage,
    Tool,
    TurnFinished,
    TurnStarted,
    event_from,
)
from chat.contracts.passages import Citation
from chat.models import Turn
from chat.turn_page import document_href, origin_of

TELLING = (
    *(TurnStarted, QuestionRead, Stage, Clarification, Action),
    *(Retrieval, Tool, Answer, TurnFinished),
)


@dataclass(frozen=True, slots=True)
class Source:
    """A cited passage as the answer cited it; `href` leads into that version of its document."""

    marker: int
    title: str
    where: str
    passage: str
    href: str


@dataclass(frozen=True, slots=True)
class Seen:
    """What is told once somebody has said all: the router's choice, the check's, other people's."""

    router: str
    check: str
    others: tuple[str, ...]
    changed: bool


@dataclass(frozen=True, slots=True)
class Reading:
    """What there is to read of a turn, the same for everybody and without any verdict."""

    turn: Turn
    asked: Asked
    gaps: tuple[str, ...]
    story: Story
    sources: tuple[Source, ...]


@dataclass(frozen=True, slots=True)
class Sheet(Reading):
    """`said` has the person's own answers and note; `seen` is None while they look blind."""

    rows: tuple[Row, ...]
    said: Mapping[str, Any]
    may_look: bool
    seen: Seen | None
    place: str = ""
    errors: tuple[str, ...] = field(default=())

    @property
    def route_rows(self) -> tuple[Row, ...]:
        return self.rows[:1]

    @property
    def answer_rows(self) -> tuple[Row, ...]:
        return self.rows[1:]


def reading(turn: Turn) -> Reading:
    """What anybody who may label reads before they say anything."""
    shown, events = asked(turn), told(turn)
    last = next((e.body for e in reversed(events) if isinstance(e.body, Answer)), None)
    return Reading(
        turn=turn,
        asked=shown,
        gaps=last.gaps if last else (),
        story=story(events),
        sources=tuple(source(citation) for citation in shown.citations),
    )


def sheet(turn: Turn, user: Any, place: str = "") -> Sheet:
    """The sheet of a turn for somebody. Who has said all sees the verdict, and that is kept."""
    read = reading(turn)
    sees = queueing.see(user, turn.pk)
    return Sheet(
        *(read.turn, read.asked, read.gaps, read.story, read.sources),
        rows=rows_of(turn),
        said=said_of(turn, user),
        may_look=may_look(turn, user),
        seen=_seen(turn, user, read.asked) if sees else None,
        place=place,
    )


def rows_of(turn: Turn) -> tuple[Row, ...]:
    """The questions that a turn asks."""
    return (NEEDED, GROUNDED, CORRECT) if queueing.holds_answer(turn) else (NEEDED,)


def told(turn: Turn) -> list[Event]:
    """The events that the story is made of."""
    rows = turn.events.filter(type__in=[body.TYPE for body in TELLING]).order_by("seq")
    return [event_from(r.turn_id, r.seq, r.at, r.type, r.data) for r in rows]


def may_look(turn: Turn, user: Any) -> bool:
    """The graph and the log are open once somebody has given their first label of the turn."""
    labels: Sequence[Any] = (RoutingLabel, GroundednessLabel)
    return any(kind.objects.filter(turn=turn, user=user).exists() for kind in labels)


def said_of(turn: Turn, user: Any) -> dict[str, Any]:
    """Somebody's own answers, marks and note of a turn; only what there is."""
    said: dict[str, Any] = {"claims": {}, "citations": {}}
    route = RoutingLabel.objects.filter(turn=turn, user=user).first()
    if route is not None:
        said |= {"needed": route.needed, "note": route.note}
    answer = GroundednessLabel.objects.filter(turn=turn, user=user).first()
    if answer is not None:
        said |= {
            "grounded": answer.grounded,
            "correct": answer.correct,
            "claims": answer.claims,
            "citations": answer.citations,
            "category": answer.incident_category,
            "severity": answer.incident_severity,
            "note": answer.note,
        }
    return said


def source(citation: Citation) -> Source:
    """A citation with the way into its document, where that has pages."""
    outside = origin_of(citation)
    page = f", page {citation.page}" if citation.page else ""
    where = outside or f"version {citation.version}{page}"
    href = "" if outside else document_href(citation)
    return Source(citation.marker, citation.title, where, citation.passage, href)


def router_in_words(turn: Turn) -> str:
    """What the router chose and what became of it."""
    if not turn.route_decided:
        return "No router was asked."
    decided = word_of("needed", turn.route_decided)
    sure = "" if turn.route_confidence is None else f" ({turn.route_confidence:.2f})"
    if turn.route_taken in ("", turn.route_decided):
        return f"The router chose {decided}{sure}."
    return f"The router chose {decided}{sure}, taken {word_of('needed', turn.route_taken)}."


def check_of(turn: Turn, shown: Asked) -> str:
    """What the check made of the answer."""
    return check_in_words(shown.claims, holds_answer=queueing.holds_answer(turn))


def _seen(turn: Turn, user: Any, shown: Asked) -> Seen:
    others = {who: said for who, said in queueing.said_by(turn).items() if who != user.pk}
    mine = Review.objects.filter(item=turn.pk, user=user).first()
    return Seen(
        router=router_in_words(turn),
        check=check_of(turn, shown),
        others=tuple(said_in_words(said) for said in others.values()),
        changed=bool(mine and mine.before.get("after_seeing")),
    )
