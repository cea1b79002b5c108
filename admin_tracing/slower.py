"""Which turns took long for their route: longer than 19 of 20 did, by the kept figures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from datetime import date, timedelta

from django.db.models import Q
from django.utils import timezone

from admin_tracing.models import DayFigure
from admin_tracing.stats.buckets import ERROR, Buckets, from_json, merge, percentile

USUAL = timedelta(days=30)
FEWEST = 20  # turns of a route below which none of them is called slow
PART = 0.95


def slower(since: date | None = None, until: date | None = None) -> Q:
    """The condition on a turn, from its route's turns of these days, or else of the last 30."""
    found = Q(pk__in=())
    for route, ms in limits(since, until).items():
        found |= Q(route_taken=route, ms__gt=ms)
    return found


def limits(since: date | None = None, until: date | None = None) -> dict[str, float]:
    """p95 in ms by route; routes with too few turns have none. One query.

    At the upper edge of its bucket: turns that took as long as most did are not slow.
    """
    last = until or timezone.now().date()
    rows = DayFigure.objects.filter(kind="route", day__range=(since or last - USUAL, last))
    by_route: defaultdict[str, list[Buckets]] = defaultdict(list)
    for route, buckets in rows.values_list("key", "buckets"):
        by_route[route].append(from_json(buckets))
    return _above(by_route)


def _above(by_route: Mapping[str, list[Buckets]]) -> dict[str, float]:
    merged = {route: merge(days) for route, days in sorted(by_route.items())}
    return {
        route: percentile(buckets, PART) * (1 + ERROR)
        for route, buckets in merged.items()
        if sum(buckets.values()) >= FEWEST
    }
