"""Counts days into `DayFigure`: each day in one transaction, by whichever process comes first.

A mark keeps how many turns a day had ended when it was counted. A day whose number has changed
since is counted again as a whole, so a run that was killed, or made twice, does no harm.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from admin_tracing.models import DayFigure
from admin_tracing.running.pieces import COUNTED, ENDED, STORE, given
from chat.db import in_db

MARK = "mark 3"
"""Of a day that was counted. Another number has every day counted anew by other rules."""
BACK = 3  # days before today that are looked at again: turns may wait that long for a person
SCAN = 400  # days back that the job looks for turns which nobody counted
STATEMENT = "SET LOCAL statement_timeout = '300s'"

# The number names the lock of this job among the locks of the site.
LOCK = "SELECT pg_try_advisory_xact_lock(727074, %s)"

ENDED_BY_DAY = f"""
SELECT (t.started_at AT TIME ZONE 'UTC')::date, count(*) FROM chat_turn t WHERE {ENDED} GROUP BY 1
"""

# One step of the index a day, so that a year of days without a turn costs little.
DAYS_WITH_TURNS = """
WITH RECURSIVE days AS (
    (SELECT started_at FROM chat_turn WHERE started_at >= %(first)s ORDER BY started_at LIMIT 1)
    UNION ALL
    SELECT (
        SELECT started_at FROM chat_turn WHERE started_at >= (
            (days.started_at AT TIME ZONE 'UTC')::date + 1
        )::timestamp AT TIME ZONE 'UTC' ORDER BY started_at LIMIT 1
    ) FROM days WHERE days.started_at IS NOT NULL
)
SELECT (started_at AT TIME ZONE 'UTC')::date FROM days WHERE started_at IS NOT NULL
"""

Row = tuple[date, str, str, int, float, Mapping[str, int]]
"""day, kind, key, n, total, buckets"""


async def roll_up() -> int:
    """Counts every day that has turns nobody counted, the oldest first. Gives how many it did.

    Today is counted as well, as far as it has come, and counted again while it goes on.
    """
    done = 0
    for day in await in_db(due, timezone.now()):
        done += await in_db(count_day, day)
    return done


def due(now: datetime) -> list[date]:
    """Days with turns that have no mark, or whose turns are more than their mark says."""
    today = now.astimezone(UTC).date()
    first = datetime.combine(today - timedelta(days=SCAN), datetime.min.time(), UTC)
    with connection.cursor() as cursor:
        cursor.execute(DAYS_WITH_TURNS, {"first": first})
        days = [day for (day,) in cursor.fetchall()]
    marks = marked(first.date(), today)
    late = [day for day in days if day in marks and day >= today - timedelta(days=BACK)]
    ended = ended_by_day(late)
    changed = {day for day in late if ended.get(day, 0) != marks[day]}
    return [day for day in days if day not in marks or day in changed]


@transaction.atomic
def count_day(day: date) -> bool:
    """Count a day and keep it. False if another process is at it, or did it meanwhile."""
    values = given([day], free_models())
    with connection.cursor() as cursor:
        cursor.execute(LOCK, [day.toordinal()])
        if not cursor.fetchone()[0]:
            return False
        # The mark is taken first: a turn that ends meanwhile makes the day due once more.
        ended = ended_by_day([day]).get(day, 0)
        if marked(day, day).get(day) == ended:
            return False
        cursor.execute(STATEMENT)
        cursor.execute(STORE, values)
    DayFigure.objects.update_or_create(day=day, kind=MARK, key="", defaults={"n": ended})
    return True


def counted_now(days: list[date]) -> list[Row]:
    """The figures of days as they are at this moment; nothing is kept."""
    if not days:
        return []
    with connection.cursor() as cursor:
        cursor.execute(COUNTED, given(days, free_models()))
        return [(*row[:5], json.loads(row[5])) for row in cursor.fetchall()]


def marked(first: date, last: date) -> dict[date, int]:
    """How many turns each counted day had ended by then."""
    marks = DayFigure.objects.filter(kind=MARK, day__range=(first, last))
    return dict(marks.values_list("day", "n"))


def ended_by_day(days: list[date]) -> dict[date, int]:
    """How many counted turns of each of these days have ended. Days without any are left out."""
    if not days:
        return {}
    values = given(days)
    with connection.cursor() as cursor:
        cursor.execute(ENDED_BY_DAY, values)
        return dict(cursor.fetchall())


def free_models() -> list[str]:
    """Models that cost nothing by the site's own price list."""
    prices = settings.PLUMBLINE.llm_prices
    return [model for model, price in prices.items() if not any(price.values())]
