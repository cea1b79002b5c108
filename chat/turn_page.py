"""What a page says of one turn, in words: trust, sources, endings, and what may be asked again.

Pure: a turn's row and the names of the cited sections in, one value for the template out.
The page of a reload and the fragment that settles a draft are made of the same value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar
from urllib.parse import quote
from uuid import UUID

from django.urls import reverse
from django.utils.html import linebreaks
from django.utils.safestring import SafeString

from chat.contracts.events import Answer
from chat.contracts.passages import Citation
from chat.queries import SectionKey, SectionName, Spot, TurnRow, VoteRow
from chat.render import render
from chat.turn_words import REASONS, Ending, Note, ending_of, notes_of, trust_of, view_state


@dataclass(frozen=True, slots=True)
class Source:
    """One line of the sources list."""

    marker: int
    section: str
    document: str
    href: str


@dataclass(frozen=True, slots=True)
class TurnPage:
    """Everything that the partial `turn.html` shows."""

    reasons: ClassVar[tuple[str, ...]] = REASONS

    id: UUID | None
    question: str
    running: bool
    seq: int
    draft: SafeString
    withdrawn: str
    answer: SafeString | None
    trust: Note | None
    sources: tuple[Source, ...]
    notes: tuple[str, ...]
    suggestions: tuple[str, ...]
    ending: Ending | None
    state: dict[str, Any]
    asked: Spot
    said: Spot
    vote: VoteRow | None


_DRAFT_MARKER = re.compile(r"\[(\d{1,3})\]")


def turn_page(row: TurnRow, names: Mapping[SectionKey, SectionName]) -> TurnPage:
    """Put one turn into words. `names` may lack sections; their citation's title stands in."""
    view, answer, over = row.view, row.view.answer, row.status == "finished"
    return TurnPage(
        id=row.id,
        question=view.question or row.question,
        running=not over,
        seq=view.seq,
        draft=SafeString("") if answer else draft_html(view.draft),
        withdrawn=view.withdrawn,
        answer=_answer_html(row, answer) if answer else None,
        trust=trust_of(view),
        sources=_sources(row, answer, names) if answer else (),
        notes=notes_of(answer) if answer else (),
        suggestions=answer.suggestions if answer else (),
        ending=ending_of(view) if over else None,
        state=page_state(row),
        asked=row.asked,
        said=row.said,
        vote=row.vote,
    )


BLANK = TurnPage(
    id=None,
    question="",
    running=True,
    seq=0,
    draft=SafeString(""),
    withdrawn="",
    answer=None,
    trust=None,
    sources=(),
    notes=(),
    suggestions=(),
    ending=None,
    state={},
    asked=Spot(),
    said=Spot(),
    vote=None,
)
"""A turn of which nothing is known yet: the mould of what the page's script adds."""


def turn_pages(rows: Iterable[TurnRow], names: Mapping[SectionKey, SectionName]) -> list[TurnPage]:
    return [turn_page(row, names) for row in rows]


def cited(rows: Iterable[TurnRow]) -> set[SectionKey]:
    """The sections that these turns cite, for one look-up of their names."""
    return {key_of(c) for row in rows if row.view.answer for c in row.view.answer.citations}


def key_of(citation: Citation) -> SectionKey:
    return (citation.document, citation.version, citation.chunk)


def cite_prefix(row: TurnRow) -> str:
    """The address of the turn's citation cards, up to the marker."""
    card = reverse("chat:source", args=(row.conversation, row.id, 0))
    return card.removesuffix("0/")


def anchor_of(chunk: str) -> str:
    """A chunk's place in its document page: the part of its key after the document."""
    return chunk.partition("#")[2] or chunk


def document_href(citation: Citation) -> str:
    page = reverse("chat:document", args=(citation.document, citation.version))
    return f"{page}#{quote(anchor_of(citation.chunk))}"


def draft_html(draft: str) -> SafeString:
    """A draft as the page's script paints it: paragraphs, and markers that lead nowhere yet."""
    if not draft.strip():
        return SafeString("")
    text = linebreaks(draft.strip("\n"), autoescape=True)
    return SafeString(_DRAFT_MARKER.sub(r'<span class="cite">\1</span>', text))


def _answer_html(row: TurnRow, answer: Answer) -> SafeString:
    return render(answer.text, cite_prefix(row), count=len(answer.citations))


def page_state(row: TurnRow) -> dict[str, Any]:
    """The whole view while a turn runs; afterwards only what the status line tells."""
    if row.status != "finished":
        return view_state(row.view)
    return view_state(replace(row.view, draft="", answer=None))


def _sources(
    row: TurnRow, answer: Answer, names: Mapping[SectionKey, SectionName]
) -> tuple[Source, ...]:
    prefix = cite_prefix(row)
    lines = []
    for citation in answer.citations:
        name = names.get(key_of(citation))
        lines.append(
            Source(
                marker=citation.marker,
                section=name.heading if name and name.heading else citation.title,
                document=name.document if name else "",
                href=f"{prefix}{citation.marker}/",
            )
        )
    return tuple(lines)
