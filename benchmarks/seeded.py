"""A store of many turns, in a minute: what was told is repeated by the database itself.

`fill(turns, days)` makes conversations with their turns, events, records, labels and votes over so
many days up to today. Digests are of the right form and prove nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import Any

from benchmarks.seeded_turns import START, STORIES, Told, tell
from chat.contracts.events import Answer

EACH = 24  # tellings of a story
A_TALK = 4  # turns of a conversation
LABELLED = 5_000

UNCHECKED = "SET LOCAL session_replication_role = replica"  # rows of a site, made in another order

STEPS = (
    "SELECT setseed(0.42)",
    """
CREATE TEMP TABLE told (
    id int, story int, question text, route text, ended text, passes int, calls int, tokens int,
    cost numeric, ms float8, confidence text, citations int, gaps int, facts jsonb
)""",
    "CREATE TEMP TABLE told_event (told int, seq int, after interval, type text, data jsonb)",
)

# Which of the stories, by their weights; evenly over the days; four versions in a row.
SEEDS = """
CREATE TEMP TABLE seed AS
SELECT n, gen_random_uuid() AS turn, gen_random_uuid() AS question, gen_random_uuid() AS answer,
    (n - 1) / %(a_talk)s AS talk_number, (n - 1) %% %(a_talk)s + 1 AS number,
    now() - interval '10 minutes' - (
        1 - ((n - 1) / %(a_talk)s)::float8 * %(a_talk)s / %(turns)s
    ) * (%(days)s - 1) * interval '1 day' + ((n - 1) %% %(a_talk)s) * interval '2 minutes' AS at,
    (SELECT min(s) FROM unnest(%(weights)s::float8[]) WITH ORDINALITY AS w(upto, s)
        WHERE w.upto > u.chance) - 1 AS story, floor(random() * %(each)s)::int AS telling,
    exp(random() - 0.5) AS pace, random() AS luck
FROM (SELECT n, random() AS chance FROM generate_series(1, %(turns)s) AS n) AS u
"""
ROWS = (
    "CREATE TEMP TABLE talk AS SELECT talk_number, gen_random_uuid() AS id, min(at) AS at,"
    " count(*) AS n FROM seed GROUP BY talk_number",
    """
INSERT INTO chat_conversation (id, visitor, title, created_at, updated_at, is_lab)
SELECT id, gen_random_uuid(), 'Seeded', at, at, false FROM talk""",
    """
INSERT INTO chat_message (id, conversation_id, author, text, created_at)
SELECT s.question, c.id, 'person', t.question, s.at
FROM seed s JOIN talk c USING (talk_number) JOIN told t ON t.id = s.story * %(each)s + s.telling""",
    """
INSERT INTO chat_versionset (digest, values, first_seen)
SELECT md5(n::text) || md5(n::text), jsonb_build_object('code', n::text, 'model', 'large-1'), now()
FROM generate_series(1, 4) AS n""",
    """
INSERT INTO chat_turn (
    id, conversation_id, question_id, kind, status, started_at, finished_at, attempt,
    stop_requested, is_sensitive, termination, route_decided, route_taken, route_confidence, passes,
    model_calls, tokens, cost, ms, confidence, unsupported, citations, gaps, asked_back, versions_id
)
SELECT s.turn, c.id, s.question, 'ask', 'finished', s.at,
    s.at + t.ms * s.pace * interval '1 millisecond', 1, false, s.luck < 0.01, t.ended, t.route,
    t.route, 0.7, t.passes, t.calls, t.tokens, t.cost, t.ms * s.pace, t.confidence,
    (s.luck > 0.97 AND t.citations > 0)::int, t.citations, t.gaps,
    (t.ended = 'clarification_expired')::int,
    (SELECT min(id) FROM chat_versionset) + (s.n * 4 / (%(turns)s + 1))
FROM seed s JOIN talk c USING (talk_number) JOIN told t ON t.id = s.story * %(each)s + s.telling""",
    """
INSERT INTO chat_turnevent (turn_id, seq, at, type, data)
SELECT s.turn, e.seq, s.at + e.after, e.type, e.data
FROM seed s JOIN told_event e ON e.told = s.story * %(each)s + s.telling
ORDER BY s.at, e.seq""",
    """
INSERT INTO chat_decisionrecord (
    turn_id, conversation_id, number, sealed_at, facts, content_digest, previous_digest, digest
)
SELECT s.turn, c.id, s.number, s.at, t.facts, md5(s.turn::text) || md5('content'), '',
    md5(s.turn::text) || md5('record')
FROM seed s JOIN talk c USING (talk_number) JOIN told t ON t.id = s.story * %(each)s + s.telling
ORDER BY s.at""",
    "INSERT INTO chat_chainhead (conversation_id, count, digest) SELECT id, n, '' FROM talk",
    """
INSERT INTO chat_feedback (turn_id, vote, reason, note, at)
SELECT turn, CASE WHEN luck * 20 < 0.8 THEN 'up' ELSE 'down' END, '', '', at
FROM seed WHERE luck < 0.05""",
)
DRAWN = "CREATE TEMP TABLE drawn AS SELECT * FROM seed ORDER BY random() LIMIT %(labelled)s"
LABELS = (
    """
INSERT INTO admin_tracing_turnlook (turn_id, ugliness, reasons, at)
SELECT turn, floor(luck * luck * 100)::int, '[]', at FROM seed""",
    """
INSERT INTO admin_tracing_sample (turn_id, stratum, rate, at)
SELECT turn, 'random', %(labelled)s::float8 / (SELECT count(*) FROM seed), at FROM drawn""",
    """
INSERT INTO admin_tracing_routinglabel (turn_id, user_id, needed, note, at, schema)
SELECT d.turn, who.id, CASE WHEN d.luck < 0.85 AND t.route_taken = ANY(%(ways)s)
    THEN t.route_taken ELSE 'iterative' END, '', d.at, 1
FROM drawn d JOIN chat_turn t ON t.id = d.turn
JOIN unnest(%(people)s::int[]) WITH ORDINALITY AS who(id, number)
    ON who.number = 1 OR d.luck < 0.2""",
    """
INSERT INTO admin_tracing_groundednesslabel (
    turn_id, user_id, grounded, correct, claims, citations, incident_category, incident_severity,
    note, at, schema
)
SELECT d.turn, who.id, CASE WHEN d.luck < 0.9 THEN 'yes' WHEN d.luck < 0.95 THEN 'partly' ELSE 'no'
    END, CASE WHEN d.luck < 0.88 THEN 'yes' ELSE 'no' END, '{}', '{}', '', '', '', d.at, 1
FROM drawn d JOIN chat_turn t ON t.id = d.turn AND t.termination LIKE 'answered%%'
JOIN unnest(%(people)s::int[]) WITH ORDINALITY AS who(id, number)
    ON who.number = 1 OR d.luck < 0.2""",
)


def fill(turns: int, days: int, people: Iterable[int]) -> dict[str, int]:
    """Make the rows; `people` are the keys of two who label. Gives how many rows of what."""
    from django.db import connection, transaction

    told = tell(EACH)
    whole = sum(story.weight for story in STORIES)
    values = {
        **{"turns": turns, "days": days, "each": EACH, "a_talk": A_TALK, "labelled": LABELLED},
        "weights": list(accumulate(story.weight / whole for story in STORIES)),
        "people": list(people),
        "ways": ["direct", "single_shot", "iterative", "clarify", "off_topic"],
    }
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(UNCHECKED)
        for step in STEPS:
            cursor.execute(step)
        _copy(cursor, "told", (_row(number, each) for number, each in enumerate(told)))
        _copy(cursor, "told_event", _events(told))
        for step in (SEEDS, *ROWS, DRAWN, *LABELS):
            cursor.execute(step, values)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
        names = ("chat_turn", "chat_turnevent", "chat_decisionrecord", "admin_tracing_sample")
        return {name: _count(cursor, name) for name in names}


def _copy(cursor: Any, table: str, rows: Iterator[tuple[Any, ...]]) -> None:
    with cursor.copy(f"COPY {table} FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)


def _row(number: int, told: Told) -> tuple[Any, ...]:
    end, facts = told.end, told.facts
    gaps = facts["items"]["asked"] - facts["items"]["found"]
    story = STORIES.index(told.story)
    return (
        *(number, story, told.question, told.story.route, end.termination, end.passes),
        *(end.model_calls, end.tokens.total, end.cost, end.ms, _confidence(told)),
        *(len(facts["citations"]), gaps, json.dumps(facts)),
    )


def _confidence(told: Told) -> str:
    answers = [event.body for event in told.events if isinstance(event.body, Answer)]
    return answers[-1].confidence if answers else "none"


def _events(told: list[Told]) -> Iterator[tuple[Any, ...]]:
    for number, each in enumerate(told):
        for event in each.events:
            data = json.dumps(event.data())
            yield number, event.seq, event.at - START, event.body.TYPE, data


def _count(cursor: Any, table: str) -> int:
    cursor.execute(f"SELECT count(*) FROM {table}")
    return int(cursor.fetchone()[0])
