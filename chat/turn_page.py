"""What a page says of one turn, in words: trust, sources, endings, and what may be asked again.

Pure: a turn's row and the names of the cited sections in, one value for the template out.
The page of a reload and the fragment that settles a draft are made of the same value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, ClassVar
from urllib.parse import quote
from uuid import UUID

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import linebreaks
from django.utils.safestring import SafeString

from chat.contracts.commands import LONGEST_TYPED
from chat.contracts.events import Answer
from chat.contracts.passages import Citation
from chat.contracts.trust import UNKNOWN, Trust
from chat.contracts.turn_view import TurnView
from chat.queries import SectionKey, SectionName, Spot, TurnRow, VoteRow
from chat.render import render
from chat.turn_words import (
    REASONS,
    YES,
    YES_WORDS,
    Ending,
    Note,
    ending_of,
    is_calm,
    notes_of,
    size_of,
    trust_of,
    view_state,
)


@dataclass(frozen=True, slots=True)
class Source:
    """One line of the sources list."""

    marker: int
    section: str
    document: str
    href: str


@dataclass(frozen=True, slots=True)
class FileChip:
    """A file that came with the question, and its size in words."""

    name: str
    size: str


@dataclass(frozen=True, slots=True)
class WaitingFor:
    """What a running turn asks of the person. `key` is its end, as the page's script has it.

    `action` is empty for a question back; `yes` is what agreeing is called.
    """

    longest: ClassVar[int] = LONGEST_TYPED  # characters of a reply

    words: str
    key: str
    until: datetime
    options: tuple[str, ...] = ()
    action: str = ""
    irreversible: bool = False
    yes: str = YES


@dataclass(frozen=True, slots=True)
class TurnPage:
    """Everything that the partial `turn.html` shows."""

    reasons: ClassVar[tuple[str, ...]] = REASONS

    id: UUID | None
    question: str
    running: bool
    seq: int
    draft: SafeString
    waiting: WaitingFor | None
    exchanges: tuple[tuple[str, str], ...]
    files: tuple[FileChip, ...]
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
    calm: bool


ERASED = "Erased"  # in the place of a question that is not kept any more

ORIGINS = {"search_directory": "Directory", "open_ticket": "Ticket"}
"""Where a tool's passages are from."""

_DRAFT_MARKER = re.compile(r"\[(\d{1,3})\]")


Names = Mapping[SectionKey, SectionName]


def turn_page(row: TurnRow, names: Names, trust: Trust = UNKNOWN) -> TurnPage:
    """Put one turn into words. `names` may lack sections; their citation's title stands in.

    `trust` is what is known of the judge.
    """
    view, answer, over = row.view, row.view.answer, row.status == "finished"
    return TurnPage(
        id=row.id,
        question=view.question or row.question or (ERASED if row.erased_at else ""),
        running=not over,
        seq=view.seq,
        draft=SafeString("") if answer else draft_html(view.draft),
        waiting=None if over else waiting_for(view),
        exchanges=view.exchanges,
        files=tuple(FileChip(file.name, size_of(file.size)) for file in row.files),
        answer=_answer_html(row, answer) if answer else None,
        trust=trust_of(view, trust),
        sources=_sources(row, answer, names) if answer else (),
        notes=notes_of(answer) if answer else (),
        suggestions=answer.suggestions if answer and not is_calm(view) else (),
        ending=_erased(row.erased_at) if row.erased_at else ending_of(view) if over else None,
        state=page_state(row),
        asked=row.asked,
        said=row.said,
        vote=row.vote,
        calm=is_calm(view),
    )


def _erased(day: datetime) -> Ending:
    words = f"What was said here was erased on {date_format(day, 'j F Y')}."
    return Ending(words, again=False, signal="unchecked")


BLANK = TurnPage(
    id=None,
    question="",
    running=True,
    seq=0,
    draft=SafeString(""),
    waiting=None,
    exchanges=(),
    files=(),
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
    calm=False,
)
"""A turn of which nothing is known yet: the mould of what the page's script adds."""


def waiting_for(view: TurnView) -> WaitingFor | None:
    """The question or the action that is open in a view."""
    if view.clarification:
        asks = view.clarification
        return WaitingFor(asks.question, _key(view), asks.expires_at, options=asks.options)
    if view.action:
        act = view.action
        return WaitingFor(
            words=act.summary,
            key=_key(view),
            until=act.expires_at,
            action=act.action,
            irreversible=act.irreversible,
            yes=YES_WORDS.get(act.tool, YES),
        )
    return None


def _key(view: TurnView) -> str:
    state = view_state(view)
    return str((state["clarification"] or state["action"])["expires_at"])


def turn_pages(rows: Iterable[TurnRow], names: Names, trust: Trust = UNKNOWN) -> list[TurnPage]:
    return [turn_page(row, names, trust) for row in rows]


def cited(rows: Iterable[TurnRow]) -> set[SectionKey]:
    """The sections that these turns cite, for one look-up of their names."""
    return {
        key_of(citation)
        for row in rows
        if row.view.answer
        for citation in row.view.answer.citations
        if not origin_of(citation)
    }


def key_of(citation: Citation) -> SectionKey:
    return (citation.document, citation.version, citation.chunk)


def cite_prefix(row: TurnRow) -> str:
    """The address of the turn's citation cards, up to the marker."""
    card = reverse("chat:source", args=(row.conversation, row.id, 0))
    return card.removesuffix("0/")


def anchor_of(chunk: str) -> str:
    """A chunk's place in its document page: the part of its key after the document."""
    return chunk.partition("#")[2] or chunk


def origin_of(citation: Citation) -> str:
    """Where a passage is from that no document page shows, in words; empty for the handbook."""
    kind, colon, name = citation.document.partition(":")
    if not colon:
        return ""
    if kind == "attachment":
        return "Your file"
    return ORIGINS.get(name, "Looked up")


def document_href(citation: Citation) -> str:
    """The passage in its document page. Only for a citation without an `origin_of`."""
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
                document=name.document if name else origin_of(citation),
                href=f"{prefix}{citation.marker}/",
            )
        )
    return tuple(lines)
