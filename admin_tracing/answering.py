"""What the addresses of the workflow pages share: a turn by its id, a number asked for, JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, JsonResponse

from admin_tracing import queries
from chat.models import Turn

LAST = 2**31 - 1  # what the column of event numbers holds


def turn_or_404(turn: UUID) -> Turn:
    """The turn with its question and its conversation. Raises `Http404`."""
    found = queries.turn_with_question(turn)
    if found is None:
        raise Http404("There is no such turn.")
    return found


def number(request: HttpRequest, name: str, default: int) -> int:
    """A whole number from the address, within what an event's number may be. Raises `Http404`."""
    given = request.GET.get(name, "")
    if not given:
        return default
    if not given.isdecimal() or int(given) > LAST:
        raise Http404("There is no such event.")
    return int(given)


def as_json(data: Mapping[str, Any]) -> JsonResponse:
    """Compact, and kept by no cache."""
    response = JsonResponse(data, json_dumps_params={"separators": (",", ":")})
    response["Cache-Control"] = "no-store"
    return response
