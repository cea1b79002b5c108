"""From the list of turns into the queue: what its filters choose, by one press."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from admin_tracing import queries, queueing
from admin_tracing.access import REPLAY, SENSITIVE, may, requires
from admin_tracing.forms import TurnFilter

AT_ONCE = 500  # turns that one press adds
ORIGIN = "filter"


@require_POST
@requires(REPLAY)
def add(request: HttpRequest) -> HttpResponse:
    """The newest turns that the list's filters choose come into the queue, `AT_ONCE` at most."""
    form = TurnFilter(request.GET, label_suffix="")
    if not form.is_valid():
        return HttpResponse("These filters cannot be used.", status=422)
    ids = to_label(form.cleaned_data, sensitive=may(request.user, SENSITIVE))
    added = queueing.add(ids, ORIGIN, user=request.user)
    messages.success(request, f"{added} turn{'' if added == 1 else 's'} came into the queue.")
    query = request.GET.urlencode()
    return redirect(reverse("workflow:turns") + (f"?{query}" if query else ""))


def to_label(filters: Mapping[str, Any], *, sensitive: bool) -> list[UUID]:
    """The newest turns of a filter that can be labelled and are in no queue, `AT_ONCE` at most.

    `sensitive`: do words find what tells of somebody's health?
    """
    rows = queries.chosen(filters, sensitive=sensitive).filter(queueing.MAY_BE_LABELLED)
    fresh = rows.filter(queue_item__isnull=True).order_by("-started_at", "-pk")
    return list(fresh.values_list("pk", flat=True)[:AT_ONCE])


def how_many_to_label(filters: Mapping[str, Any], *, sensitive: bool) -> int:
    """How many turns a press would add."""
    return len(to_label(filters, sensitive=sensitive))
