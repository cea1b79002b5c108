"""What the replay page fetches: the outline at once, everything else by range, as JSON."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET

from admin_tracing import queries
from admin_tracing.access import REPLAY, requires_async
from admin_tracing.answering import LAST, as_json, number
from admin_tracing.course import course
from admin_tracing.details import budget, details, outline, tokens
from admin_tracing.diffs import text
from admin_tracing.meters import Limits
from admin_tracing.replay import build, fold
from admin_tracing.topology import boundaries
from chat.db import in_db
from chat.event_rows import stored
from chat.models import Chunk


@require_GET
@requires_async(REPLAY)
async def turn_outline(request: HttpRequest, turn: UUID) -> HttpResponse:
    """Steps, visits and passes of the turn so far, its course, and what it has spent."""
    await _known(turn)
    events = await stored(turn)
    replay = build(events, boundaries())
    spending = budget(events, replay.waits, limits_now())
    return as_json({**outline(replay), **course(events), **spending})


def limits_now() -> Limits:
    """The limits of a turn that would begin now, shown for one that did not tell its own."""
    site = settings.PLUMBLINE
    return Limits(
        passes=site.max_passes,
        rewrites=site.max_retries if site.min_docs else 0,
        tokens=site.token_budget,
        cost=site.cost_budget,
        ms=site.wall_clock_ms,
    )


@require_GET
@requires_async(REPLAY)
async def turn_details(request: HttpRequest, turn: UUID) -> HttpResponse:
    """Entries of the steps between `from` and `to`; whole ones if `full` is asked for."""
    await _known(turn)
    first, last = number(request, "from", 1), number(request, "to", LAST)
    found = await in_db(queries.events_between, turn, first, last)
    entries = details(found.events, found.before, full="full" in request.GET)
    return as_json({"entries": entries, "next": found.next})


@require_GET
@requires_async(REPLAY)
async def turn_latest(request: HttpRequest, turn: UUID) -> HttpResponse:
    """Entries of the last events of one `type` up to `to`."""
    await _known(turn)
    kind, until = request.GET.get("type", ""), number(request, "to", LAST)
    found = await in_db(queries.latest_of, turn, kind, until)
    return as_json({"entries": details(found, [])})


@require_GET
@requires_async(REPLAY)
async def turn_state(request: HttpRequest, turn: UUID) -> HttpResponse:
    """Every field that is known after event `seq`."""
    await _known(turn)
    seq = number(request, "seq", LAST - 1)
    state = fold(await in_db(queries.changes_before, turn, seq + 1))
    fields = [{"field": name, "after": text(value)} for name, value in state.items()]
    return as_json({"fields": fields})


@require_GET
@requires_async(REPLAY)
async def turn_tokens(request: HttpRequest, turn: UUID) -> HttpResponse:
    """The draft as it came, after a number."""
    await _known(turn)
    start = await in_db(queries.first_event_at, turn) or timezone.now()
    found = await in_db(queries.draft_events, turn, number(request, "after", 0))
    return as_json({"tokens": tokens(found, start)})


@require_GET
@requires_async(REPLAY)
async def passage(request: HttpRequest, turn: UUID) -> HttpResponse:
    """The text of a `chunk` as it stood when the turn ran."""
    at = await in_db(queries.first_event_at, turn)
    chunk = await in_db(queries.passage, request.GET.get("chunk", ""), at) if at else None
    if chunk is None:
        raise Http404("There is no such passage.")
    return as_json(_passage(chunk))


def _passage(chunk: Chunk) -> dict[str, Any]:
    version = chunk.version
    address = reverse("chat:document", args=(version.document.slug, version.number))
    return {
        "title": version.document.title,
        "heading": chunk.heading,
        "text": chunk.text,
        "version": version.number,
        "is_current": version.is_current,
        "href": address,
    }


async def _known(turn: UUID) -> None:
    if not await in_db(queries.exists, turn):
        raise Http404("There is no such turn.")
