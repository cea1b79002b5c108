"""The two addresses that stream: one turn's events, and those of all turns."""

from __future__ import annotations

from asyncio import sleep
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from uuid import UUID

from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBadRequest,
    StreamingHttpResponse,
)
from django.views.decorators.http import require_GET

from admin_tracing import feed, queries
from admin_tracing.access import REPLAY, SENSITIVE, may, requires_async
from admin_tracing.pacing import BadPace, factor_of, paced
from admin_tracing.stream import BEAT, encode, with_heartbeat
from chat.contracts.events import BODY_OF, Event
from chat.db import in_db
from chat.event_log import follow

NO_PACE = "The pace is “recorded”, “fast” or a number over 0.\n"
NO_TYPE = f"The types are names with commas between: {', '.join(BODY_OF)}.\n"


@require_GET
@requires_async(REPLAY)
async def turn_events(request: HttpRequest, turn: UUID) -> HttpResponse:
    """The turn's events after the reader's last one, at the pace that it asks for.

    204 tells a browser that comes back after the end to stop asking.
    """
    try:
        factor = factor_of(request.GET.get("pace", ""))
    except BadPace:
        return HttpResponseBadRequest(NO_PACE, content_type="text/plain; charset=utf-8")
    if not await in_db(queries.exists, turn):
        raise Http404("There is no such turn.")
    after = _last_seen(request) or 0
    if after and await in_db(_has_nothing_left, turn, after):
        return HttpResponse(status=204)
    batches = follow(turn, after, staff=True)
    if not await in_db(may, request.user, SENSITIVE):
        batches = _until_sensitive(turn, batches)
    return _streamed(_turn_frames(paced(batches, factor, sleep)))


@require_GET
@requires_async(REPLAY)
async def all_events(request: HttpRequest) -> HttpResponse:
    """The events of all turns from now on, or from the reader's last one.

    `types` names those that are wanted, with commas between; without it all but tokens are sent.
    """
    types = frozenset(filter(None, request.GET.get("types", "").split(","))) or feed.USUAL
    if not types <= BODY_OF.keys():
        return HttpResponseBadRequest(NO_TYPE, content_type="text/plain; charset=utf-8")
    may_all = await in_db(may, request.user, SENSITIVE)
    rows = feed.everything(_last_seen(request), sleep, types=types, sensitive=may_all)
    return _streamed(_all_frames(rows))


async def _until_sensitive(
    turn: UUID, batches: AsyncIterator[list[Event]]
) -> AsyncIterator[list[Event]]:
    """Ends where the person turns out to tell of somebody's health, by their reply."""
    async for batch in batches:
        if await in_db(queries.is_sensitive, turn):
            return
        yield batch


async def _turn_frames(events: AsyncIterator[Event]) -> AsyncGenerator[bytes, None]:
    async with aclosing(events) as open_events:  # type: ignore[type-var]
        async for event in open_events:
            yield encode(event)


async def _all_frames(
    batches: AsyncIterator[list[feed.Row]],
) -> AsyncGenerator[bytes, None]:
    """A row that was committed late comes under the mark of the ones before it: from its own,
    lower one a reader who comes back would hear all of them again."""
    yield BEAT  # the headers go out with it, so that the page knows at once that it listens
    mark = 0
    async with aclosing(batches) as open_batches:  # type: ignore[type-var]
        async for batch in open_batches:
            for number, event in batch:
                mark = max(mark, number)
                yield encode(event, mark)


def _streamed(frames: AsyncIterator[bytes]) -> StreamingHttpResponse:
    response = StreamingHttpResponse(with_heartbeat(frames), content_type="text/event-stream")
    response["Cache-Control"] = "no-store"
    response["X-Accel-Buffering"] = "no"  # nginx would hold the frames back
    return response


def _last_seen(request: HttpRequest) -> int | None:
    """`Last-Event-ID`, which the browser sends when it comes back, else `after`."""
    given = request.headers.get("Last-Event-ID") or request.GET.get("after", "")
    return int(given) if given.isdecimal() and len(given) <= 18 else None


def _has_nothing_left(turn: UUID, after: int) -> bool:
    return queries.is_over(turn) and queries.last_seq(turn) <= after
