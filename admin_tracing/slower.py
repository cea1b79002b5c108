"""Which turns took long for their route: longer than 19 of 20 did, by the figures of running."""

from __future__ import annotations

from datetime import date, timedelta

from django.db.models import Q
from django.utils import timezone

from admin_tracing.days import Days
from admin_tracing.running.reading import window
from admin_tracing.stats.buckets import ERROR, from_json, percentile

USUAL = timedelta(days=30)
FEWEST = 20  # turns of a route below which none of them is called slow
PART = 0.95
MOST = 366  # days that are looked at, the last ones


def slower(since: date | None = None, until: date | None = None) -> Q:
    """The condition on a turn, from its route's turns of these days, or else of the last 30."""
    found = Q(pk__isnull=True)  # of no turn
    for route, ms in limits(since, until).items():
        found |= Q(route_taken=route, ms__gt=ms)
    return found


def limits(since: date | None = None, until: date | None = None) -> dict[str, float]:
    """p95 in ms by route, as the page on quality counts it; routes with too few turns have none.

    At the upper edge of its bucket: turns that took as long as most did are not slow.
    """
    last = until or timezone.now().date()
    first = since or last - USUAL
    count = min(MOST, max(1, (last - first).days + 1))
    seen = window(Days(last - timedelta(days=count - 1), count), "route")
    return {
        route: percentile(from_json(amount.of), PART) * (1 + ERROR)
        for route, amount in sorted(seen.of("route").items())
        if amount.n >= FEWEST
    }
