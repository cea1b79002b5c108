"""A day's budget of one person, summed from the turns that there are."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from chat.contracts.errors import OverBudget
from chat.identity import Person
from chat.limits import check_budget, spent
from tests import factories

pytestmark = pytest.mark.django_db

NOW = timezone.now()
VISITOR = uuid4()
PERSON = Person(visitor=VISITOR)
MANY = """
INSERT INTO chat_turn (id, conversation_id, question_id, kind, status, started_at, attempt,
    stop_requested, is_sensitive, termination, route_decided, route_taken, passes, model_calls,
    tokens, cost, confidence, unsupported, citations, gaps, asked_back)
SELECT gen_random_uuid(), %s, %s, 'ask', 'finished', now() - n * interval '1 minute', 1,
    false, false, 'answered', '', '', 1, 1, 100, 0.001, '', 0, 0, 0, 0
FROM generate_series(1, 20000) n
"""


@pytest.fixture(autouse=True)
def budget(settings: Any) -> None:
    settings.PLUMBLINE = replace(
        settings.PLUMBLINE, daily_tokens_person=1_000, daily_cost_person=1.0
    )


def turn(hours_ago: float = 1, *, of: Any = None, **fields: Any) -> Any:
    began = NOW - timedelta(hours=hours_ago)
    given = {"status": "finished", "started_at": began, "tokens": 400}
    return factories.turn(of or factories.conversation(visitor=VISITOR), **(given | fields))


def refusal(now: datetime = NOW) -> OverBudget:
    with pytest.raises(OverBudget) as told:
        check_budget(PERSON, now)
    return told.value


def test_turns_of_all_conversations_of_the_last_day_are_summed() -> None:
    turn(1, cost="0.25")
    turn(23, cost="0.5")
    turn(25, tokens=9_000)
    assert spent(PERSON, NOW) == (800.0, 0.75)
    check_budget(PERSON, NOW)


@pytest.mark.parametrize("kind", ["lab", "rerun"])
def test_what_the_staff_has_run_is_not_the_persons(kind: str) -> None:
    turn(kind=kind, tokens=9_000)
    assert spent(PERSON, NOW) == (0.0, 0.0)


def test_other_people_do_not_count() -> None:
    turn(of=factories.conversation(visitor=uuid4()), tokens=9_000)
    turn(of=factories.conversation(factories.user()), tokens=9_000)
    check_budget(PERSON, NOW)


def test_a_used_up_day_says_when_enough_of_it_is_over() -> None:
    turn(20)
    turn(10)
    turn(1)
    error = refusal()
    assert (
        error.public == "You have used up what one person can ask in a day. Ask again in 4 hours."
    )
    assert error.retry_after == 4 * 3600 + 1
    check_budget(PERSON, NOW + timedelta(seconds=error.retry_after))


def test_the_cost_is_a_budget_of_its_own() -> None:
    turn(5, tokens=1, cost="0.4")
    turn(2, tokens=1, cost="0.6")
    assert refusal().retry_after == 19 * 3600 + 1


@pytest.mark.parametrize("off", [{"daily_tokens_person": 0}, {"daily_cost_person": 0.0}])
def test_zero_turns_one_of_them_off(off: dict[str, Any], settings: Any) -> None:
    settings.PLUMBLINE = replace(settings.PLUMBLINE, **off)
    turn(tokens=9_000 if "daily_tokens_person" in off else 1, cost="0.5")
    turn(tokens=1, cost="0.1" if "daily_tokens_person" in off else "5")
    check_budget(PERSON, NOW)


def test_with_both_off_nothing_is_asked_of_the_database(settings: Any) -> None:
    settings.PLUMBLINE = replace(settings.PLUMBLINE, daily_tokens_person=0, daily_cost_person=0.0)
    with CaptureQueriesContext(connection) as asked:
        check_budget(PERSON, NOW)
    assert len(asked) == 0


def test_a_stranger_has_no_turns_and_no_budget() -> None:
    check_budget(Person(), NOW)


def test_among_many_turns_a_persons_own_are_found_by_an_index() -> None:
    turn(1)
    other = turn(of=factories.conversation(visitor=uuid4()))
    with connection.cursor() as cursor:
        cursor.execute(MANY, [other.conversation_id, other.question_id])
        cursor.execute("ANALYZE chat_turn, chat_conversation")
    with CaptureQueriesContext(connection) as asked:
        assert spent(PERSON, NOW)[0] == 400
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN ANALYZE {asked[0]['sql']}")
        plan = "\n".join(row[0] for row in cursor.fetchall())
    assert "Seq Scan on chat_turn" not in plan, plan
