"""What stands one key away from a sheet: the path and the log of its turn; and that one is at work.

Closed until the first label of the turn is given. While a job is still to be said, what a check
made of the turn is left out of both.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from admin_tracing import queueing
from admin_tracing.access import LABEL, requires
from admin_tracing.answering import turn_or_404
from admin_tracing.queue_sheet import may_look
from admin_tracing.story import path as path_of
from chat.contracts.events import (
    Action,
    Answer,
    Clarification,
    Event,
    Retrieval,
    Rewrite,
    Stage,
    Token,
    Tool,
    TurnStarted,
)
from chat.event_rows import stored_now
from chat.models import Turn

FIRST_LABEL = "Give your first label of this turn. What happened inside opens then."

BLIND = {
    body.TYPE for body in (TurnStarted, Retrieval, Rewrite, Token, Clarification, Action, Tool)
}
VERDICTS = ("confidence", "caveats", "gaps")


@require_GET
@never_cache
@requires(LABEL)
def path(request: HttpRequest, turn: UUID) -> HttpResponse:
    """The stages that the turn went through, in words."""
    found = turn_or_404(turn)
    if not may_look(found, request.user):
        return _closed(request)
    blind = not _has_said_all(found, request.user)
    context = {"stages": path_of(stored_now(turn), blind=blind), "blind": blind, "turn": found}
    part = "X-Part" in request.headers
    name = "admin_tracing/_queue_path.html" if part else "admin_tracing/queue_path.html"
    return render(request, name, context)


@require_GET
@never_cache
@requires(LABEL)
def log(request: HttpRequest, turn: UUID) -> HttpResponse:
    """The events of the turn as they are stored."""
    found = turn_or_404(turn)
    if not may_look(found, request.user):
        return _closed(request)
    events = stored_now(turn)
    whole = _has_said_all(found, request.user)
    lines = [e.wire() for e in events] if whole else blind_log(events)
    return JsonResponse({"events": lines, "whole": whole}, json_dumps_params={"indent": 1})


@require_POST
@requires(LABEL)
def hold(request: HttpRequest, turn: UUID) -> HttpResponse:
    """Somebody is at work on it: the lock is renewed, or they are told that it is gone."""
    if queueing.renew(request.user, turn):
        return HttpResponse(status=204)
    return JsonResponse({"message": "The five minutes are over."}, status=409)


def blind_log(events: list[Event]) -> list[dict[str, Any]]:
    """The events without any verdict: none of grades, claims, routes, controls and the answer's."""
    return [_blind(event) for event in events if _is_open(event)]


def _is_open(event: Event) -> bool:
    if isinstance(event.body, Stage):
        return event.body.phase == "enter"
    return event.body.TYPE in BLIND or isinstance(event.body, Answer)


def _blind(event: Event) -> dict[str, Any]:
    line = event.wire()
    if isinstance(event.body, Answer):
        kept = {name: value for name, value in line["data"].items() if name not in VERDICTS}
        cited = [{k: v for k, v in one.items() if k != "supports"} for one in kept["citations"]]
        line["data"] = kept | {"citations": cited}
    return line


def _has_said_all(turn: Turn, user: Any) -> bool:
    """From now on what they see is kept in mind, as it is on the sheet."""
    return queueing.see(user, turn.pk)


def _closed(request: HttpRequest) -> HttpResponse:
    if "X-Part" in request.headers:
        return JsonResponse({"message": FIRST_LABEL}, status=403)
    return HttpResponse(FIRST_LABEL, status=403, content_type="text/plain; charset=utf-8")
