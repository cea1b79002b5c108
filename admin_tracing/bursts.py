"""Bursts: one person, or one shape of question, far more often within an hour than else that day.

SQL counts persons by the hour, and questions by how they begin; what begins alike often enough is
read and told apart by its shape. Turns that tell of somebody's health are counted by person alone,
so that no such question is shown here.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cache
from typing import Any, Literal
from uuid import UUID

from django.db import connection

from admin_tracing.shapes import FEWEST, Group, phrase, shape
from chat.contracts.events import NOBODYS

MOST = 20  # bursts of a kind that are shown
READ = 20_000  # questions that are read at most

HOUR = "date_bin('1 hour', t.started_at, '2000-01-01 00:00+00')"
COUNTED = """
    t.status = 'finished' AND NOT t.kind = ANY(%(outside)s)
    AND t.started_at >= %(since)s AND t.started_at < %(until)s
"""


def day_of(hour: str) -> str:
    """The expression for the day, in UTC, of an hour."""
    return f"date_bin('1 day', {hour}, '2000-01-01 00:00+00')"


# Whoever signed in is a user, also in what was asked before that. What was erased is nobody's.
PERSONS = f"""
WITH hours AS MATERIALIZED (
    SELECT {HOUR} AS hour, coalesce('user ' || c.user_id, 'visitor ' || c.visitor) AS who,
        count(*) AS n
    FROM chat_turn t JOIN chat_conversation c ON c.id = t.conversation_id
    WHERE {COUNTED} AND (c.user_id IS NOT NULL OR c.visitor IS NOT NULL) GROUP BY 1, 2
)
SELECT hour, who, n, (
    SELECT sum(o.n) FROM hours o
    WHERE o.who = hours.who AND {day_of("o.hour")} = {day_of("hours.hour")}
)
FROM hours WHERE n >= %(least)s ORDER BY n DESC LIMIT {10 * MOST}
"""

# The first letters without figures: cheap, and the same for questions of one shape.
START = "lower(left(translate(left(m.text, 28), '0123456789', ''), 10))"
ALIKE = f"""
WITH questions AS MATERIALIZED (
    SELECT {HOUR} AS hour, {START} AS start, t.question_id, t.id
    FROM chat_turn t JOIN chat_message m ON m.id = t.question_id
    WHERE {COUNTED} AND NOT t.is_sensitive AND m.text <> ''
), often AS (
    SELECT DISTINCT {day_of("hour")} AS day, start
    FROM (SELECT hour, start FROM questions GROUP BY 1, 2 HAVING count(*) >= %(least)s) h
)
SELECT extract(epoch FROM newest.hour)::bigint, m.text, newest.id
FROM (
    SELECT hour, question_id, q.id FROM questions q
    JOIN often ON often.day = {day_of("q.hour")} AND often.start = q.start
    ORDER BY hour DESC LIMIT {READ}
) AS newest JOIN chat_message m ON m.id = newest.question_id
"""


Question = tuple[datetime, str, UUID]
"""The hour of a question, its text and its turn."""


@dataclass(frozen=True, slots=True)
class Burst:
    """`who` is `user 7`, `visitor …` or the shape of a question; `usual` is turns an hour.

    `words` is the longest part that questions of the shape have in common, and `turns` are theirs.
    """

    kind: Literal["person", "shape"]
    who: str
    hour: datetime
    n: int
    usual: float
    words: str = ""
    turns: tuple[UUID, ...] = ()

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


def shape_bursts(questions: Iterable[Question]) -> list[Burst]:
    """The bursts among questions with their hours, largest first. Pure."""
    hours: defaultdict[tuple[datetime, str], list[UUID]] = defaultdict(list)
    days: Counter[tuple[date, str]] = Counter()
    folded = cache(shape)  # each text is folded once, and forgotten with this call
    samples: dict[str, str] = {}
    for hour, text, turn in questions:
        hours[hour, folded(text)].append(turn)
        samples[folded(text)] = text
    for (hour, key), turns in hours.items():
        days[hour.astimezone(UTC).date(), key] += len(turns)
    groups = [
        Group(hour, key, len(turns), days[hour.astimezone(UTC).date(), key])
        for (hour, key), turns in sorted(hours.items(), key=lambda each: -len(each[1]))
    ]
    return [
        Burst(
            *("shape", g.key, g.hour, g.n, g.usual, phrase(samples[g.key])),
            turns=tuple(hours[g.hour, g.key]),
        )
        for g in groups
        if g.is_burst
    ]


def _questions(given: dict[str, Any]) -> list[Question]:
    """Questions that begin as others of their hour do; each hour is made into a time once."""
    hours: dict[int, datetime] = {}
    return [
        (hours.get(at) or hours.setdefault(at, datetime.fromtimestamp(at, UTC)), text, turn)
        for at, text, turn in _rows(ALIKE, given)
    ]


def _rows(sql: str, given: dict[str, Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, given)
        return list(cursor.fetchall())
