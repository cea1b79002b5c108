"""Bursts: one person, or one shape of question, far more often within an hour than else that day.

SQL counts persons by the hour, and questions by how they begin; what begins alike often enough is
read and told apart by its shape. Turns that tell of somebody's health are counted by person alone,
so that no such question is shown here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, Literal

from django.db import connection

from admin_tracing.shapes import FEWEST, Group, phrase, shape
from chat.contracts.events import NOBODYS

MOST = 20  # bursts of a kind that are shown
READ = 20_000  # questions that are read at most

HOUR = "date_bin('1 hour', t.started_at, '2000-01-01 00:00+00')"
DAY = "date_bin('1 day', hour, '2000-01-01 00:00+00')"
COUNTED = """
    t.status = 'finished' AND NOT t.kind = ANY(%(outside)s)
    AND t.started_at >= %(since)s AND t.started_at < %(until)s
"""

PERSONS = f"""
WITH hours AS MATERIALIZED (
    SELECT {HOUR} AS hour, c.user_id, c.visitor, count(*) AS n
    FROM chat_turn t JOIN chat_conversation c ON c.id = t.conversation_id
    WHERE {COUNTED} GROUP BY 1, 2, 3
)
SELECT hour, coalesce('user ' || user_id, 'visitor ' || visitor), n, (
    SELECT sum(o.n) FROM hours o
    WHERE o.user_id IS NOT DISTINCT FROM hours.user_id
      AND o.visitor IS NOT DISTINCT FROM hours.visitor
      AND o.hour >= {DAY} AND o.hour < {DAY} + interval '1 day'
)
FROM hours WHERE n >= %(least)s ORDER BY n DESC LIMIT {10 * MOST}
"""

# The first letters without figures: cheap, and the same for questions of one shape.
START = "lower(left(translate(left(m.text, 28), '0123456789', ''), 10))"
ALIKE = f"""
WITH questions AS MATERIALIZED (
    SELECT {HOUR} AS hour, {START} AS start, t.question_id
    FROM chat_turn t JOIN chat_message m ON m.id = t.question_id
    WHERE {COUNTED} AND NOT t.is_sensitive AND m.text <> ''
), often AS (
    SELECT DISTINCT {DAY} AS day, start
    FROM (SELECT hour, start FROM questions GROUP BY 1, 2 HAVING count(*) >= %(least)s) h
)
SELECT extract(epoch FROM newest.hour)::bigint, m.text
FROM (
    SELECT hour, question_id FROM questions q
    JOIN often ON often.day = {DAY} AND often.start = q.start
    ORDER BY hour DESC LIMIT {READ}
) AS newest JOIN chat_message m ON m.id = newest.question_id
"""


@dataclass(frozen=True, slots=True)
class Burst:
    """`who` is `user 7`, `visitor …` or the shape of a question; `usual` is turns an hour.

    `words` is the longest part that questions of the shape have in common, to find them by.
    """

    kind: Literal["person", "shape"]
    who: str
    hour: datetime
    n: int
    usual: float
    words: str = ""

    @property
    def day(self) -> date:
        return self.hour.astimezone(UTC).date()


def bursts(since: datetime, until: datetime) -> list[Burst]:
    """The bursts of a window, largest first. Two queries."""
    given = {"since": since, "until": until, "least": FEWEST, "outside": list(NOBODYS)}
    persons = [
        Burst("person", group.key, group.hour, group.n, group.usual)
        for group in (Group(hour, who, n, int(day)) for hour, who, n, day in _rows(PERSONS, given))
        if group.is_burst
    ]
    found = [*persons[:MOST], *shape_bursts(_questions(given))[:MOST]]
    return sorted(found, key=lambda burst: -burst.n)


def shape_bursts(questions: Iterable[tuple[datetime, str]]) -> list[Burst]:
    """The bursts among questions with their hours, largest first. Pure."""
    hours: Counter[tuple[datetime, str]] = Counter()
    days: Counter[tuple[date, str]] = Counter()
    shapes: dict[str, str] = {}
    samples: dict[str, str] = {}
    for (hour, text), n in Counter(questions).items():
        folded = shapes.get(text) or shapes.setdefault(text, shape(text))
        hours[hour, folded] += n
        days[hour.astimezone(UTC).date(), folded] += n
        samples[folded] = text
    groups = [
        Group(hour, folded, n, days[hour.astimezone(UTC).date(), folded])
        for (hour, folded), n in hours.most_common()
    ]
    return [
        Burst("shape", g.key, g.hour, g.n, g.usual, phrase(samples[g.key]))
        for g in groups
        if g.is_burst
    ]


def _questions(given: dict[str, Any]) -> list[tuple[datetime, str]]:
    """Questions that begin as others of their hour do; each hour is made into a time once."""
    hours: dict[int, datetime] = {}
    return [
        (hours.get(at) or hours.setdefault(at, datetime.fromtimestamp(at, UTC)), text)
        for at, text in _rows(ALIKE, given)
    ]


def _rows(sql: str, given: dict[str, Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, given)
        return list(cursor.fetchall())
