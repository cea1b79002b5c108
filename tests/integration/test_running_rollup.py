"""Days counted from their turns' events: what is counted, that it is once, and by whom."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import psycopg
import pytest
from django.db import connection
from django.utils import timezone

from admin_tracing.models import DayFigure
from admin_tracing.running import rollup
from admin_tracing.running.pieces import bucket
from admin_tracing.stats.buckets import bucket_of
from chat import removal
from chat.models import Turn
from tests import factories, running_by_hand, stored
from tests.running_by_hand import DAY, NOON, E, T

pytestmark = pytest.mark.django_db

Kept = dict[tuple[str, str], tuple[int, float]]


def kept(kind: str = "", day: date = DAY) -> Kept:
    """n and total (in thousandths for money) by kind and key; the mark is left out."""
    rows = DayFigure.objects.filter(day=day).exclude(kind=rollup.MARK)
    if kind:
        rows = rows.filter(kind=kind)
    return {(row.kind, row.key): (row.n, row.total) for row in rows}


def money(kind: str) -> dict[str, tuple[int, float]]:
    """Calls or turns with thousandths of a dollar, by key."""
    return {key: (n, round(total * 1000, 6)) for (_, key), (n, total) in kept(kind).items()}


def unknown(kind: str, key: str = "") -> int:
    return int(DayFigure.objects.get(day=DAY, kind=kind, key=key).buckets["unknown"])


@pytest.fixture
def counted() -> dict[str, Any]:
    turns = running_by_hand.store()
    assert rollup.count_day(DAY)
    return turns


# ---- what is counted


def test_costs_are_by_purpose_with_tools_beside_the_models(counted: Any):
    assert money("cost") == {
        "topic": (7, 0.6),
        "grade": (9, 3.2),
        "answer": (5, 2.0),
        "rewrite": (4, 1.2),
        "tools": (1, 2.0),
    }
    assert money("turn") == {"": (7, 9.0)}


def test_calls_without_a_known_price_are_told_apart_from_free_ones(counted: Any):
    assert [unknown("cost", purpose) for purpose in ("topic", "grade", "answer")] == [1, 1, 1]
    assert unknown("cost", "rewrite") == 0
    assert unknown("turn") == 1


def test_a_model_that_the_price_list_calls_free_has_a_known_price(settings: Any):
    prices = {running_by_hand.UNPRICED: {"input": 0.0, "output": 0.0}}
    settings.PLUMBLINE = replace(settings.PLUMBLINE, llm_prices=prices)
    running_by_hand.one("free")
    rollup.count_day(DAY)
    assert unknown("turn") == 0


def test_tokens_are_by_class(counted: Any):
    assert kept("tokens") == {("tokens", "input"): (25, 250), ("tokens", "output"): (25, 50)}


def test_ends_are_counted_by_turn(counted: Any):
    ends = {key: n for (_, key), (n, _) in kept("end").items()}
    assert ends == {
        "answered": 4,
        "answered_with_caveat": 1,
        "no_evidence": 1,
        "off_topic": 1,
    }


def test_ends_know_how_many_of_them_searched(counted: Any):
    searched = {key: total for (_, key), (_, total) in kept("end").items()}
    assert searched == {
        "answered": 3,  # the tool's answer took no search
        "answered_with_caveat": 1,
        "no_evidence": 1,
        "off_topic": 0,
    }


def test_controls_are_counted_by_outcome_and_the_silent_ones_as_missing(counted: Any):
    found = {key: n for (_, key), (n, _) in kept("control").items()}
    assert found == {
        **{"scope passed": 7, "scope due": 7},
        **{"groundedness passed": 1, "groundedness failed_closed": 1},
        **{"groundedness due": 2, "groundedness missed": 1},
        **{"policy acted": 1, "policy due": 1},
        **{"coverage missing": 1, "coverage due": 1, "coverage missed": 1},
        **{"toxicity missing": 1, "toxicity due": 1, "toxicity missed": 1},
    }
    # Of seven turns two: rescued, and more with two silent ones. Twelve decisions were due.
    assert kept("controls") == {("controls", "due"): (7, 12), ("controls", "missed"): (2, 3)}


def test_times_are_by_node_and_route_in_the_buckets_of_percentiles(counted: Any):
    route = DayFigure.objects.get(day=DAY, kind="route", key="single_shot")
    assert (route.n, route.total) == (4, 10_000)
    assert route.buckets == {
        str(bucket_of(1000)): 2,
        str(bucket_of(3000)): 1,
        str(bucket_of(5000)): 1,
    }
    node = DayFigure.objects.get(day=DAY, kind="node", key="retrieve")
    # First passes of five turns, second ones of three, and one third pass.
    assert (node.n, node.total) == (9, 5 * 10 + 3 * 20 + 30)


def test_deep_turns_are_grouped_by_the_section_that_was_found_first(counted: Any):
    assert money("loop") == {E: (3, 5.3)}
    assert money("flat") == {T: (2, 1.0)}
    assert DayFigure.objects.get(kind="loop", key=E).buckets["passes"] == 7


def test_each_further_pass_says_what_it_brought(counted: Any):
    found = {key: (n, total) for (_, key), (n, total) in kept("pass").items() if "calls" not in key}
    assert found == {
        "2 evidence": (3, 2),
        "2 coverage": (3, 1),
        "2 cited": (3, 1),
        "2 rescued": (3, 1),
        "3 evidence": (1, 0),
        "3 coverage": (1, 0),
        "3 cited": (1, 0),
        "3 rescued": (1, 0),
    }


def test_the_calls_of_a_pass_are_those_between_two_gradings(counted: Any):
    found = {key: each for key, each in money("pass").items() if "calls" in key}
    assert found == {"2 calls": (6, 2.1), "3 calls": (2, 0.7)}


def test_lab_turns_and_turns_that_still_run_stand_outside():
    running_by_hand.one("lab")
    factories.turn(started_at=NOON)
    rollup.count_day(DAY)
    assert kept() == {}


def test_a_section_of_any_length_stays_itself():
    for ending in ("a", "b"):
        telling = running_by_hand.Turn("single_shot", "answered", 1, (T,), "x" * 280 + ending)
        running_by_hand.TURNS["long"] = telling
        running_by_hand.one("long")
    del running_by_hand.TURNS["long"]
    rollup.count_day(DAY)
    keys = [key for _, key in kept("flat")]
    assert sorted(map(len, keys)) == [281, 281]


@pytest.mark.parametrize("value", [0.0, -1.0, 1e-12, 0.003, 1.0, 1.05, 37.2, 5e5, 1e18])
def test_the_database_puts_a_value_into_the_same_bucket(value: float):
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {bucket('v')} FROM (SELECT %s::float8 AS v) AS one", [value])
        assert cursor.fetchone()[0] == bucket_of(value)


# ---- once


def test_to_count_again_changes_nothing(counted: Any):
    before = list(DayFigure.objects.order_by("pk").values())
    assert not rollup.count_day(DAY)
    assert list(DayFigure.objects.order_by("pk").values()) == before


def test_a_turn_that_ended_late_makes_its_day_due_and_is_counted(counted: Any):
    now = NOON + timedelta(days=1)
    assert rollup.due(now) == []
    running_by_hand.one("plain", NOON + timedelta(hours=3))
    assert rollup.due(now) == [DAY]
    assert rollup.count_day(DAY)
    assert kept("end")["end", "answered"][0] == 5
    assert money("turn") == {"": (8, 10.0)}


def test_what_is_erased_afterwards_stays_in_the_figures_without_a_word(counted: Any):
    before = kept()
    gone = list(Turn.objects.values_list("pk", flat=True))
    removal.content_of_turns(gone, timezone.now())
    running_by_hand.one("topic", NOON + timedelta(hours=3))
    rollup.count_day(DAY)
    after = kept()
    assert after["cost", "grade"] == before["cost", "grade"]
    assert after["node", "retrieve"] == before["node", "retrieve"]
    assert after["end", "off_topic"][0] == before["end", "off_topic"][0] + 1
    assert not [
        row for row in DayFigure.objects.values_list("key", "buckets") if "student" in str(row)
    ]


def test_a_run_that_is_killed_leaves_nothing_half_done(monkeypatch: pytest.MonkeyPatch):
    running_by_hand.store()

    def killed(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(DayFigure.objects, "update_or_create", killed)
        with pytest.raises(KeyboardInterrupt):
            rollup.count_day(DAY)
    assert not DayFigure.objects.exists()
    assert rollup.count_day(DAY)


def test_days_without_a_turn_are_not_due_and_years_without_one_cost_nothing(
    django_assert_max_num_queries: Any,
):
    running_by_hand.one("plain", NOON - timedelta(days=200))
    running_by_hand.one("plain", NOON)
    with django_assert_max_num_queries(3):
        assert rollup.due(NOON) == [DAY - timedelta(days=200), DAY]


def test_a_day_is_that_of_the_turns_start_in_utc():
    late = datetime(2026, 11, 20, 23, 59, 59, tzinfo=UTC)
    running_by_hand.one("plain", late)
    running_by_hand.one("plain", late + timedelta(seconds=1))
    assert [row.day for row in map(_counted, (DAY, DAY + timedelta(days=1)))] == [
        DAY,
        DAY + timedelta(days=1),
    ]


def _counted(day: date) -> DayFigure:
    rollup.count_day(day)
    return DayFigure.objects.get(day=day, kind="turn", n=1)


# ---- several at once


@pytest.mark.django_db(transaction=True)
def test_two_processes_at_once_count_a_day_once():
    running_by_hand.store()
    with psycopg.connect(**_address()) as other:
        other.execute(rollup.LOCK, [DAY.toordinal()])
        assert not rollup.count_day(DAY)
        assert not DayFigure.objects.exists()
    assert rollup.count_day(DAY)


@pytest.mark.django_db(transaction=True)
def test_the_job_counts_all_days_whoever_runs_it_beside():
    noon = timezone.now().replace(hour=12)
    for days_ago in range(2, 5):
        running_by_hand.one("plain", noon - timedelta(days=days_ago))

    async def both() -> list[int]:
        return [*await asyncio.gather(rollup.roll_up(), rollup.roll_up())]

    done = asyncio.run(both())
    assert DayFigure.objects.filter(kind=rollup.MARK).count() == 3
    assert sum(done) == 3
    assert DayFigure.objects.filter(kind="turn").values_list("n", flat=True).distinct().get() == 1


def _address() -> dict[str, Any]:
    found = connection.settings_dict
    return {
        "host": found["HOST"],
        "port": found["PORT"] or None,
        "user": found["USER"],
        "dbname": found["NAME"],
    }


def test_a_record_without_passes_is_no_trouble():
    turn = stored.finished_turn(started_at=NOON)
    stored.record(turn)
    assert rollup.count_day(DAY)
