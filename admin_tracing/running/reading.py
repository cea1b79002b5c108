"""What pages read: the kept figures of a window, added up, with its newest turns counted at once.

Days that nobody counted yet, and today, are counted here while they are few turns; where they are
many, the page shows what is kept and says which days are missing.
"""

from __future__ import annotations

import json
from datetime import date, timedelta

from django.db import connection
from django.utils import timezone

from admin_tracing.days import Days
from admin_tracing.running.rollup import BACK, counted_now, ended_by_day, marked
from admin_tracing.running.window import Read, Window, gathered

LIVE = 300  # turns that are counted while the page waits
WHOLE = ("end", "route", "node", "took", "turn", "control", "controls", "pass")
"""Kinds that are read a row a day: for their lines, or for their buckets."""

READ = """
SELECT day, kind, key, n, total, buckets::text FROM admin_tracing_dayfigure
WHERE day BETWEEN %(first)s AND %(last)s AND NOT day = ANY(%(without)s)
    AND kind = ANY(%(kinds)s) AND kind = ANY(%(whole)s)
UNION ALL
SELECT NULL, kind, key, sum(n), sum(total), jsonb_build_object(
    'passes', coalesce(sum((buckets->>'passes')::bigint), 0),
    'unknown', coalesce(sum((buckets->>'unknown')::bigint), 0)
)::text FROM admin_tracing_dayfigure
WHERE day BETWEEN %(first)s AND %(last)s AND NOT day = ANY(%(without)s)
    AND kind = ANY(%(kinds)s) AND NOT kind = ANY(%(whole)s)
GROUP BY kind, key
"""


def window(span: Days, *kinds: str) -> Window:
    """The figures of some kinds. Three or four queries, however many turns."""
    waiting = _waiting(span)
    live = sorted(waiting) if sum(waiting.values()) <= LIVE else []
    fresh = (row for row in counted_now(live) if row[1] in kinds)
    return gathered(
        span, [*_kept(span, kinds, live), *fresh], () if live else tuple(sorted(waiting))
    )


def _waiting(span: Days) -> dict[date, int]:
    """Days whose ended turns are not all counted, with how many turns they have."""
    marks = marked(span.first, span.last)
    recent = timezone.now().date() - timedelta(days=BACK)
    ended = ended_by_day([day for day in span if day not in marks or day >= recent])
    return {day: n for day, n in ended.items() if n != marks.get(day)}


def _kept(span: Days, kinds: tuple[str, ...], without: list[date]) -> list[Read]:
    values = {
        **{"first": span.first, "last": span.last, "without": without},
        **{"kinds": list(kinds), "whole": list(WHOLE)},
    }
    with connection.cursor() as cursor:
        cursor.execute(READ, values)
        return [(*row[:5], json.loads(row[5])) for row in cursor.fetchall()]
