"""The one statement that counts days from their turns' events, as SQL. It writes nothing by itself.

Every row is (day, kind, key, n, total, buckets). A day is that of a turn's start, in UTC.

| kind | key | n | total | buckets |
|---|---|---|---|---|
| node | the node | stays | ms | of ms |
| route | the route taken | turns | ms | of ms |
| took | | turns | ms | of ms |
| cost | the purpose, or tools | calls | USD | unknown: calls without a price |
| tokens | their class | calls with any | tokens | |
| turn | | turns | USD | unknown: turns with such a call |
| end | the termination | turns | how many of them searched | |
| control | the control and its outcome, missing, due or missed | turns | decisions | |
| controls | due or missed, of any control | turns | decisions | |
| loop | the section found first, of turns with further passes | turns | USD | passes, unknown |
| flat | the same of turns with one pass | turns | USD | passes, unknown |
| pass | its number and what it brought | passes | how many brought it | |
| pass | its number and calls | calls | USD | unknown |

A control is due that was not switched off, and missed where it failed or left no decision. Turns
are counted, and not decisions, since turns are what the list can show. The section is that which
the first pass found first, and empty where it found none.

A call has no known price where it used tokens, cost nothing, and its model is not free by the
site's own price list.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta

from admin_tracing.running.window import DUE, GONE, MISSED, TOOLS
from admin_tracing.stats.buckets import LARGEST, NOTHING, SMALLEST, WIDTH
from chat.contracts.events import (
    NOBODYS,
    Answer,
    Decision,
    ModelCall,
    Retrieval,
    Stage,
    Tool,
    Verdicts,
)
from chat.contracts.turn_facts import MISSING
from chat.contracts.verdicts import Control, Outcome, Termination

LONGEST = 300  # characters of a key
SECTION = LONGEST - len("first ")  # of a section, as the index of records has it
ANSWERED = (Termination.ANSWERED, Termination.ANSWERED_WITH_CAVEAT)
RAN = ("done", "failed", "timeout")  # phases of a tool that was really called


def bucket(value: str) -> str:
    """The expression for the bucket of a value, as `stats.buckets.bucket_of` has it."""
    held = f"least(greatest({value}, {SMALLEST!r}::float8), {LARGEST!r}::float8)"
    step = f"{math.log1p(WIDTH)!r}::float8"
    return f"CASE WHEN {value} <= 0 THEN {NOTHING} ELSE floor(ln({held}) / {step})::int END"


def given(days: Sequence[date], free: Sequence[str] = ()) -> dict[str, object]:
    """What the statement needs: at least one day, and the models that cost nothing."""
    return {
        "days": list(days),
        "since": datetime.combine(min(days), time(), UTC),
        "until": datetime.combine(max(days), time(), UTC) + timedelta(days=1),
        "free": list(free),
        "outside": list(NOBODYS),
        "types": [b.TYPE for b in (Stage, ModelCall, Decision, Retrieval, Verdicts, Answer, Tool)],
        "answered": [str(end) for end in ANSWERED],
        "ran": list(RAN),
    }


ENDED = """
t.status = 'finished' AND NOT t.kind = ANY(%(outside)s)
AND t.started_at >= %(since)s AND t.started_at < %(until)s
AND (t.started_at AT TIME ZONE 'UTC')::date = ANY(%(days)s::date[])
"""

# One reading of the turns and of their events, however many figures are made of them.
SOURCES = f"""
WITH picked AS MATERIALIZED (
    SELECT t.id, (t.started_at AT TIME ZONE 'UTC')::date AS day, t.route_taken, t.termination,
        t.passes, t.ms, t.cost::float8 AS cost
    FROM chat_turn t WHERE {ENDED}
), events AS MATERIALIZED (
    SELECT p.day, p.id AS turn, p.passes, e.seq, e.type, e.data
    FROM picked p JOIN chat_turnevent e ON e.turn_id = p.id
    WHERE e.type = ANY(%(types)s)
), calls AS MATERIALIZED (
    SELECT day, turn, passes, seq, data->>'purpose' AS purpose, data->'tokens' AS tokens,
        (data->>'cost')::float8 AS cost,
        (data->>'cost')::float8 = 0 AND NOT data->>'model' = ANY(%(free)s) AND (
            SELECT coalesce(sum(c.count::bigint), 0)
            FROM jsonb_each_text(data->'tokens') AS c(class, count)
        ) > 0 AS unknown
    FROM events WHERE type = '{ModelCall.TYPE}'
), spent AS MATERIALIZED (
    SELECT turn, sum(cost) AS cost, bool_or(unknown) AS unknown FROM calls GROUP BY turn
)"""

TIMES = f""", times AS (
    SELECT day, 'node' AS kind, data->>'node' AS key, (data->>'ms')::float8 AS ms
    FROM events WHERE type = '{Stage.TYPE}' AND data->>'phase' = 'leave' AND data->>'ms' IS NOT NULL
    UNION ALL
    SELECT day, 'route', route_taken, ms FROM picked WHERE ms IS NOT NULL AND route_taken <> ''
    UNION ALL
    SELECT day, 'took', '', ms FROM picked WHERE ms IS NOT NULL
), binned AS (
    SELECT day, kind, key, {bucket("ms")} AS bucket, count(*) AS n, sum(ms) AS total
    FROM times GROUP BY 1, 2, 3, 4
), timed AS (
    SELECT day, kind, key, sum(n)::bigint AS n, sum(total) AS total,
        jsonb_object_agg(bucket::text, n) AS buckets
    FROM binned GROUP BY 1, 2, 3
)"""

COSTS = f""", costs AS (
    SELECT day, 'cost' AS kind, purpose AS key, count(*) AS n, sum(cost) AS total,
        jsonb_build_object('unknown', count(*) FILTER (WHERE unknown)) AS buckets
    FROM calls GROUP BY day, purpose
    UNION ALL
    SELECT day, 'cost', '{TOOLS}', sum(used.n), sum(greatest(p.cost - coalesce(s.cost, 0), 0)),
        '{{}}'
    FROM picked p JOIN (
        SELECT turn, count(*) AS n FROM events
        WHERE type = '{Tool.TYPE}' AND data->>'phase' = ANY(%(ran)s) GROUP BY turn
    ) AS used ON used.turn = p.id LEFT JOIN spent s ON s.turn = p.id GROUP BY day
    UNION ALL
    SELECT day, 'tokens', c.class, count(*), sum(c.count::bigint)::float8, '{{}}'
    FROM calls, jsonb_each_text(tokens) AS c(class, count) WHERE c.count <> '0' GROUP BY 1, 3
    UNION ALL
    SELECT day, 'turn', '', count(*), sum(p.cost),
        jsonb_build_object('unknown', count(*) FILTER (WHERE s.unknown))
    FROM picked p LEFT JOIN spent s ON s.turn = p.id GROUP BY day
)"""

# A decision counts by its outcome, and as due or missed as well.
SAID = f"""LATERAL (
    SELECT outcome AS what
    UNION ALL SELECT '{DUE}' WHERE outcome <> '{Outcome.SKIPPED}'
    UNION ALL SELECT '{MISSED}'
    WHERE outcome IN ('{Outcome.FAILED_OPEN}', '{Outcome.FAILED_CLOSED}', '{GONE}')
) AS said"""

ENDS = f""", decided AS (
    SELECT day, turn, data->>'control' AS control, data->>'outcome' AS outcome
    FROM events WHERE type = '{Decision.TYPE}'
    UNION ALL
    SELECT day, turn, trim(name), '{GONE}'
    FROM events, regexp_split_to_table(substr(data->>'reason', {len(MISSING) + 1}), ',') AS name
    WHERE type = '{Decision.TYPE}' AND data->>'control' = '{Control.POLICY}'
        AND data->>'outcome' = '{Outcome.ACTED}' AND starts_with(data->>'reason', '{MISSING}')
), ends AS (
    SELECT day, 'end' AS kind, termination AS key, count(*) AS n,
        (count(*) FILTER (WHERE passes > 0))::float8 AS total,
        '{{}}'::jsonb AS buckets
    FROM picked GROUP BY day, termination
    UNION ALL
    SELECT day, 'control', control || ' ' || said.what, count(DISTINCT turn), count(*), '{{}}'
    FROM decided, {SAID} GROUP BY day, control, said.what
    UNION ALL
    SELECT day, 'controls', said.what, count(DISTINCT turn), count(*), '{{}}'
    FROM decided, {SAID} WHERE said.what IN ('{DUE}', '{MISSED}') GROUP BY day, said.what
)"""

# What a turn asks about: the section that its first pass found first. Explainable, and no words.
# A pass of a question with parts is several searches, as in the record that the list looks into.
LOOPS = f""", firsts AS (
    SELECT DISTINCT ON (turn) turn, left(data->'hits'->0->>'chunk', {SECTION}) AS chunk
    FROM events WHERE type = '{Retrieval.TYPE}' AND data->'hits'->0 IS NOT NULL
        AND (data->>'pass')::int = 1
    ORDER BY turn, seq
), loops AS (
    SELECT p.day, CASE WHEN p.passes > 1 THEN 'loop' ELSE 'flat' END AS kind,
        coalesce(f.chunk, '') AS key, count(*) AS n, sum(p.cost) AS total, jsonb_build_object(
            'passes', sum(p.passes), 'unknown', count(*) FILTER (WHERE s.unknown)
        ) AS buckets
    FROM picked p LEFT JOIN firsts f ON f.turn = p.id LEFT JOIN spent s ON s.turn = p.id
    WHERE p.passes > 0 GROUP BY 1, 2, 3
)"""

# Of the record, what each pass let in; of the events, what was covered then and what it took.
PASSES = f""", told AS (
    SELECT p.day, p.id AS turn, p.termination = ANY(%(answered)s) AS answered,
        (x->>'pass')::int AS pass, x->'accepted' AS accepted, r.facts->'citations' AS citations
    FROM picked p JOIN chat_decisionrecord r ON r.turn_id = p.id,
        jsonb_array_elements(r.facts->'passes') AS x
    WHERE p.passes > 1
), fresh AS (
    SELECT turn, chunk, min(pass) AS pass
    FROM told, jsonb_array_elements_text(accepted) AS chunk GROUP BY 1, 2
), graded AS (
    SELECT turn, (data->>'pass')::int AS pass, max(seq) AS seq, max((
        SELECT count(*) FROM jsonb_each(data->'covered') AS c(item, found) WHERE found = 'true'
    )) AS found
    FROM events WHERE type = '{Verdicts.TYPE}' AND passes > 1 GROUP BY 1, 2
), steps AS (
    SELECT t.day, t.pass, now.found > before.found AS coverage, t.answered,
        f.turn IS NOT NULL AS evidence, coalesce(f.cited, false) AS cited,
        coalesce(first.pass, t.pass) >= t.pass AS had_none
    FROM told t LEFT JOIN (SELECT turn, min(pass) AS pass FROM fresh GROUP BY turn) AS first
        ON first.turn = t.turn
    LEFT JOIN (
        SELECT f.turn, f.pass, bool_or(EXISTS (
            SELECT FROM jsonb_array_elements(o.citations) AS c WHERE c->>'chunk' = f.chunk
        )) AS cited
        FROM fresh f JOIN told o USING (turn, pass) GROUP BY 1, 2
    ) AS f ON f.turn = t.turn AND f.pass = t.pass
    LEFT JOIN graded now ON now.turn = t.turn AND now.pass = t.pass
    LEFT JOIN graded before ON before.turn = t.turn AND before.pass = t.pass - 1
    WHERE t.pass > 1
), brought AS (
    SELECT day, 'pass' AS kind, s.pass || ' ' || what AS key, count(hit) AS n,
        (count(*) FILTER (WHERE hit))::float8 AS total, '{{}}'::jsonb AS buckets
    FROM steps s, LATERAL (VALUES
        ('evidence', evidence), ('coverage', coverage), ('cited', cited),
        ('rescued', evidence AND had_none AND answered)
    ) AS w(what, hit) GROUP BY 1, 3
    UNION ALL
    SELECT day, 'pass', pass || ' calls', count(*), sum(cost),
        jsonb_build_object('unknown', count(*) FILTER (WHERE unknown))
    FROM (
        -- A call belongs to the grading that comes next; after the last one the answer is written.
        SELECT day, cost, unknown, min(pass) OVER (
            PARTITION BY turn ORDER BY seq ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING
        ) AS pass
        FROM (
            SELECT day, turn, seq, cost, unknown, NULL AS pass FROM calls WHERE passes > 1
            UNION ALL SELECT NULL, turn, seq, NULL, NULL, pass FROM graded
        ) AS line
    ) AS placed WHERE pass > 1 AND day IS NOT NULL GROUP BY 1, 3
)"""

# What is too long for its column ends in a part of its digest, so that no two become one.
KEY = f"""
CASE WHEN length(key) <= {LONGEST} THEN key
ELSE left(key, {LONGEST - 9}) || '~' || left(md5(key), 8) END
"""

COUNTED = f"""
{SOURCES}{TIMES}{COSTS}{ENDS}{LOOPS}{PASSES}
SELECT day, kind, {KEY} AS key, n, coalesce(total, 0) AS total, buckets FROM (
    SELECT * FROM timed UNION ALL SELECT * FROM costs UNION ALL SELECT * FROM ends
    UNION ALL SELECT * FROM loops UNION ALL SELECT * FROM brought
) AS every WHERE n > 0 AND key IS NOT NULL
"""

# What is forgotten of a day that was counted already does not lessen its figures.
STORE = f"""
INSERT INTO admin_tracing_dayfigure AS kept (day, kind, key, n, total, buckets)
{COUNTED}
ON CONFLICT (day, kind, key) DO UPDATE
SET n = excluded.n, total = excluded.total, buckets = excluded.buckets
WHERE excluded.n >= kept.n
"""
