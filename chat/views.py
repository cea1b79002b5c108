"""The chat's pages and their fragments: read, put into words, render.

Every page belongs to one person; what is not theirs is answered like what does not exist.
"""

from __future__ import annotations

import json
from datetime import date, datetime, timedelta
from itertools import groupby
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render as render_page
from django.template.loader import render_to_string
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from chat import judging, queries, wiring
from chat.contracts.commands import MAX_FILE, MAX_FILES, MAX_QUESTION
from chat.contracts.trust import Trust
from chat.identity import Person, person_of
from chat.marking import claims_of, marked
from chat.queries import ConversationLine
from chat.render import render as as_html
from chat.sample.loader import examples
from chat.site_rules import site_rules
from chat.turn_page import (
    BLANK,
    WaitingFor,
    anchor_of,
    cited,
    document_href,
    key_of,
    origin_of,
    turn_page,
    turn_pages,
)
from chat.turn_words import YES_WORDS, support_of

MAX_SEARCH = 200  # characters of the list's search that are looked for


@require_GET
@never_cache
def new_conversation(request: HttpRequest) -> HttpResponse:
    """An empty conversation under a fresh id; its row comes with the first question."""
    person = person_of(request.user, request.session, create=True)
    context = _page(request, person, uuid4()) | {"is_new": True, "turns": []}
    return render_page(request, "chat/page.html", context)


@require_GET
@never_cache
def conversation(request: HttpRequest, conversation: UUID) -> HttpResponse:
    """The page of a conversation; its turns alone when the page fetches another branch."""
    person = person_of(request.user, request.session)
    found = queries.conversation_of(person, conversation)
    if found is None:
        return _absent(request, "There is no such conversation here.")
    rows = queries.transcript(found)
    turns = turn_pages(rows, queries.section_names(cited(rows)), _trust())
    if _is_fetched(request):
        parts = (render_to_string("partials/turn.html", {"turn": turn}) for turn in turns)
        return HttpResponse("".join(parts))
    context = _page(request, person, found.pk) | {"title": found.title, "turns": turns}
    return render_page(request, "chat/page.html", context)


@require_GET
@never_cache
def turn(request: HttpRequest, conversation: UUID, turn: UUID) -> HttpResponse:
    """One turn as the full page shows it, to settle a draft in its place."""
    row = queries.turn_of(person_of(request.user, request.session), conversation, turn)
    if row is None:
        return _absent(request, "There is no such answer here.")
    page = turn_page(row, queries.section_names(cited([row])), _trust())
    return render_page(request, "partials/turn.html", {"turn": page})


@require_GET
@never_cache
def source(request: HttpRequest, conversation: UUID, turn: UUID, marker: int) -> HttpResponse:
    """The card of one citation; a page of its own when it was not fetched by the page."""
    row = queries.turn_of(person_of(request.user, request.session), conversation, turn)
    answer = row.view.answer if row else None
    citation = next((c for c in answer.citations if c.marker == marker), None) if answer else None
    if answer is None or citation is None:
        return _absent(request, "There is no such source here.")
    key, claims = key_of(citation), claims_of(answer.text, marker)
    context = {
        "citation": citation,
        "name": None if origin_of(citation) else queries.section_names([key]).get(key),
        "pieces": marked(citation.passage, claims),
        "support": support_of(citation, claims, _trust()),
        "origin": (origin := origin_of(citation)),
        "document_href": "" if origin else document_href(citation),
        "conversation": conversation,
        "in_card": _is_fetched(request),
    }
    template = "partials/citation.html" if context["in_card"] else "chat/source.html"
    return render_page(request, template, context)


@require_GET
def document(request: HttpRequest, document: str, version: int) -> HttpResponse:
    page = queries.document_at(document, version)
    if page is None:
        return _absent(request, "There is no such document here.")
    sections = [
        {"anchor": anchor_of(part.key), "heading": part.heading, "said": as_html(part.text)}
        for part in page.sections
    ]
    return render_page(request, "chat/document.html", {"page": page, "sections": sections})


@require_GET
@never_cache
def rail(request: HttpRequest) -> HttpResponse:
    """The list of conversations alone, searched or as it is."""
    person = person_of(request.user, request.session)
    context = _rail(person, request.GET.get("q", "").strip()[:MAX_SEARCH])
    context["current"] = request.GET.get("current", "")
    return render_page(request, "partials/rail_list.html", context)


def _trust() -> Trust:
    """What may be said of an answer that the judge has passed."""
    return judging.trust(judging.judge_subject(), site_rules().judge_precision)


def _page(request: HttpRequest, person: Person, conversation: UUID) -> dict[str, object]:
    return {
        "conversation": conversation,
        "current": str(conversation),
        "blank_turn": BLANK,
        "examples": examples(),
        "max_question": MAX_QUESTION,
        "max_files": MAX_FILES,
        "max_file": MAX_FILE,
        "blank_question": WaitingFor("", "", timezone.now()),
        "blank_action": WaitingFor("", "", timezone.now(), action="-"),
        "yes_words": json.dumps(YES_WORDS),
        "model_line": wiring.model_line(),
        "is_visitor": not request.user.is_authenticated,
        **_rail(person, ""),
    }


def _rail(person: Person, search: str) -> dict[str, object]:
    lines = queries.conversations(person, search=search)
    return {"days": _by_day(lines, timezone.localtime()), "search": search}


def _by_day(
    lines: list[ConversationLine], now: datetime
) -> list[tuple[str, list[ConversationLine]]]:
    """Group lines (newest first) under Today, Yesterday and Earlier."""

    def day(line: ConversationLine) -> str:
        return _day_name(timezone.localtime(line.updated_at).date(), now.date())

    return [(name, list(group)) for name, group in groupby(lines, key=day)]


def _day_name(day: date, today: date) -> str:
    if day >= today:
        return "Today"
    return "Yesterday" if day == today - timedelta(days=1) else "Earlier"


def _is_fetched(request: HttpRequest) -> bool:
    return request.headers.get("HX-Request") == "true"


def _absent(request: HttpRequest, words: str) -> HttpResponse:
    """The calm page for what is not there, or not the person's; a line when it was fetched."""
    template = "partials/absent.html" if _is_fetched(request) else "chat/absent.html"
    return render_page(request, template, {"words": words}, status=404)
