"""All turns as they happen, a line each. The page begins with the newest ones and then listens."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from admin_tracing import feed
from admin_tracing.access import REPLAY, SENSITIVE, may, requires
from chat.contracts.events import NOBODYS, Stage
from chat.models import Turn, TurnEvent

AT_FIRST = 20  # turns of people that the page begins with, and as many of others
LINES = 200  # lines that it keeps


@require_GET
@never_cache
@requires(REPLAY)
def follow(request: HttpRequest) -> HttpResponse:
    """The newest turns, and the number of the last event that they know."""
    after = feed.newest()  # first, so that nothing falls between the lines and the stream
    rows = Turn.objects.select_related("question")
    if not may(request.user, SENSITIVE):
        rows = rows.filter(is_sensitive=False)
    turns = _newest(rows)
    context = {
        "turns": turns,
        "stages": _stages(turns),
        "after": after,
        "lines": LINES,
        "outside": NOBODYS,
    }
    return render(request, "admin_tracing/follow.html", context)


def _newest(rows: QuerySet[Turn]) -> list[Turn]:
    """The newest of people and the newest of the lab and re-runs, which are hidden at first.

    A run of the lab makes a hundred turns at once; those of people are to be seen all the same.
    """
    ordered = rows.order_by("-started_at", "-id")
    people = ordered.exclude(kind__in=NOBODYS)[:AT_FIRST]
    others = ordered.filter(kind__in=NOBODYS)[:AT_FIRST]
    return sorted([*people, *others], key=lambda turn: (turn.started_at, turn.pk), reverse=True)


def _stages(turns: list[Turn]) -> dict[str, str]:
    """What each turn that is not over was last doing, in words."""
    running = [turn.pk for turn in turns if turn.status != Turn.Status.FINISHED]
    rows = TurnEvent.objects.filter(turn__in=running, type=Stage.TYPE).order_by("turn_id", "-seq")
    return {str(row.turn_id): row.data["label"] for row in rows.distinct("turn_id")}
