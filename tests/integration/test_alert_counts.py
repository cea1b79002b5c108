"""What the alerts count in the database: of people's turns alone, by an index, quickly."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from chat.alerts import check, recent_counts
from chat.contracts.events import Body, Decision, ModelCall
from chat.contracts.turn_facts import silent_in
from chat.contracts.verdicts import Control, Outcome
from chat.event_rows import insert
from chat.guardrails import silence
from tests import factories

pytestmark = pytest.mark.django_db

MANY = 100_000
FILL = """
INSERT INTO chat_turnevent (turn_id, seq, at, type, data)
SELECT %s, n, now() - n * interval '1 second',
    (ARRAY['token', 'stage', 'state_diff', 'decision', 'model_call'])[1 + n %% 5],
    '{"control": "scope", "outcome": "passed", "reason": ""}'
FROM generate_series(1, %s) n
"""


def decision(control: str, outcome: str, reason: str = "") -> Decision:
    return Decision(control=Control(control), outcome=Outcome(outcome), reason=reason)


def call(outcome: Any) -> ModelCall:
    return ModelCall(role="main", purpose="answer", model="m", outcome=outcome)


def ended(bodies: Iterable[Body] = (), minutes_ago: float = 5, **fields: Any) -> Any:
    """A turn that ended so long ago, with what it left."""
    at = timezone.now() - timedelta(minutes=minutes_ago)
    given_: dict[str, Any] = {"status": "finished", "termination": "answered", "ms": 1_000.0}
    times = {"started_at": at - timedelta(seconds=5), "finished_at": at}
    turn = factories.turn(**(given_ | times | fields))
    told = factories.events(bodies, turn=turn.pk)
    insert([type(e)(turn=e.turn, seq=e.seq, at=at, body=e.body) for e in told])
    return turn


def last_quarter() -> Any:
    now = timezone.now()
    return recent_counts(now - timedelta(minutes=15), now)


def test_decisions_calls_and_ends_of_the_window_are_counted() -> None:
    ended([decision("scope", "passed"), decision("scope", "passed"), call("ok")], ms=2_000.0)
    ended([decision("scope", "failed_open", "timeout"), call("timeout")], termination="off_topic")
    found = last_quarter()
    assert found.decisions == {("scope", "passed"): 2, ("scope", "failed_open"): 1}
    assert found.model_calls == {"ok": 1, "timeout": 1}
    assert found.terminations == {"answered": 1, "off_topic": 1}
    assert found.p95 == 2.0


def test_what_was_before_counts_for_the_day_before_alone() -> None:
    ended([decision("scope", "passed")], minutes_ago=20, termination="off_topic")
    found = last_quarter()
    assert (found.decisions, found.terminations, found.p95) == ({}, {}, None)
    assert found.before == {"off_topic": 1}


@pytest.mark.parametrize("kind", ["lab", "rerun"])
def test_lab_turns_and_reruns_count_for_nothing(kind: str) -> None:
    ended([decision("scope", "failed_open", "timeout"), call("failed")], kind=kind)
    found = last_quarter()
    assert (found.decisions, found.model_calls, found.turns) == ({}, {}, 0)


def test_silent_controls_are_read_from_what_the_policy_said() -> None:
    for owed, silent in (({"scope", "relevance"}, {"scope", "relevance"}), ({"scope"}, {"scope"})):
        told = silence.decision(frozenset(map(Control, owed)), frozenset(map(Control, silent)))
        ended([told])
    ended([silence.decision(frozenset({Control.SCOPE}), frozenset())])
    assert last_quarter().missing == {"scope": 2, "relevance": 1}


@given(st.frozensets(st.sampled_from(Control)))
def test_what_the_policy_names_is_what_is_read(silent: frozenset[Control]) -> None:
    reason = silence.decision(frozenset(Control), silent).reason
    assert set(silent_in(reason)) == silent


@given(st.text())
def test_no_other_reason_names_a_control_that_is_none(reason: str) -> None:
    assert set(silent_in(f"missing: {reason}")) <= set(Control)


def test_a_control_that_is_down_is_told() -> None:
    ended([decision("groundedness", "failed_closed", "timeout")] * 3)
    told = {(alert.rule, alert.control, alert.n) for alert in check(timezone.now())}
    assert told == {("control_down", "groundedness", 3)}


def test_every_window_of_the_rules_is_looked_at() -> None:
    for number in range(20):
        ended(minutes_ago=40, termination="no_evidence" if number < 7 else "answered")
    told = {alert.rule for alert in check(timezone.now())}
    assert told == {"no_evidence"}


def test_a_hundred_thousand_events_are_read_by_the_index() -> None:
    turn = factories.turn(status="finished", finished_at=timezone.now(), termination="answered")
    with connection.cursor() as cursor:
        cursor.execute(FILL, [turn.pk, MANY])
        cursor.execute("ANALYZE chat_turnevent")
    now = timezone.now()
    queries = _queries(lambda: recent_counts(now - timedelta(minutes=15), now))
    about_events = [sql for sql in queries if "chat_turnevent" in sql]
    assert len(about_events) == 3
    for sql in about_events:
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN ANALYZE {sql}")
            plan = "\n".join(row[0] for row in cursor.fetchall())
        assert "counted_event_idx" in plan, plan
        assert "Seq Scan on chat_turnevent" not in plan, plan


def _queries(work: Any) -> list[str]:
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as captured:
        work()
    return [query["sql"] for query in captured]
