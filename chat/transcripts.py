"""A conversation as the staff reads it: the shown branch with its answers and sources.

What was edited or asked again stands on other branches, which are listed after it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.utils.safestring import SafeString

from chat import queries
from chat.contracts.passages import Citation
from chat.models import Conversation, Turn
from chat.queries import TurnRow
from chat.render import render


@dataclass(frozen=True, slots=True)
class Source:
    """A cited passage; `anchor` is where the answer's marker leads on the same page."""

    anchor: str
    citation: Citation


@dataclass(frozen=True, slots=True)
class Line:
    """One turn. `answer` is rendered; `draft` is set where there is no answer."""

    turn: UUID
    asked_at: datetime
    question: str
    answer: SafeString | None
    draft: str
    ended: str
    confidence: str
    notes: tuple[str, ...]
    sources: tuple[Source, ...]
    erased_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Branch:
    """A turn that the shown branch leaves out, and how it came to be and ended."""

    turn: UUID
    asked_at: datetime
    question: str
    how: str


def lines(conversation: Conversation) -> list[Line]:
    """The turns of the shown branch, oldest first."""
    return [_line(row) for row in queries.transcript(conversation)]


def other_branches(conversation: Conversation) -> list[Branch]:
    """The turns that the shown branch leaves out, oldest first."""
    shown = [row.id for row in queries.transcript(conversation)]
    turns = conversation.turns.exclude(pk__in=shown).select_related("question")
    return [_branch(turn) for turn in turns.order_by("started_at")]


def _branch(turn: Turn) -> Branch:
    how = f"{turn.kind}, {(turn.termination or turn.status).replace('_', ' ')}"
    return Branch(turn.pk, turn.started_at, turn.question.text, how)


def _line(row: TurnRow) -> Line:
    view, answer = row.view, row.view.answer
    finished = view.finished
    return Line(
        turn=row.id,
        asked_at=row.started_at,
        question=view.question or row.question,
        answer=render(answer.text, _prefix(row), count=len(answer.citations)) if answer else None,
        draft="" if answer else view.draft,
        ended=finished.termination.replace("_", " ") if finished else row.status,
        confidence=str(answer.confidence) if answer and answer.citations else "",
        notes=(*answer.gaps, *answer.caveats) if answer else (),
        sources=tuple(_source(row, citation) for citation in answer.citations) if answer else (),
        erased_at=row.erased_at,
    )


def _source(row: TurnRow, citation: Citation) -> Source:
    return Source(f"{_prefix(row)[1:]}{citation.marker}", citation)


def _prefix(row: TurnRow) -> str:
    """Markers lead to the sources under the answer, not to the customer's own pages."""
    return f"#{row.id}-"
