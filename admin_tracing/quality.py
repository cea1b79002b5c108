"""The page on quality: how the agent's behaviour moves, section by section."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from admin_tracing.access import RECORDS, REPLAY, may, requires_one_of
from admin_tracing.bursts import bursts
from admin_tracing.drift import WINDOWS, Days, drift
from admin_tracing.panels import burst_query, panels

USUAL = 30  # days


@require_GET
@never_cache
@requires_one_of(REPLAY, RECORDS)
def quality(request: HttpRequest) -> HttpResponse:
    """Drift over the chosen days; another window is answered with its part alone."""
    days = _days(request.GET.get("days", ""))
    since = datetime.combine(days.first, time(), UTC)
    seen = drift(days)
    context = {
        "days": days,
        "windows": WINDOWS,
        "turns": seen.turns,
        "panels": panels(seen),
        "changes": seen.changes[::-1],
        "bursts": [(burst, burst_query(burst)) for burst in bursts(since, timezone.now())],
        "may_replay": may(request.user, REPLAY),
    }
    fetched = request.headers.get("HX-Request") == "true"
    return render(request, f"admin_tracing/{'_' * fetched}quality.html", context)


def _days(given: str) -> Days:
    count = int(given) if given in {str(window) for window in WINDOWS} else USUAL
    today = timezone.now().date()
    return Days(today - timedelta(days=count - 1), count)
